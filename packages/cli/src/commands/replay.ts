import { takeFinished, transcript } from '@maru/protocol'
import { type Damage, type Scanned, salvage } from '@maru/store'
import { CliError } from '../cli-error.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { findLog } from '../replay/find-log.ts'
import { renderEntry } from '../replay/render-entry.ts'
import { printable } from '../terminal/printable.ts'

export const replay = defineCommand({
  usage: ['replay FILE|ID'],
  details: 'replay.details',
  options: { verify: { kind: 'flag', summary: 'option.verify' } },
  positionals: [{ name: 'FILE|ID' }],
  async run(invocation): Promise<ExitCode> {
    const { positionals, t } = invocation
    const path = await findLog(positionals[0] ?? '', invocation)
    const shown = printable(path)
    if (invocation.options.verify) return verify(path, invocation)
    const { facts, damaged, first, torn } = await showLog(path, invocation)
    if (facts === 0 && damaged === 0 && !torn) await invocation.notice(t('replay.empty', { path: shown }))
    if (torn) await invocation.notice(t('replay.torn', { path: shown, problem: torn.problem }))
    if (damaged === 0) return invocation.signal.aborted ? EXIT.interrupted : EXIT.done
    const details = first.map(({ line, problem }) => t('replay.damage', { line, path: shown, problem }))
    throw new CliError('log-damaged', t('replay.damaged', { path: shown, count: damaged }), { details })
  },
})

async function verify(path: string, { json, stdout, t }: Invocation): Promise<ExitCode> {
  // The engine and the adapters are loaded only here: looking at a log needs neither.
  const { verifyLog } = await import('../replay/verify-log.ts')
  const found = await verifyLog(path)
  if ('message' in found) {
    throw new CliError(
      'verify-failed',
      t('replay.differs', { path: printable(path), seq: found.seq, message: found.message }),
    )
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

async function showLog(path: string, invocation: Invocation): Promise<Seen> {
  const { stdout, signal, t } = invocation
  const printer = invocation.json ? jsonPrinter() : textPrinter(invocation, path)
  const seen: Seen = { facts: 0, damaged: 0, first: [] }
  try {
    for await (const batch of salvage(path)) {
      for (const item of batch) note(seen, item)
      const text = printer.print(batch)
      if (text !== '') await stdout.write(text)
      if (signal.aborted) return seen
    }
    await stdout.write(printer.rest())
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    throw new CliError('unreadable', t('replay.unreadable', { path: printable(path), reason: message }), {
      cause: error,
    })
  }
  return seen
}

function note(seen: Seen, item: Scanned): void {
  if ('record' in item) seen.facts++
  else if (item.damage.kind === 'torn') seen.torn = item.damage
  else if (++seen.damaged <= DETAILS) seen.first.push(item.damage)
}

interface Printer {
  print(batch: Scanned[]): string
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
