import type { MessageEntry } from '@maru/protocol'
import { printable } from '../../terminal/printable.ts'
import { displayWidth } from '../../terminal/width.ts'
import {
  aboutMessage,
  headRows,
  isAttached,
  isSaid,
  isWorthShowing,
  noteLine,
  roleOf,
  stepArguments,
  stepLine,
  stepOutput,
} from './describe.ts'
import type { Exported } from './exported.ts'
import { cleanText, wholeText } from './whole-text.ts'

/** Plain text, for reading and for programs that know nothing else. */
export async function* writeText(exported: Exported): AsyncGenerator<string, void> {
  const { head, hasMetadata, entries, t } = exported
  const title = printable(head.title.replaceAll(/\s+/g, ' ').trim()) || t('export.untitled')
  yield `${title}\n${'='.repeat(Math.min(80, displayWidth(title)))}\n`
  if (hasMetadata)
    yield `\n${headRows(exported)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join('')}`
  let role: string | undefined
  for await (const entry of entries) {
    if (!isWorthShowing(entry, hasMetadata)) continue
    if (entry.kind === 'note') {
      yield `\n-- ${noteLine(entry, exported)}\n`
      role = undefined
      continue
    }
    if (hasMetadata) yield `\n[${roleOf(entry, exported)} · ${aboutMessage(entry, exported)}]\n`
    else if (entry.role !== role) yield `\n[${roleOf(entry, exported)}]\n`
    role = entry.role
    yield* writeMessage(entry, exported)
  }
}

async function* writeMessage(entry: MessageEntry, exported: Exported): AsyncGenerator<string, void> {
  for (const part of entry.parts) {
    if (isAttached(part)) yield `[${printable(part.type === 'file' ? part.name : part.mediaType)}]\n`
    if (!isSaid(part)) continue
    yield* cleanText(wholeText(part, exported))
    yield '\n'
  }
  if (!exported.hasMetadata) return
  for (const step of entry.steps) {
    yield `[tool] ${stepLine(step, exported)}\n${indented(stepArguments(step, entry, exported))}`
    const output = stepOutput(step, exported)
    if (output !== '') yield `  →\n${indented(output)}`
  }
}

function indented(text: string): string {
  return `${text.replace(/\n$/, '').replaceAll(/^/gm, '  ')}\n`
}
