import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { HouseError } from './house-error.mjs'
import { allowedInstallScripts } from './install-scripts.mjs'
import { withLock } from './lock.mjs'
import { runQuietly } from './process.mjs'

/**
 * Installs the packages exactly as package-lock.json says, unless the stamp says that this has been done.
 * @param {import('./command.mjs').House} house
 * @param {(args: string[]) => Promise<{ code: number, output: string }>} [npm]
 */
export async function ensureInstalled(house, npm = (args) => runNpm(house.root, args)) {
  const { root, say } = house
  if (readStamp(root) === installKey(root)) return
  await withLock(house, async () => {
    const key = installKey(root)
    if (readStamp(root) === key) return
    // First, so that an install which is interrupted or fails is never taken for a good one.
    rmSync(stampFile(root), { force: true })
    const start = Date.now()
    say('installing packages (later runs skip this)')
    await install(npm)
    writeStamp(root, key)
    say(`packages installed in ${((Date.now() - start) / 1000).toFixed(1)} s`)
  })
}

/**
 * What an install depends on: the lock file, every package.json, and the Node that native binaries are chosen for.
 * @param {string} root
 */
export function installKey(root) {
  const hash = createHash('sha256')
  hash.update(`${process.versions.node.split('.')[0]} ${process.platform} ${process.arch}\n`)
  hash.update(`${allowedInstallScripts.join(' ')}\n`)
  for (const file of ['package-lock.json', 'package.json', ...workspaceManifests(root)]) {
    hash.update(`${file}\n`).update(readFileSync(join(root, file)))
  }
  return hash.digest('hex')
}

/**
 * Why npm could not install, as one line that says what to do.
 * @param {string} output what npm printed
 */
export function explainFailure(output) {
  if (/\b(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|E(NET|HOST)UNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/.test(output)) {
    return (
      'packages are not installed: the package registry cannot be reached. Connect to the network, or tell npm of your ' +
      'own registry or proxy (npm config set registry URL, npm config set proxy URL), and run this again.'
    )
  }
  if (output.includes('are in sync')) {
    return 'packages are not installed: package.json and package-lock.json disagree. Run npm install, then this again.'
  }
  return 'packages are not installed: npm failed, its words are above. Run this again when that is mended.'
}

/** @param {(args: string[]) => Promise<{ code: number, output: string }>} npm */
async function install(npm) {
  await mustSucceed(npm, [
    'ci',
    '--ignore-scripts',
    // NODE_ENV=production or omit=… in someone's settings would leave out the tools that build and test.
    '--include=dev',
    '--include=optional',
    '--prefer-offline',
    '--fetch-retry-mintimeout=2000',
    '--fetch-retry-maxtimeout=10000',
    '--loglevel=error',
  ])
  for (const name of allowedInstallScripts) await mustSucceed(npm, ['rebuild', name, '--ignore-scripts=false'])
}

/**
 * @param {(args: string[]) => Promise<{ code: number, output: string }>} npm
 * @param {string[]} args
 */
async function mustSucceed(npm, args) {
  const { code, output } = await npm(args)
  if (code !== 0) throw new HouseError(explainFailure(output), { detail: output })
}

/**
 * @param {string} root
 * @param {string[]} args
 */
function runNpm(root, args) {
  const path = process.env['npm_execpath'] ?? ''
  if (basename(path) === 'npm-cli.js' && existsSync(path)) {
    return runQuietly(process.execPath, [path, ...args], { cwd: root })
  }
  return runQuietly('npm', args, { cwd: root, shell: process.platform === 'win32' })
}

/** @param {string} root */
function workspaceManifests(root) {
  return readdirSync(join(root, 'packages'))
    .sort()
    .map((name) => `packages/${name}/package.json`)
    .filter((file) => existsSync(join(root, file)))
}

/** @param {string} root */
function stampFile(root) {
  return join(root, 'node_modules/.house/installed')
}

/** @param {string} root */
function readStamp(root) {
  return existsSync(stampFile(root)) ? readFileSync(stampFile(root), 'utf8') : undefined
}

/**
 * @param {string} root
 * @param {string} key
 */
function writeStamp(root, key) {
  const file = stampFile(root)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.new`, key)
  renameSync(`${file}.new`, file)
}
