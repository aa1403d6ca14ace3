import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Json, Permit, ToolResult } from '@maru/protocol'
import { bundleNodeScript, linesOf, type NodeScript } from '@maru/testkit'
import { probeSandbox } from '../../src/sandbox/probe-sandbox.ts'
import type { SandboxState } from '../../src/sandbox/sandbox.ts'

/** A workspace whose commands are held, in a process that runs as one user. */
export interface Held {
  readonly base: string
  readonly root: string
  readonly home: string
  readonly maruHome: string
  /** The process that runs the tools. */
  readonly process: ChildProcessWithoutNullStreams
  put(path: string, content?: string): string
  /** Gives everything to the user that runs the tools. */
  own(): void
  call(name: string, args: Json, more?: { permit?: Permit; interrupt?: boolean }): Promise<ToolResult>
  /** Runs a line. */
  run(command: string, more?: { permit?: Permit; interrupt?: boolean }): Promise<ToolResult>
  state(): Promise<SandboxState>
  dispose(): Promise<void>
}

/** Who runs them: ourselves, and where that is root, somebody who may do nothing. */
export const USERS: User[] = process.getuid?.() === 0 ? ['own', 'nobody'] : ['own']
export type User = 'own' | 'nobody'

const NOBODY = 65_534

let script: Promise<NodeScript> | undefined
const loadScript = () => {
  script ??= bundleNodeScript(fileURLToPath(new URL('scripts/run-held.ts', import.meta.url)))
  return script
}

/** Why tests that need a sandbox cannot run here, if that is so. Said in plain sight, never passed over. */
export async function whyNoSandbox(): Promise<string | undefined> {
  const { level, detail = '' } = await probeSandbox({ roots: [], maruHome: '/nonexistent', isFresh: true })
  return level === 'full' ? undefined : `this machine has no bwrap that works: ${level} ${detail}`
}

export async function openHeld(user: User): Promise<Held> {
  // Not in the temporary directory: what a command sees of that is its own.
  const base = realpathSync(mkdtempSync(join(process.getuid?.() === 0 ? '/var/lib' : homedir(), 'maru-test-')))
  chmodSync(base, 0o755)
  const [root, home, maruHome] = ['repo', 'home', 'maru-home'].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ]
  for (const directory of [root, home, maruHome]) mkdirSync(directory)
  const bundled = await loadScript()
  chmodSync(dirname(bundled.path), 0o755)
  const put = (path: string, content = '') => {
    const full = join(path.startsWith('~/') ? home : root, path.replace(/^~\//, ''))
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, content)
    own()
    return full
  }
  const own = () => {
    if (user === 'nobody') execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, base])
  }
  put('~/.ssh/id_ed25519', 'PRIVATE KEY\n')
  put('~/.npmrc', '//registry/:_authToken=TOKEN\n')
  put('~/plain.txt', 'plain\n')
  writeFileSync(join(base, 'outside.txt'), 'as it was\n')
  own()
  let child: ReturnType<typeof begin> | undefined
  const begin = () => {
    const words = [process.execPath, bundled.path, root, home, maruHome]
    const [program = '', ...args] =
      user === 'nobody' ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', ...words] : words
    const process_ = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, HOME: home },
      cwd: '/',
    })
    process_.stderr.pipe(process.stderr)
    return { process: process_, lines: linesOf(process_) }
  }
  const ask = async (call: object): Promise<unknown> => {
    child ??= begin()
    child.process.stdin.write(`${JSON.stringify(call)}\n`)
    const { value, done } = await child.lines.next()
    if (done) throw new Error('the process that runs the tools has ended')
    return JSON.parse(value)
  }
  const call: Held['call'] = async (name, args, more) => (await ask({ name, args, ...more })) as ToolResult
  return {
    base,
    root,
    home,
    maruHome,
    get process() {
      child ??= begin()
      return child.process
    },
    put,
    own,
    call,
    run: (command, more) => call('RunCommand', { command }, more),
    state: async () => (await ask({ name: 'state' })) as SandboxState,
    async dispose() {
      child?.process.stdin.end()
      await new Promise<void>((resolve) => {
        if (!child || child.process.exitCode !== null || child.process.signalCode !== null) resolve()
        else child.process.once('exit', () => resolve())
      })
      rmSync(base, { recursive: true, force: true })
    },
  }
}

/** A repository with one commit. */
export function makeRepository(held: Held, user: User): void {
  held.put('a.txt', 'a\n')
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'safe.directory=*', '-C', held.root, ...args], { stdio: 'ignore', env: GIT_ENVIRONMENT })
  git('init', '-q', '-b', 'main')
  git('config', 'user.email', 'someone@example.com')
  git('config', 'user.name', 'Someone')
  git('add', '-A')
  git('commit', '-qm', 'first')
  if (user === 'nobody') execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, held.base])
}

const GIT_ENVIRONMENT = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
