// Runs inside a sandbox whose only writable directory is the first argument: an implementation that is wrong writes
// through the links of this tree. Prints one JSON line per row.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const [place = '', corpora = '', maru = ''] = process.argv.slice(2)
const run = promisify(execFile)
const { build } = await import(pathToFileURL(join(corpora, 'paths/build_tree.mjs')).href)
const home = join(realpathSync(place), 'home')
mkdirSync(home)

const tree = plant('paths')
for (const row of rowsOf('paths/paths.jsonl')) {
  if (row.platform !== 'posix' || row.danger) continue
  const path = tree.fill(row.path)
  if (row.op === 'read') print(row, await call(tree, 'ReadFile', { path }))
  if (row.op === 'list') print(row, await call(tree, 'ListFiles', { path }))
  if (row.op === 'write') print(row, await call(tree, 'WriteFile', { path, content: `written by ${row.id}\n` }))
}
for (const row of rowsOf('paths/patch_attacks.jsonl')) {
  if (row.format === 'ed') continue
  const own = plant(row.id)
  print(row, await call(own, 'ApplyPatch', { patch: own.fill(row.patch) }))
}

/** @typedef {{ base: string, root: string, fill(text: string): string }} Place */

/**
 * @param {string} name
 * @returns {Place}
 */
function plant(name) {
  const base = join(realpathSync(place), name)
  mkdirSync(base)
  const { root, outside, sibling } = build(base)
  return {
    base,
    root,
    fill: (text) =>
      text.replaceAll('{ROOT}', root).replaceAll('{OUT}', outside).replaceAll('{SIB}', sibling).replaceAll('{T}', base),
  }
}

/**
 * @param {Place} place
 * @param {string} tool
 * @param {object} args
 */
async function call({ base, root }, tool, args) {
  const before = snapshot(base)
  const startedAt = Date.now()
  const words = [maru, 'tools', 'call', tool, JSON.stringify(args), '--mode', 'yes', '--json', '--repo', root]
  const env = { PATH: process.env['PATH'], MARU_HOME: home, MARU_LANG: 'en' }
  const ended = await run(process.execPath, words, { env, timeout: 20_000 }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    (/** @type {{ code: number, stdout: string, stderr: string }} */ error) => error,
  )
  const after = snapshot(base)
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  )
  return { ...ended, ms: Date.now() - startedAt, changed }
}

/** @param {{ id: string }} row @param {{ code: number, stdout: string, stderr: string, ms: number, changed: string[] }} got */
function print(row, { code, stdout, stderr, ms, changed }) {
  console.log(JSON.stringify({ row, code, stdout: stdout.slice(0, 4000), stderr: stderr.slice(0, 1000), ms, changed }))
}

/** @param {string} file */
function rowsOf(file) {
  const lines = readFileSync(join(corpora, file), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

/** What stands where, below a directory. */
function snapshot(/** @type {string} */ directory, found = new Map(), below = '') {
  let names
  try {
    names = readdirSync(join(directory, below))
  } catch {
    return found
  }
  for (const name of names) {
    const path = join(below, name)
    const full = join(directory, path)
    const stats = lstatSync(full, { throwIfNoEntry: false })
    if (!stats) continue
    if (stats.isSymbolicLink()) found.set(path, `link ${readlinkSync(full)}`)
    else if (stats.isDirectory()) snapshot(directory, found.set(path, `folder ${stats.mode}`), path)
    else if (stats.isFile() && stats.size < 1_000_000) found.set(path, `${stats.mode} ${hash(full)}`)
    else found.set(path, `${stats.mode} ${stats.size} ${stats.mtimeMs}`)
  }
  return found
}

function hash(/** @type {string} */ file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
