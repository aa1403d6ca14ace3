import { lstatSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Diagnostic } from '@maru/protocol'
import { bwrapArguments, type Confinement, onStageArguments } from './bwrap-arguments.ts'
import { findProgram } from './find-program.ts'
import { findSockets } from './find-sockets.ts'
import { FORWARDER, proxyVariables } from './forwarder.ts'
import { findHiddenPlaces } from './hidden-places.ts'
import type { HostProxy } from './host-proxy.ts'
import { bashPrelude, defaultLimits, LEFT_VARIABLE, launchScript } from './launch-script.ts'
import { type ProtectedWatch, watchProtected } from './protected-watch.ts'
import type { ConfinedCommand, Held, NotConfined, PlainCommand, SandboxOptions, SandboxReport } from './sandbox.ts'
import { makeSessionDirectory, type SessionDirectory, STAND_IN, writeUsers } from './session-directory.ts'
import { createStages, type Stages } from './stages.ts'
import { createStatuses, type Statuses } from './statuses.ts'
import { findSystemProgram } from './system-program.ts'

export interface LinuxSandboxFound {
  readonly level: 'full' | 'shared-proc'
  readonly isSealed: boolean
  readonly bwrap: string
  /** Told when it could not be set up after all. */
  onFailure(): void
}

/** What all commands of a session share. */
interface Session {
  readonly directory: SessionDirectory
  readonly watch: ProtectedWatch
  readonly stages: Stages | undefined
  readonly statuses: Statuses
  readonly isRoot: boolean
  readonly script: string
  /** What decides what they see, as far as it stays the same. */
  readonly fixed: Pick<Confinement, 'session' | 'temporaryPlaces' | 'emptied' | 'user' | 'isRoot' | 'shown'>
}

/** Commands held by bubblewrap. */
export function createLinuxSandbox(options: SandboxOptions, found: LinuxSandboxFound): Held {
  let session: Session | undefined
  let running = 0
  let count = 0
  const open = () => {
    session ??= openSession(options, found)
    return session
  }
  const check = (rightful: readonly string[] = []): Diagnostic[] => {
    const moved = open().watch.moveAway(rightful)
    if (!moved) return []
    options.onNotice?.({ kind: 'moved-away', ...moved })
    return [movedAway(moved)]
  }
  const confinementOf = ({ watch, fixed, directory }: Session): Confinement => ({
    ...fixed,
    level: found.level,
    isSealed: found.isSealed,
    roots: options.roots,
    protectedPlaces: watch.places(),
    hiddenPlaces: [
      ...findHiddenPlaces({ ...options, isRoot: fixed.isRoot }),
      ...findSockets(),
      // In it are the ways out of other commands.
      { path: directory.path, isDirectory: true, identity: 'own' },
    ],
    network: 'own',
  })
  return {
    async confine(command): Promise<ConfinedCommand | NotConfined> {
      const opened = open()
      const { directory, watch, fixed } = opened
      const program = findProgram(command, { directory, temporaryPlaces: fixed.temporaryPlaces })
      if (typeof program !== 'string') return { kind: 'not-started', code: program.code }
      // What appears while nothing runs is the user's. Otherwise it may be that of a command in the background.
      if (running === 0) watch.adopt()
      else check()
      const number = ++count
      const { environment } = options
      const way = await findWay(command, confinementOf(opened), { opened, bwrap: found.bwrap, number, environment })
      const status = opened.statuses.take(number)
      running++
      const launch = launchWords({ ...command, program }, way, opened)
      const line = [
        ...way.words,
        '--json-status-fd',
        '3',
        '--chdir',
        realpathSync.native(command.cwd),
        '--',
        ...launch.words,
      ]
      return {
        kind: 'confined',
        program: line[0] ?? '',
        argv: line.slice(1),
        cwd: '/',
        env: {
          ...environmentInside(command.env, opened.isRoot),
          ...way.variables,
          ...launch.variables,
          [LEFT_VARIABLE]: status.leftInside,
        },
        files: [status.file],
        async settle({ isForced }): Promise<SandboxReport> {
          running--
          const { exit = isForced ? 'as-seen' : 'never-started', leftProcesses } = status.read()
          way.proxy?.close()
          if (exit === 'never-started') found.onFailure()
          const refused = [...(way.proxy?.refused ?? [])]
          const diagnostics = [...(refused.length > 0 ? [refusedHosts(refused)] : []), ...check()]
          return { exit, leftProcesses, diagnostics }
        },
      }
    },
    async adopt(paths) {
      if (paths === undefined) session?.watch.adopt()
      // While nothing runs there is nobody to tell it from.
      else if (running > 0) check(paths)
    },
    async warm() {
      const opened = open()
      if (running === 0) opened.watch.adopt()
      await findStage(confinementOf(opened), opened)
    },
    async close() {
      session?.statuses.close()
      // First what is mounted from it, while its keeper lives: the kernel takes long to forget a namespace.
      session?.directory.remove()
      session?.stages?.close()
      session = undefined
    },
  }
}

// A shell that is to run a line reads what is to be done first by itself; any other program is started by one that does.
function launchWords(
  { program, argv }: PlainCommand,
  { before }: Way,
  { script }: Session,
): { words: readonly string[]; variables: Record<string, string> } {
  const isLine =
    program === '/bin/bash' && before.length === 0 && argv.slice(0, 3).join(' ') === '--noprofile --norc -c'
  if (isLine) return { words: [program, ...argv], variables: { BASH_ENV: LAUNCH_INSIDE } }
  return { words: ['/bin/sh', '-c', script, 'sh', ...before, program, ...argv], variables: {} }
}

const LAUNCH_INSIDE = '/run/maru-launch'

// Sockets of other programs live there. The last ones are daemons that would do for anybody what only root may.
const WITH_SOCKETS = [
  ...['/run', '/var/run', '/mnt/wsl', '/nix/var/nix/daemon-socket', '/var/snap/lxd', '/var/lib/lxd', '/var/lib/incus'],
  ...['/usr/local/var/run', '/var/lib/libvirt'],
]

function openSession(options: SandboxOptions, { level, bwrap }: LinuxSandboxFound): Session {
  const isRoot = process.getuid?.() === 0
  const directory = makeSessionDirectory(options.roots)
  const launch = { limits: defaultLimits(), seesOwnProcesses: level === 'full' }
  writeFileSync(directory.launch, bashPrelude(launch), { mode: 0o444 })
  const nsenter = findSystemProgram('nsenter', options)
  return {
    directory,
    watch: watchProtected({ roots: options.roots, quarantine: join(options.maruHome, 'moved-away') }),
    stages: nsenter === undefined ? undefined : createStages({ bwrap, nsenter }),
    statuses: createStatuses(directory),
    isRoot,
    script: launchScript(launch),
    fixed: {
      session: directory,
      temporaryPlaces: ['/tmp', '/var/tmp'].filter(isDirectory),
      emptied: WITH_SOCKETS.filter(isDirectory),
      user: isRoot ? STAND_IN : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
      isRoot,
      shown: [
        ['/run/current-system', '/run/current-system'],
        [directory.launch, LAUNCH_INSIDE],
        ...(isRoot ? writeUsers(directory, options.home) : []),
      ],
    },
  }
}

function isDirectory(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** How a command gets to the hosts that it may reach, or to none. */
interface Way {
  /** Bubblewrap with all its options, and what stands before it. */
  readonly words: readonly string[]
  /** What stands before the command, inside. */
  readonly before: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly proxy?: HostProxy
}

interface WayOptions {
  readonly opened: Session
  readonly bwrap: string
  readonly number: number
  readonly environment: SandboxOptions['environment']
}

async function findWay({ hosts }: PlainCommand, confinement: Confinement, options: WayOptions): Promise<Way> {
  const { opened, bwrap, number, environment } = options
  const { shown } = confinement
  if (hosts.includes('*')) {
    const words = bwrapArguments({ ...confinement, network: 'as-started', shown: [...shown, ...resolverFiles()] })
    return { words: [bwrap, ...words], before: [], variables: userProxy(environment) }
  }
  if (hosts.length > 0) {
    // A network of its own: what other commands of the session run must not get out by this one's leave.
    const socket = join(opened.directory.sockets, String(number))
    // Most commands reach nobody.
    const { startHostProxy } = await import('./host-proxy.ts')
    const proxy = await startHostProxy({ socket, hosts, environment })
    const words = bwrapArguments({ ...confinement, shown: [...shown, [socket, PROXY_INSIDE]] })
    const before = [process.execPath, '-e', FORWARDER, '--', PROXY_INSIDE]
    return { words: [bwrap, ...words], before, variables: proxyVariables(), proxy }
  }
  const enter = await findStage(confinement, opened)
  const words = enter ? [...enter, bwrap, ...onStageArguments(confinement)] : [bwrap, ...bwrapArguments(confinement)]
  return { words, before: [], variables: {} }
}

const PROXY_INSIDE = '/run/maru-proxy'

// Where a file was replaced, the mount on it is gone: then it is another stage, though its words are the same.
async function findStage(confinement: Confinement, { stages }: Session): Promise<readonly string[] | undefined> {
  const { hiddenPlaces, protectedPlaces } = confinement
  const places = [...hiddenPlaces, ...protectedPlaces].map(({ path, identity }) => `${path} ${identity}`)
  return stages?.enter(confinement, places.join('\n'))
}

// Where names are resolved by a file below /run.
function resolverFiles(): (readonly [from: string, to: string])[] {
  try {
    const real = realpathSync.native('/etc/resolv.conf')
    return real.startsWith('/run/') ? [[real, real]] : []
  } catch {
    return []
  }
}

const PROXY_NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY']

function userProxy(environment: SandboxOptions['environment']): Record<string, string> {
  const names = PROXY_NAMES.flatMap((name) => [name, name.toLowerCase()])
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name]
      return value === undefined || value.includes('@') ? [] : [[name, value]]
    }),
  )
}

// The home is read-only: caches go where writing is. A proxy of the user's is out of reach.
function environmentInside(env: Readonly<Record<string, string>>, isRoot: boolean): Record<string, string> {
  const dropped = new Set(['TMP', 'TEMP', ...PROXY_NAMES, ...PROXY_NAMES.map((name) => name.toLowerCase())])
  const kept = Object.entries(env).filter(([name]) => !dropped.has(name))
  return {
    ...Object.fromEntries(kept),
    ...(isRoot && { USER: 'maru', LOGNAME: 'maru' }),
    TMPDIR: '/tmp',
    XDG_CACHE_HOME: '/tmp/.cache',
    npm_config_update_notifier: 'false',
    npm_config_logs_max: '0',
    GRADLE_OPTS: '-Dorg.gradle.daemon=false',
  }
}

function movedAway({ paths, place }: { paths: readonly string[]; place: string }): Diagnostic {
  const shown = paths.slice(0, 5).join(', ') + (paths.length > 5 ? ` and ${paths.length - 5} more` : '')
  return {
    code: 'protected',
    message: `The sandbox does not let a command make ${shown}: such files run code or give orders by themselves. Moved away to ${place}.`,
    hint: 'Do without, or write it with WriteFile, so that the user can decide.',
  }
}

function refusedHosts(hosts: readonly string[]): Diagnostic {
  const hint = 'Ask the user to allow it; do not try another way.'
  return { code: 'network-refused', message: `The sandbox did not let the command reach ${hosts.join(', ')}.`, hint }
}
