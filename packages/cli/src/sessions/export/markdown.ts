import type { Entry, MessageEntry } from '@maru/protocol'
import { printable } from '../../terminal/printable.ts'
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
import { createFenceWatch, fenceFor } from './fences.ts'
import { cleanText, wholeText } from './whole-text.ts'

/** Markdown: what was said is Markdown already, so it stands as it is. */
export async function* writeMarkdown(exported: Exported): AsyncGenerator<string, void> {
  const { head, hasMetadata, entries, t } = exported
  yield `# ${oneLine(head.title) || t('export.untitled')}\n`
  if (hasMetadata)
    yield `\n${headRows(exported)
      .map(([name, value]) => `- ${name}: ${escapeWords(value)}\n`)
      .join('')}`
  let role: string | undefined
  for await (const entry of entries) {
    if (!isWorthShowing(entry, hasMetadata)) continue
    const isSame = !hasMetadata && entry.kind === 'message' && entry.role === role
    role = entry.kind === 'message' ? entry.role : undefined
    if (!isSame) yield heading(entry, exported)
    if (entry.kind === 'message') yield* writeMessage(entry, exported)
  }
}

function heading(entry: Entry, exported: Exported): string {
  if (entry.kind === 'note') return `\n> ${escapeWords(noteLine(entry, exported)).replaceAll('\n', '\n> ')}\n`
  const about = exported.hasMetadata ? `\n\n*${escapeWords(aboutMessage(entry, exported))}*` : ''
  return `\n## ${roleOf(entry, exported)}${about}\n`
}

async function* writeMessage(entry: MessageEntry, exported: Exported): AsyncGenerator<string, void> {
  const { hasMetadata, t } = exported
  for (const part of entry.parts) {
    if (isSaid(part)) yield* writeSaid(part, exported)
    else if (isAttached(part)) yield `\n*[${escapeWords(part.type === 'file' ? part.name : part.mediaType)}]*\n`
    else if (part.type === 'reasoning' && hasMetadata) {
      const text = printable(part.text, { keepLines: true })
      if (text !== '') yield `\n> *${t('replay.thinking')}*\n>\n> ${text.replaceAll('\n', '\n> ')}\n`
    }
  }
  if (!hasMetadata) return
  for (const step of entry.steps) {
    yield `\n**[tool] ${escapeWords(stepLine(step, exported))}**\n`
    yield block(stepArguments(step, entry, exported), 'json')
    const output = stepOutput(step, exported)
    if (output !== '') yield block(output, 'text')
  }
}

async function* writeSaid(part: Parameters<typeof wholeText>[0], exported: Exported): AsyncGenerator<string, void> {
  // A block of code that was never closed would swallow everything behind it.
  const watch = createFenceWatch()
  yield '\n'
  for await (const piece of cleanText(wholeText(part, exported))) {
    watch.feed(piece)
    yield piece
  }
  yield `${watch.closing()}\n`
}

function block(text: string, language: string): string {
  const fence = fenceFor(text)
  return `\n${fence}${language}\n${text}${text.endsWith('\n') ? '' : '\n'}${fence}\n`
}

function oneLine(text: string): string {
  return escapeWords(printable(text.replaceAll(/\s+/g, ' ').trim()))
}

// Signs that would change what follows them. Letters, spaces and ordinary punctuation stay readable.
function escapeWords(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>#]/g, '\\$&')
}
