import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { assignGroups } from './assign-groups.mjs'
import { ensureHistoryTemplate } from './history-template.mjs'
import { HouseError } from './house-error.mjs'
import { installKey } from './install.mjs'
import { withLock } from './lock.mjs'
import { MANUAL_SOURCES, writeManual } from './manual.mjs'
import { runQuietly } from './process.mjs'
import { runSampleTask } from './warm.mjs'

/**
 * Builds the `maru` command, unless what it was built from is still the same, byte for byte.
 * @param {import('./command.mjs').House} house with its packages installed
 */
export async function ensureBuilt(house) {
  const { root, say } = house
  if (isBuilt(root)) return
  await withLock(house, async () => {
    if (isBuilt(root)) return
    const start = Date.now()
    const cli = join(root, 'packages/cli')
    const { version } = JSON.parse(readFileSync(join(cli, 'package.json'), 'utf8'))
    mkdirSync(join(cli, 'dist'), { recursive: true })
    const bundling = bundleCommand({
      root,
      entry: join(cli, 'src/main.ts'),
      groups: groupsIn(root),
      directory: join(cli, 'dist'),
      version,
    })
    const [bundled] = await Promise.all([bundling, writeManual(house)])
    const inputs = [...bundled, ...MANUAL_SOURCES]
    await Promise.all([tryCommand(join(cli, 'bin/maru.cjs')), ensureHistoryTemplate(root)])
    replaceFile(stampFile(root), JSON.stringify({ key: buildKey(root, inputs), inputs }))
    say(`built maru in ${((Date.now() - start) / 1000).toFixed(1)} s`)
  })
}

// What is needed at the same time is one file: many small ones take longer to open than to read. Each holds everything
// that its modules need and that is in none of those before it.
const GROUPS = {
  asking: [
    'packages/cli/src/run-cli.ts',
    'packages/cli/src/commands/run.ts',
    'packages/cli/src/config/load-config.ts',
    'packages/providers/src/wire/anthropic.ts',
  ],
  working: [
    'packages/agent/src/calls.ts',
    'packages/agent/src/trees.ts',
    'packages/agent/src/context/fit-context.ts',
    'packages/tools/src/read-file.ts',
    'packages/tools/src/write-file.ts',
    'packages/tools/src/run-command.ts',
    'packages/tools/src/command/background.ts',
    'packages/guard/src/secrets/masker.ts',
    'packages/guard/src/secrets/own-values.ts',
    'packages/cli/src/session/mask-key.ts',
    'packages/cli/src/session/policy.ts',
    'packages/cli/src/session/nested-instructions.ts',
    'node_modules/@cfworker/json-schema/dist/esm/index.js',
  ],
}

/** @param {string} root */
export function groupsIn(root) {
  return Object.entries(GROUPS).map(([name, files]) => ({ name, files: files.map((file) => join(root, file)) }))
}

/**
 * Bundles a command into CommonJS files, each ending with a hash of itself: `maru.cjs`, one for each group, and one for
 * each other thing behind an `import()`, so that a command pays only for its own. bin/maru.cjs keeps V8's compiled code
 * for each.
 * @typedef {{ name: string, files: string[] }} Group
 * @param {{ root: string, entry: string, groups?: Group[], directory: string, version: string }} options
 * @returns {Promise<string[]>} the source files, relative to `root`, without those in node_modules
 */
export async function bundleCommand({ root, entry, groups = [], directory, version }) {
  const { rolldown } = await import('rolldown')
  const { parseSync } = await import('oxc-parser')
  /** @type {string[]} */
  const problems = []
  /** @type {Map<string, string> | undefined} */
  let groupOf
  try {
    const bundle = await rolldown({
      input: entry,
      cwd: root,
      platform: 'node',
      // It finds its own files beside itself, and is loaded by those who open the history.
      external: [/^@electric-sql\//, 'pg'],
      preserveEntrySignatures: 'allow-extension',
      // The CommonJS build of some packages (jsonc-parser) asks for its parts in a way that no bundler can see.
      resolve: { mainFields: ['module', 'main'] },
      transform: { target: 'node20', define: { MARU_VERSION: JSON.stringify(version) } },
      onLog(level, log) {
        // Loaded late by one and early by another: that is for each of them to say.
        if (level === 'warn' && log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') problems.push(log.message)
      },
    })
    const { output } = await bundle.generate({
      format: 'cjs',
      minify: true,
      entryFileNames: 'maru.cjs',
      // A process that is still running finds its own files after another build.
      chunkFileNames: '[name]-[hash].cjs',
      codeSplitting: {
        groups: [
          {
            debugName: 'groups',
            // `groupOf` knows them all, but for those that `maru.cjs` must have without any group.
            includeDependenciesRecursively: false,
            name: (id, context) => {
              groupOf ??= assignGroups(entry, groups, { graph: context, parseSync })
              return groupOf.get(id) || null
            },
          },
        ],
      },
    })
    await bundle.close()
    if (problems.length > 0) throw new Error(problems.join('\n'))
    const chunks = output.filter((file) => file.type === 'chunk')
    for (const { fileName, code } of chunks) {
      const text = `${LOADED_WITH}${await redirectImports(toAscii(code))}\n})`
      replaceFile(join(directory, fileName), `${text}//${createHash('sha256').update(text).digest('hex')}`)
    }
    removeOld(directory, new Set(chunks.map(({ fileName }) => fileName)))
    const files = chunks.flatMap(({ moduleIds }) => moduleIds).filter((id) => isAbsolute(id))
    return files.map((file) => relative(root, file)).filter((file) => !file.includes('node_modules/'))
  } catch (cause) {
    throw new HouseError(`${entry} does not build`, { detail: cause instanceof Error ? cause.message : '', cause })
  }
}

// What bin/maru.cjs calls each file with. Here rather than there: to put text around a large one takes a start a copy of it.
const LOADED_WITH = "(function(exports,require,module,__filename,__dirname,nodeImport){'use strict';"

/**
 * The loader reads files as Latin-1, which is quicker than UTF-8.
 * @param {string} text
 */
function toAscii(text) {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const KEPT_MS = 24 * 60 * 60 * 1000

/**
 * @param {string} directory
 * @param {Set<string>} current
 */
function removeOld(directory, current) {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    if (!/\.cjs(\.cache)?$/.test(name) || current.has(name.replace(/\.cache$/, ''))) continue
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { force: true })
  }
}

/**
 * Turns each `import()` that the bundler left (packages outside the bundle, names known only at run time) into a call of
 * `nodeImport`, which the loader gives: Node cannot `import()` from code that comes from V8's cache (nodejs/node#43663).
 * @param {string} text
 */
async function redirectImports(text) {
  const { parseSync } = await import('oxc-parser')
  const { dynamicImports } = parseSync('maru.cjs', text).module
  return dynamicImports
    .toSorted((a, b) => b.start - a.start)
    .reduce((done, { start }) => `${done.slice(0, start)}nodeImport${done.slice(start + 'import'.length)}`, text)
}

/** @param {string} root */
function isBuilt(root) {
  if (!existsSync(stampFile(root)) || !existsSync(join(root, 'packages/cli/dist/maru.cjs'))) return false
  const { key, inputs } = JSON.parse(readFileSync(stampFile(root), 'utf8'))
  return key === buildKey(root, inputs)
}

/**
 * A file that is new matters only once one of the known inputs imports it, so hashing those is exact; what comes from
 * node_modules is covered by the install's key.
 * @param {string} root
 * @param {string[]} inputs
 */
function buildKey(root, inputs) {
  const hash = createHash('sha256').update(installKey(root))
  for (const how of ['build.mjs', 'assign-groups.mjs', 'warm.mjs'])
    hash.update(readFileSync(new URL(how, import.meta.url)))
  for (const file of inputs) {
    const path = join(root, file)
    hash.update(`${file}\n`).update(existsSync(path) ? readFileSync(path) : 'missing')
  }
  return hash.digest('hex')
}

/**
 * Starts the new command: the first time leaves the compiled code for all later ones, the second is proof that it runs.
 * Whether the task succeeds is for the tests to judge: a build is also made in the middle of work.
 * @param {string} bin
 */
async function tryCommand(bin) {
  const dist = join(dirname(bin), '../dist')
  for (const name of readdirSync(dist)) if (name.endsWith('.cache')) rmSync(join(dist, name), { force: true })
  await runSampleTask(bin)
  const { code, output } = await runQuietly(process.execPath, [bin, '--version'])
  if (code !== 0) throw new HouseError('maru was built but does not start: see above', { detail: output })
}

/** @param {string} root */
function stampFile(root) {
  return join(root, 'packages/cli/dist/built.json')
}

/**
 * @param {string} file
 * @param {string} text
 */
function replaceFile(file, text) {
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}
