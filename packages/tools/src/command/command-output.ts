import { cutMiddle, TEXT_LIMIT } from '@maru/agent'
import type { Diagnostic, Tool, ToolContext, ToolResult } from '@maru/protocol'
import { badArguments, readArguments } from '../read-arguments.ts'
import { failure, refusal } from '../refusal.ts'
import { specs } from '../specs.ts'
import type { Background, BackgroundCommand } from './background.ts'
import { judgeEnd } from './judge-end.ts'
import { keepOutput, SHOWN_BESIDE_KEPT } from './keep-output.ts'
import type { ProcessEnd } from './start-process.ts'

type Arguments = { id: string; since?: number; stop?: boolean }

// A model that asks again and again costs more than one that waits a moment.
const NEWS_MS = 5_000

/** The tool that reads what a background command has written since, and ends it. It touches only what we started. */
export function createCommandOutput(background: Background): Tool {
  return {
    spec: specs.CommandOutput,
    async prepare(args) {
      const read = readArguments<Arguments>(specs.CommandOutput.schema, args)
      if (!read.ok) return refusal(read.diagnostic)
      const { id, since, stop } = read.args
      return {
        access: [],
        basis: [],
        async run(context) {
          const command = background.find(id)
          if (command === undefined) return failure(unknown(id, background.ids()))
          const from = since ?? command.read
          if (stop === true) await command.stop()
          else await command.news(from, NEWS_MS, context.signal)
          if (from > command.output.whole.length) return failure(badArguments(beyond(command)))
          return tellBackground(command, from, context)
        },
      }
    },
  }
}

/** What a background command has written from an offset on, and how it is doing. */
export async function tellBackground(
  command: BackgroundCommand,
  from: number,
  context: ToolContext,
): Promise<ToolResult> {
  const { end, output } = command
  output.flush()
  const text = output.whole.text(from)
  command.read = output.whole.length
  const kept = text.length > TEXT_LIMIT ? await keepOutput(text, context) : undefined
  const diagnostics = [...(end?.notes ?? []), ...(kept ? [kept.diagnostic] : [])]
  return {
    ok: true,
    ...(end && exitOf(end)),
    data: dataOf(command),
    ...(text !== '' && { stdout: cutMiddle(text, kept ? SHOWN_BESIDE_KEPT : TEXT_LIMIT) }),
    ...(diagnostics.length > 0 && { diagnostics }),
    ...(kept && { parts: [kept.part] }),
  }
}

/** How a background command is doing, in a few words. */
export function dataOf({ id, end, ms, read }: BackgroundCommand): { [name: string]: string | number } {
  return { id, state: stateOf(end), seconds: Math.round(ms / 100) / 10, next: read }
}

function exitOf(end: ProcessEnd): Pick<ToolResult, 'exit'> {
  const { exit } = judgeEnd(end, 0)
  return exit === undefined ? {} : { exit }
}

function stateOf(end: ProcessEnd | undefined): string {
  switch (end?.kind) {
    case undefined:
      return 'running'
    case 'ended':
      return `ended with exit code ${end.exit}${end.leftProcesses ? ', with all the processes it left behind' : ''}`
    case 'killed':
      return `ended by ${end.signal}`
    case 'stopped':
      return end.why === 'timeout' ? 'ended at its timeoutSec' : 'stopped'
    case 'not-held':
      return 'not run: the sandbox could not be set up'
    default:
      return end satisfies never
  }
}

function unknown(id: string, ids: string[]): Diagnostic {
  const known = ids.length > 0 ? `There are ${ids.join(', ')}.` : 'None was started since this session was opened.'
  return { code: 'no-command', message: `There is no background command ${id}.`, hint: known }
}

function beyond({ output }: BackgroundCommand): string {
  return `since is beyond the output, which ends at ${output.whole.length}.`
}
