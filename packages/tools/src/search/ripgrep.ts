import { type ChildProcess, spawn } from 'node:child_process'
import { openScratch, type Scratch } from './scratch.ts'

export interface RipgrepOptions {
  /** The program; `undefined` where there is none for this machine. */
  readonly program: string | undefined
  /** A directory that stays what it is: one that a workspace has lent. */
  readonly cwd: string
  readonly args: readonly string[]
  /** Rules in the words of `.gitignore` that decide where no file in the tree does. */
  readonly rules: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** More output than this ends it. */
  readonly maxOutput?: number
  /** Told what it prints, piece by piece, while it goes on. */
  onOutput(bytes: Buffer): void
}

/** Why a search ended before its end. */
export type Stop = 'timeout' | 'abort' | 'flood'

/** `unusable`: there is no ripgrep here that works. `refused`: it did not like its arguments, in its own words. */
export type RipgrepEnd =
  | { kind: 'ended'; unreadable: number; stop?: Stop }
  | { kind: 'refused'; words: string }
  | { kind: 'unusable'; why: string }

const MAX_OUTPUT = 32 * 1024 * 1024
const WATCH_MS = 30
const MAX_WORDS = 4_000

/**
 * What keeps ripgrep to the tree and to itself: no configuration, no program of others, no rules from outside the root,
 * no links followed; and no memory maps, with which a file cut short meanwhile would end it.
 */
const ALWAYS = [
  ...['--no-config', '--no-pre', '--no-search-zip', '--no-follow', '--no-mmap', '--color=never'],
  ...['--no-ignore-global', '--no-ignore-parent', '--no-ignore-exclude', '--no-ignore-messages', '--no-require-git'],
  ...['--hidden', '--glob=!.git'],
]

/** Runs ripgrep in a lent directory, with an empty environment and no input. Never rejects for what it does. */
export async function runRipgrep(options: RipgrepOptions): Promise<RipgrepEnd> {
  if (options.program === undefined) return { kind: 'unusable', why: 'there is none for this platform' }
  if (options.signal.aborted) return { kind: 'ended', unreadable: 0, stop: 'abort' }
  let output: Scratch | undefined
  let rules: Scratch | undefined
  try {
    // A pipe would wake us for every file that ripgrep has something to say of, which costs more than the search; this we
    // look at now and then.
    output = openScratch()
    rules = openScratch(options.rules)
    return await collect(start(options.program, options, { output, rules }), options, output)
  } catch (error) {
    if (error instanceof Error && 'code' in error) return { kind: 'unusable', why: String(error.code) }
    throw error
  } finally {
    output?.close()
    rules?.close()
  }
}

function start(program: string, { args, cwd }: RipgrepOptions, { output, rules }: Record<'output' | 'rules', Scratch>) {
  const rulesFile = process.platform === 'linux' ? '/proc/self/fd/3' : '/dev/fd/3'
  return spawn(program, [...ALWAYS, `--ignore-file=${rulesFile}`, ...args, '--', './'], {
    cwd,
    env: {},
    stdio: ['ignore', output.fd, 'pipe', rules.fd],
  })
}

async function collect(child: ChildProcess, options: RipgrepOptions, output: Scratch): Promise<RipgrepEnd> {
  const { signal, timeoutMs, maxOutput = MAX_OUTPUT, onOutput } = options
  let room = maxOutput
  let stop: Stop | undefined
  const end = (why: Stop) => {
    stop ??= why
    child.kill('SIGKILL')
  }
  const readOn = () => {
    const bytes = output.readOn(room)
    room -= bytes.length
    if (bytes.length > 0) onOutput(bytes)
    if (room === 0) end('flood')
  }
  const onAbort = () => end('abort')
  const timer = setTimeout(() => end('timeout'), timeoutMs)
  const watch = setInterval(readOn, WATCH_MS)
  signal.addEventListener('abort', onAbort, { once: true })
  const complaints = listen(child)
  const exit = await exitOf(child)
  clearTimeout(timer)
  clearInterval(watch)
  signal.removeEventListener('abort', onAbort)
  if (typeof exit === 'string') return { kind: 'unusable', why: exit }
  readOn()
  return verdictOn(exit, { ...complaints(), stop })
}

type Exit = { code: number | null; signal: NodeJS.Signals | null }
type Complaints = { words: string; unreadable: number }

function verdictOn(
  { code, signal }: Exit,
  { words, unreadable, stop }: Complaints & { stop: Stop | undefined },
): RipgrepEnd {
  if (stop) return { kind: 'ended', unreadable, stop }
  if (code === null || code > 2) return { kind: 'unusable', why: signal ?? `exit code ${code}` }
  if (/os error 28\b/.test(words)) return { kind: 'unusable', why: 'ENOSPC' }
  // 0: found, 1: nothing found, 2: an error, be it in the arguments or with some file.
  if (unreadable > 0 || words === '') return { kind: 'ended', unreadable }
  return code === 2 ? { kind: 'refused', words } : { kind: 'unusable', why: words }
}

// Complaints about files name them: they are counted, never shown, as they may name what is outside.
function listen(child: ChildProcess): () => Complaints {
  let words = ''
  let unreadable = 0
  let rest = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (words.length < MAX_WORDS) words += text
    const lines = (rest + text).split('\n')
    rest = (lines.pop() ?? '').slice(-1_000)
    unreadable += lines.filter((line) => / \(os error \d+\)$/.test(line)).length
  })
  return () => ({ words, unreadable })
}

function exitOf(child: ChildProcess): Promise<Exit | string> {
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
}
