import { takeFinished, transcript } from '@maru/protocol'
import type { Damage } from '@maru/store'
import { CliError } from '../cli-error.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { findSource, type Line, type LogSource } from '../replay/find-source.ts'
import { renderEntry } from '../replay/render-entry.ts'
import { printable } from '../terminal/printable.ts'

export const replay = defineCommand({
  usage: ['replay FILE|ID'],
  details: 'replay.details',
  options: { verify: { kind: 'flag', summary: 'option.verify' } },
  positionals: [{ name: 'FILE|ID' }],
  async run(invocation): Promise<ExitCode> {
    const source = await findSource(invocation.positionals[0] ?? '', invocation)
    try {
      return await (invocation.options.verify ? verify(source, invocation) : show(source, invocation))
    } finally {
      await source.close()
    }
  },
})

async function show(source: LogSource, invocation: Invocation): Promise<ExitCode> {
  const { t, notice, signal } = invocation
  const path = printable(source.path)
  const { facts, damaged, first, torn } = await showLog(source, invocation)
  if (facts === 0 && damaged === 0 && !torn) await notice(t('replay.empty', { path }))
  if (torn) await notice(t('replay.torn', { path, problem: torn.problem }))
  if (damaged === 0) return signal.aborted ? EXIT.interrupted : EXIT.done
  const details = first.map(({ line, problem }) => t('replay.damage', { line, path, problem }))
  throw new CliError('log-damaged', t('replay.damaged', { path, count: damaged }), { details })
}

async function verify(source: LogSource, { json, stdout, t }: Invocation): Promise<ExitCode> {
  const found = await source.verify()
  if ('message' in found) {
    const { seq, message } = found
    throw new CliError('verify-failed', t('replay.differs', { path: printable(source.path), seq, message }))
  }
  await stdout.line(json ? JSON.stringify({ type: 'verified', ...found }) : t('replay.verified', found))
  return EXIT.done
}

const DETAILS = 100

/** What was found in a log, and of its damage only the first: a file of garbage has a great deal of it. */
interface Seen {
  facts: number
  damaged: number
  first: Damage[]
  torn?: Damage
}

async function showLog(source: LogSource, invocation: Invocation): Promise<Seen> {
  const { stdout, signal, t } = invocation
  const printer = invocation.json ? jsonPrinter() : textPrinter(invocation, source.path)
  const seen: Seen = { facts: 0, damaged: 0, first: [] }
  try {
    for await (const batch of source.lines()) {
      for (const item of batch) note(seen, item)
      const text = printer.print(batch)
      if (text !== '') await stdout.write(text)
      if (signal.aborted) return seen
    }
    await stdout.write(printer.rest())
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const said = t('replay.unreadable', { path: printable(source.path), reason: message })
    throw new CliError('unreadable', said, { cause: error })
  }
  return seen
}

function note(seen: Seen, item: Line): void {
  if ('record' in item) seen.facts++
  else if (item.damage.kind === 'torn') seen.torn = item.damage
  else if (++seen.damaged <= DETAILS) seen.first.push(item.damage)
}

interface Printer {
  print(batch: Line[]): string
  /** What was still under way when the log ended. */
  rest(): string
}

// The lines as they stand: what a script reads is what was written, whatever this version makes of it.
function jsonPrinter(): Printer {
  return {
    print(batch) {
      let text = ''
      for (const item of batch) {
        text += 'damage' in item ? JSON.stringify({ type: 'damage', ...item.damage }) : item.text
        text += '\n'
      }
      return text
    },
    rest: () => '',
  }
}

function textPrinter({ t, style, options }: Invocation, path: string): Printer {
  const state = transcript.create()
  const render = { t, style, isVerbose: options.verbose }
  const showDamage = ({ kind, line, problem }: Damage) =>
    kind === 'torn' ? '' : `${style.red(`! ${t('replay.damage', { line, path: printable(path), problem })}`)}\n`
  return {
    print(batch) {
      let text = ''
      for (const item of batch) {
        if ('damage' in item) text += showDamage(item.damage)
        else transcript.apply(state, item.record)
        for (const entry of takeFinished(state)) text += renderEntry(entry, render)
      }
      return text
    },
    rest: () => state.waiting.map((entry) => renderEntry(entry, render)).join(''),
  }
}
