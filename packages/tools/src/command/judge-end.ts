import { constants } from 'node:os'
import type { Diagnostic, ToolResult } from '@maru/protocol'
import { failure } from '../refusal.ts'
import { MAX_TIMEOUT_SEC } from '../specs.ts'
import type { NotStarted, ProcessEnd } from './start-process.ts'

/** How a command ended, as a result without its output. */
export function judgeEnd(end: ProcessEnd, timeoutSec: number): ToolResult {
  const verdict = judgeKind(end, timeoutSec)
  if (!end.notes?.length) return verdict
  const isBroken = end.notes.some(({ code }) => code === 'protected')
  return {
    ...verdict,
    ok: verdict.ok && !isBroken,
    diagnostics: [...(verdict.diagnostics ?? []), ...end.notes],
  }
}

function judgeKind(end: ProcessEnd, timeoutSec: number): ToolResult {
  switch (end.kind) {
    case 'ended':
      return { ok: end.exit === 0, exit: end.exit, ...(end.leftProcesses && { diagnostics: [LEFT_PROCESSES] }) }
    case 'killed':
      return {
        ok: false,
        exit: 128 + constants.signals[end.signal],
        diagnostics: [
          { code: 'killed', message: `The command was ended by ${end.signal}.` },
          ...(end.leftProcesses ? [LEFT_PROCESSES] : []),
        ],
      }
    case 'stopped':
      return failure(end.why === 'abort' ? STOPPED : timedOut(timeoutSec))
    case 'not-held':
      return failure(NOT_HELD)
    default:
      return end satisfies never
  }
}

const LEFT_PROCESSES: Diagnostic = {
  code: 'left-processes',
  message: 'The command left processes running; they were ended with it.',
  hint: 'To keep a server running, run it itself with background: true, without & or nohup.',
}

/** Why a command that was to be held has not run. */
export const NOT_HELD: Diagnostic = {
  code: 'sandbox-failed',
  message: 'The sandbox could not be set up; the command was not run.',
  hint: 'Try once more: the sandbox is looked at anew, and the user is asked where there is none.',
}

const STOPPED: Diagnostic = {
  code: 'interrupted',
  message: 'The command was interrupted and ended with all its processes; what it had done by then stays.',
}

function timedOut(seconds: number): Diagnostic {
  const hint = `Make it do less, give a longer timeoutSec (at most ${MAX_TIMEOUT_SEC}), or use background: true.`
  return { code: 'timeout', message: `Not done after ${seconds} s; ended with all its processes.`, hint }
}

/** Why a program was never started. */
export function judgeStart(program: string, { code }: NotStarted): ToolResult {
  if (code === 'ENOENT') {
    const hint = 'Check its name; shell syntax and built-ins need command instead of exe.'
    return failure({ code: 'no-program', message: `There is no program ${program}.`, hint })
  }
  if (code === 'E2BIG') {
    return failure({ code: 'too-long', message: 'The command line is too long.', hint: 'Write a file and run that.' })
  }
  return failure({ code: 'not-started', message: `${program} could not be started (${code}).` })
}
