import { createHash } from 'node:crypto'
import type { MessageEntry } from '@maru/protocol'
import { printable } from '../../terminal/printable.ts'
import {
  type AttachedPart,
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
import { escapeHtml } from './escape-html.ts'
import type { Exported } from './exported.ts'
import { createMarkdownHtml } from './markdown-html.ts'
import { STYLE } from './style.ts'
import { cleanText, readBlob, wholeText } from './whole-text.ts'

/** One page that needs nothing else: no script, no address, the fonts of the system. */
export async function* writeHtml(exported: Exported): AsyncGenerator<string, void> {
  const { head, hasMetadata, entries, t } = exported
  const title = printable(head.title.replaceAll(/\s+/g, ' ').trim()) || t('export.untitled')
  yield pageHead(title, exported)
  if (hasMetadata) {
    const rows = headRows(exported).map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`)
    yield `<dl>${rows.join('')}</dl>\n`
  }
  yield '</header>\n<main>\n'
  for await (const entry of entries) {
    if (!isWorthShowing(entry, hasMetadata)) continue
    if (entry.kind === 'note') yield `<p class="note">${escapeHtml(noteLine(entry, exported))}</p>\n`
    else yield* writeMessage(entry, exported)
  }
  yield '</main>\n</body>\n</html>\n'
}

function pageHead(title: string, { lang }: Exported): string {
  const hash = createHash('sha256').update(STYLE).digest('base64')
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
`
}

async function* writeMessage(entry: MessageEntry, exported: Exported): AsyncGenerator<string, void> {
  const { hasMetadata, t } = exported
  const about = hasMetadata ? ` <span>${escapeHtml(aboutMessage(entry, exported))}</span>` : ''
  yield `<article class="${entry.role}">\n<h2>${escapeHtml(roleOf(entry, exported))}${about}</h2>\n`
  for (const part of entry.parts) {
    if (isSaid(part)) yield* writeSaid(part, exported)
    else if (isAttached(part)) yield* writeAttached(part, exported)
    else if (part.type === 'reasoning' && hasMetadata) {
      const text = printable(part.text, { keepLines: true })
      if (text !== '') yield `<details><summary>${escapeHtml(t('replay.thinking'))}</summary>${pre(text)}</details>\n`
    }
  }
  for (const step of hasMetadata ? entry.steps : []) {
    const output = stepOutput(step, exported)
    yield `<details class="${step.state}"><summary>${escapeHtml(stepLine(step, exported))}</summary>`
    yield `${pre(stepArguments(step, entry, exported))}${output === '' ? '' : pre(output)}</details>\n`
  }
  yield '</article>\n'
}

async function* writeSaid(part: Parameters<typeof wholeText>[0], exported: Exported): AsyncGenerator<string, void> {
  const markdown = createMarkdownHtml()
  for await (const piece of cleanText(wholeText(part, exported))) yield markdown.feed(piece)
  yield markdown.end()
}

const SHOWN_IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
// Three bytes are four signs: pieces of a multiple of three can be put one behind the other.
const PIECE_BYTES = 3 * 16 * 1024

async function* writeAttached(part: AttachedPart, exported: Exported): AsyncGenerator<string, void> {
  const name = escapeHtml(printable(part.type === 'file' ? part.name : part.mediaType))
  if (part.type === 'file' || !SHOWN_IMAGES.has(part.mediaType)) {
    yield `<p class="note">[${name}]</p>\n`
    return
  }
  yield `<p><img alt="[${name}]" src="data:${part.mediaType};base64,`
  for await (const bytes of readBlob(part.blob, exported, PIECE_BYTES)) yield Buffer.from(bytes).toString('base64')
  yield '"></p>\n'
}

function pre(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`
}
