import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bwrapArguments, type Confinement } from './bwrap-arguments.ts'
import type { SandboxState } from './sandbox.ts'
import { findSystemProgram } from './system-program.ts'

export interface ProbeOptions {
  readonly roots: readonly string[]
  /** Where the answer is remembered. */
  readonly maruHome: string
  /** Where the system keeps its programs; for tests. */
  readonly directories?: readonly string[]
  /** Try it, whatever is remembered. */
  readonly isFresh?: boolean
}

const LIMIT_MS = 10_000

/** Finds what holds on this machine by running it: from the most that could be to nothing. */
export async function probeSandbox(options: ProbeOptions): Promise<SandboxState> {
  if (process.platform !== 'linux') return { level: 'none', reason: 'unsupported' }
  const { roots, directories } = options
  const program = findSystemProgram('bwrap', { roots, ...(directories && { directories }) })
  if (program === undefined) return { level: 'none', reason: 'missing' }
  const memory = join(options.maruHome, 'sandbox.json')
  const key = keyOf(program)
  const remembered = options.isFresh ? undefined : recall(memory, key)
  if (remembered) return { ...remembered, program }
  let detail = ''
  for (const step of LADDER) {
    const said = await tryStep(program, step)
    if (said === undefined) {
      remember(memory, { key, ...step })
      return { ...step, program }
    }
    detail ||= said
  }
  return { level: 'none', reason: 'refused', program, detail }
}

/** Forgets an answer that turned out to be wrong. */
export function forgetProbe(maruHome: string): void {
  rmSync(join(maruHome, 'sandbox.json'), { force: true })
}

type Step = Pick<Confinement, 'level' | 'isSealed'>

// From the most to the least that may be called a sandbox. An older bubblewrap cannot seal; some containers have no /proc
// to give away.
const LADDER: readonly Step[] = [
  { level: 'full', isSealed: true },
  { level: 'full', isSealed: false },
  { level: 'shared-proc', isSealed: true },
  { level: 'shared-proc', isSealed: false },
]

// With nothing of the user's in it: only whether the system lets it.
function tryStep(program: string, step: Step): Promise<string | undefined> {
  const words = bwrapArguments({
    ...step,
    roots: [],
    protectedPlaces: [],
    hiddenPlaces: [],
    session: { temporary: '/', emptyFile: '/' },
    temporaryPlaces: [],
    emptied: ['/run'],
    network: 'own',
    user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
    isRoot: process.getuid?.() === 0,
    shown: [],
  })
  const options = { cwd: '/', env: { LC_ALL: 'C' }, timeout: LIMIT_MS, killSignal: 'SIGKILL' } as const
  return new Promise((resolve) => {
    execFile(program, [...words, '/bin/sh', '-c', ':'], options, (error, _, stderr) => {
      resolve(error ? stderr.trim().split('\n')[0] || error.message.split('\n')[0] || 'failed' : undefined)
    })
  })
}

type Memory = Step & { key: string }

// Another bubblewrap, another start of the machine or another user may fare otherwise.
function keyOf(program: string): string {
  const { dev, ino, size, mtimeMs } = statSync(program)
  return [program, dev, ino, size, mtimeMs, bootId(), process.getuid?.()].join(' ')
}

function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    // Then nothing is remembered for longer than this moment.
    return String(Math.random())
  }
}

function recall(file: string, key: string): Step | undefined {
  try {
    const memory: Partial<Memory> = JSON.parse(readFileSync(file, 'utf8'))
    if (memory.key !== key) return undefined
    return LADDER.find(({ level, isSealed }) => level === memory.level && isSealed === memory.isSealed)
  } catch {
    // Never asked before, or not readable: it is asked again.
    return undefined
  }
}

function remember(file: string, memory: Memory): void {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const temporary = `${file}.${process.pid}`
    writeFileSync(temporary, JSON.stringify(memory), { mode: 0o600 })
    renameSync(temporary, file)
  } catch {
    // A home that cannot be written: the next start asks again.
  }
}
