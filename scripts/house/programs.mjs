import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { withLock } from './lock.mjs'
import { runQuietly } from './process.mjs'

const APT = 'apt-get'
const INSTALL_TIMEOUT_MS = 5 * 60_000

/**
 * The system programs that tests use. `neededBy` says which tests; without it a program is only looked for, never
 * installed, because some are large. A test finds the path in `variable`, and skips in plain sight when that is empty.
 * @type {readonly Program[]}
 */
export const programs = [
  {
    name: 'bubblewrap',
    variable: 'MARU_HAS_BWRAP',
    commands: ['bwrap'],
    // Where user namespaces are switched off, bwrap is there and does nothing.
    probe: ['--ro-bind', '/', '/', '--dev', '/dev', 'true'],
    packages: { [APT]: 'bubblewrap', dnf: 'bubblewrap', apk: 'bubblewrap' },
    neededBy: 'tests of the sandbox',
  },
  {
    name: 'tmux',
    variable: 'MARU_HAS_TMUX',
    commands: ['tmux'],
    packages: { [APT]: 'tmux', dnf: 'tmux', apk: 'tmux', brew: 'tmux' },
    neededBy: 'tests of the terminal',
  },
  {
    name: 'chromium',
    variable: 'MARU_HAS_CHROMIUM',
    commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
    packages: { [APT]: 'chromium', dnf: 'chromium', apk: 'chromium' },
  },
  {
    name: 'postgresql',
    variable: 'MARU_HAS_POSTGRES',
    commands: ['postgres'],
    // Debian keeps the server out of PATH, one folder per version.
    folders: { parent: '/usr/lib/postgresql', child: 'bin' },
    packages: { [APT]: 'postgresql', dnf: 'postgresql-server', apk: 'postgresql', brew: 'postgresql' },
  },
]

/**
 * Looks for the programs, installs those that tests need where that needs no asking, and gives the variables that tell
 * tests what there is. Never fails: what cannot be had is named, with what to type.
 * @param {import('./command.mjs').House} house
 * @returns {Promise<Record<string, string>>}
 */
export async function providePrograms(house) {
  const wanted = programs.filter(({ variable }) => process.env[variable] === undefined)
  const missing = wanted.filter((program) => program.neededBy !== undefined && findProgram(program) === undefined)
  if (missing.length > 0) await installPrograms(house, missing)
  /** @type {Record<string, string>} */
  const found = {}
  for (const program of wanted) found[program.variable] = (await findWorking(house, program)) ?? ''
  return found
}

/**
 * How to install the missing programs here: commands to run, or a line to show a person.
 * @param {readonly Program[]} missing
 * @param {{ managers: readonly string[], rights: 'root' | 'sudo' | 'none' }} situation
 * @returns {{ commands: string[][] } | { advice: string }}
 */
export function planPrograms(missing, { managers, rights }) {
  const names = missing.map(({ name }) => name).join(', ')
  const manager = managers.find((candidate) => missing.every(({ packages }) => packages[candidate] !== undefined))
  if (manager === undefined) return { advice: `install ${names} to run the tests that use them` }
  const packages = missing.flatMap((program) => program.packages[manager] ?? [])
  const commands = managerCommands(manager, packages)
  if (manager === 'brew' || rights === 'none') {
    const sudo = manager === 'brew' ? '' : 'sudo '
    return { advice: `for the tests that use them, type: ${sudo}${commands.at(-1)?.join(' ')}` }
  }
  return { commands: rights === 'sudo' ? commands.map((command) => ['sudo', '-n', ...command]) : commands }
}

/**
 * @param {import('./command.mjs').House} house
 * @param {Program[]} missing
 */
async function installPrograms(house, missing) {
  const names = missing.map(({ name }) => name).join(', ')
  const managers = [APT, 'dnf', 'apk', 'brew'].filter((manager) => findInPath(manager) !== undefined)
  const plan = planPrograms(missing, { managers, rights: await findRights() })
  if ('advice' in plan) {
    house.say(`not here: ${names}; ${plan.advice}`)
    return
  }
  await withLock(house, async () => {
    if (missing.every((program) => findProgram(program) !== undefined)) return
    house.say(`installing ${names} for the tests that use them`)
    for (const [program = '', ...args] of plan.commands) {
      const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
      const { code, output } = await runQuietly(program, args, { env, timeout: INSTALL_TIMEOUT_MS })
      if (code === 0) continue
      house.say(output.trimEnd())
      house.say(
        `could not install ${names}: "${[program, ...args].join(' ')}" failed; the tests that use them will skip`,
      )
      return
    }
  })
}

/**
 * @param {string} manager
 * @param {string[]} packages
 * @returns {string[][]}
 */
function managerCommands(manager, packages) {
  if (manager === APT) {
    const quick = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=20']
    return [
      [APT, 'update', '-q', ...quick],
      [APT, 'install', '-y', '-q', '--no-install-recommends', ...packages],
    ]
  }
  if (manager === 'apk') return [['apk', 'add', ...packages]]
  return [[manager, 'install', ...(manager === 'dnf' ? ['-y'] : []), ...packages]]
}

/** Passwordless sudo is used on CI machines only: on a person's own it would install without being asked. */
async function findRights() {
  if (process.getuid?.() === 0) return 'root'
  if (process.env['CI'] !== 'true') return 'none'
  return (await runQuietly('sudo', ['-n', 'true'])).code === 0 ? 'sudo' : 'none'
}

/**
 * @param {import('./command.mjs').House} house
 * @param {Program} program
 */
async function findWorking({ say }, program) {
  const path = findProgram(program)
  if (path === undefined || program.probe === undefined) return path
  const { code, output } = await runQuietly(path, program.probe, { timeout: 10_000 })
  if (code === 0) return path
  say(`${program.name} is here but does not work (${output.trim().split('\n')[0]}): ${program.neededBy} will skip`)
  return undefined
}

/**
 * @param {Program} program
 * @returns {string | undefined}
 */
function findProgram({ commands, folders }) {
  for (const command of commands) {
    const path = findInPath(command)
    if (path !== undefined) return path
  }
  if (folders === undefined || !existsSync(folders.parent)) return undefined
  // Newest version first.
  const versions = readdirSync(folders.parent).sort((a, b) => Number(b) - Number(a))
  return versions
    .flatMap((version) => commands.map((command) => join(folders.parent, version, folders.child, command)))
    .find(isExecutable)
}

/** @param {string} command */
function findInPath(command) {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.map((folder) => join(folder, command)).find(isExecutable)
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // Not there, or not for us: both mean that we cannot use it.
    return false
  }
}

/**
 * @typedef {{
 *   name: string,
 *   variable: string,
 *   commands: string[],
 *   folders?: { parent: string, child: string },
 *   probe?: string[],
 *   packages: Record<string, string>,
 *   neededBy?: string,
 * }} Program
 */
