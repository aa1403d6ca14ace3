import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HouseError } from './house-error.mjs'
import { installKey } from './install.mjs'
import { withLock } from './lock.mjs'
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
    const inputs = await bundleCommand({
      root,
      entry: join(cli, 'src/main.ts'),
      outfile: join(cli, 'dist/maru.cjs'),
      version,
    })
    await tryCommand(join(cli, 'bin/maru.cjs'))
    replaceFile(stampFile(root), JSON.stringify({ key: buildKey(root, inputs), inputs }))
    say(`built maru in ${((Date.now() - start) / 1000).toFixed(1)} s`)
  })
}

/**
 * Bundles a command into one CommonJS file that ends with a hash of itself, and gives the source files it is made of.
 *
 * One file on purpose: esbuild wraps what is behind `import()` in functions that run when it is first asked for, so a
 * command pays only for its own modules, and bin/maru.cjs can keep V8's compiled code for the whole of it.
 * @param {{ root: string, entry: string, outfile: string, version: string }} options
 * @returns {Promise<string[]>} paths relative to `root`, without those in node_modules
 */
export async function bundleCommand({ root, entry, outfile, version }) {
  const { outputFiles, metafile } = await runEsbuild(entry, {
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minify: true,
    // The loader reads the file as Latin-1, which is quicker than UTF-8: Korean text has to be escaped.
    charset: 'ascii',
    legalComments: 'none',
    // The CommonJS build of some packages (jsonc-parser) asks for its parts in a way that esbuild cannot see.
    mainFields: ['module', 'main'],
    define: { MARU_VERSION: JSON.stringify(version) },
  })
  const text = await redirectImports(outputFiles[0]?.text ?? '')
  replaceFile(outfile, `${text}//${createHash('sha256').update(text).digest('hex')}`)
  return Object.keys(metafile.inputs).filter((file) => !file.includes('node_modules/'))
}

/**
 * @param {string} entry
 * @param {import('esbuild').BuildOptions} options
 */
async function runEsbuild(entry, options) {
  const { build, formatMessages } = await import('esbuild')
  try {
    const result = await build({ ...options, metafile: true, write: false, logLevel: 'silent' })
    // A warning here is a bug at run time, such as import.meta.url, which is empty in CommonJS.
    if (result.warnings.length === 0) return result
    throw new Error((await formatMessages(result.warnings, { kind: 'warning' })).join(''))
  } catch (cause) {
    throw new HouseError(`${entry} does not build`, { detail: cause instanceof Error ? cause.message : '', cause })
  }
}

/**
 * Turns each `import()` that esbuild left (packages outside the bundle, names known only at run time) into a call of
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
  const hash = createHash('sha256')
    .update(installKey(root))
    .update(readFileSync(fileURLToPath(import.meta.url)))
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
  rmSync(join(dirname(bin), '../dist/maru.cjs.cache'), { force: true })
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
