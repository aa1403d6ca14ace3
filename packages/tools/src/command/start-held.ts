import { constants } from 'node:os'
import type { Diagnostic, Permit } from '@maru/protocol'
import type { ConfinedCommand, Sandbox } from '../sandbox/sandbox.ts'
import { type HintReader, readHints } from '../sandbox/sandbox-hint.ts'
import { type NotStarted, type ProcessEnd, type ProcessOptions, type Running, startProcess } from './start-process.ts'

/** What holds a process, and how far it is let. */
export interface Hold {
  readonly sandbox?: Sandbox
  /** Without one it is held and reaches nobody. */
  readonly permit?: Permit
}

/** It was not started, as it would not have been held. */
export type NotLet = { kind: 'not-let'; diagnostic: Diagnostic }

/** Starts a program inside the sandbox, where there is one and the permit does not let it out. */
export async function startHeld(
  options: ProcessOptions,
  { sandbox, permit }: Hold,
): Promise<Running | NotStarted | NotLet> {
  if (!sandbox) return startProcess(options)
  const { program, argv, cwd, env } = options
  const isHeld = permit?.isConfined ?? true
  const confined = isHeld && (await sandbox.confine({ program, argv, cwd, env, hosts: permit?.hosts ?? [] }))
  if (!confined || confined.kind === 'none') return letOut(await startProcess(options), sandbox)
  if (confined.kind === 'not-started') return confined
  if (confined.kind === 'failed') return { kind: 'not-let', diagnostic: confined.diagnostic }
  const hints = readHints(options.onOutput)
  const running = await startProcess({ ...options, ...confined, onOutput: hints.onOutput, isKeeper: true })
  if (!('kind' in running)) return { ...running, ended: settle(running.ended, confined, hints) }
  await confined.settle({ isForced: true })
  return running
}

// A person has let it out: what it made under protected names is theirs.
function letOut(running: Running | NotStarted, sandbox: Sandbox): Running | NotStarted {
  if ('kind' in running) return running
  const ended = running.ended.then(async (end) => {
    await sandbox.adopt()
    return end
  })
  return { ...running, ended }
}

async function settle(ended: Promise<ProcessEnd>, confined: ConfinedCommand, hints: HintReader): Promise<ProcessEnd> {
  const end = await ended
  const { exit, leftProcesses, diagnostics } = await confined.settle({ isForced: end.kind !== 'ended' })
  if (exit === 'never-started') return { kind: 'not-held', notes: diagnostics }
  const seen = end.kind === 'ended' && typeof exit === 'number' ? endOf(exit, leftProcesses) : end
  const isFailed = seen.kind === 'ended' && seen.exit !== 0
  return { ...seen, notes: [...diagnostics, ...(isFailed && diagnostics.length === 0 ? hints.found() : [])] }
}

const SIGNALS = new Map(
  (
    [
      'SIGSEGV',
      'SIGKILL',
      'SIGABRT',
      'SIGBUS',
      'SIGFPE',
      'SIGILL',
      'SIGTERM',
      'SIGSYS',
      'SIGXFSZ',
      'SIGXCPU',
      'SIGHUP',
    ] as const
  ).map((signal) => [128 + constants.signals[signal], signal]),
)

// Inside, a command that was killed is told by its number alone.
function endOf(exit: number, leftProcesses: boolean): ProcessEnd {
  const signal = SIGNALS.get(exit)
  return signal ? { kind: 'killed', signal, leftProcesses } : { kind: 'ended', exit, leftProcesses }
}
