import { blockStart, type ItemStart, indentOf } from './block-start.ts'
import { escapeHtml } from './escape-html.ts'
import { afterLine } from './fences.ts'
import { inlineHtml } from './inline-html.ts'
import { type Align, readAligns, splitRow } from './table-cells.ts'

/** What is open at the end of a line, and the HTML that nobody has taken yet. */
export interface Blocks {
  html: string
  readonly containers: Container[]
  leaf: Leaf | undefined
  /** A line that may be the first of a table: the next one tells. */
  first: string | undefined
}

/** A list is open together with its last item. */
type Container = { readonly kind: 'quote' } | List

interface List {
  readonly kind: 'list'
  readonly isOrdered: boolean
  readonly sign: string
  readonly indent: number
}

interface Code {
  readonly kind: 'code'
  readonly fence: string
  readonly indent: number
}

type Leaf = { readonly kind: 'paragraph' } | Code | { readonly kind: 'table'; readonly aligns: readonly Align[] }

// Nobody nests deeper, and a page that does cannot be read.
const DEEPEST = 12

export function createBlocks(): Blocks {
  return { html: '', containers: [], leaf: undefined, first: undefined }
}

/** Takes a line, or a stretch of a very long one. */
export function takeStretch(blocks: Blocks, text: string, { isStart, isEnd }: { isStart: boolean; isEnd: boolean }) {
  const { leaf } = blocks
  if (leaf?.kind === 'code') {
    const isCode = isStart ? readCode(blocks, text, leaf) : putCode(blocks, text)
    if (isCode && isEnd) blocks.html += '\n'
  } else if (isStart) readLine(blocks, withoutTabs(text))
  else {
    settleFirst(blocks)
    if (blocks.leaf?.kind === 'paragraph') blocks.html += inlineHtml(text)
    else putWords(blocks, text)
  }
}

/** Nothing comes any more: closes what is open. */
export function endBlocks(blocks: Blocks): void {
  closeTo(blocks, 0)
}

/** Whether the line was code: else it has ended it. */
function readCode(blocks: Blocks, text: string, { fence, indent }: Code): boolean {
  const line = blocks.containers.length === 0 ? text : withoutTabs(text)
  const { rest, depth } = enter(blocks, line)
  if (depth < blocks.containers.length) readLine(blocks, line)
  else if (afterLine(rest, fence) === undefined) closeLeaf(blocks)
  else return putCode(blocks, rest.slice(Math.min(indent, indentOf(rest))))
  return false
}

function putCode(blocks: Blocks, text: string): true {
  blocks.html += escapeHtml(text)
  return true
}

function readLine(blocks: Blocks, line: string): void {
  const { containers, first, leaf } = blocks
  const { rest, depth } = enter(blocks, line)
  const isInside = depth === containers.length
  if (rest.trim() === '') {
    closeTo(blocks, depth)
    return
  }
  const start = blockStart(rest, { isInList: isInList(blocks, depth) })
  if (isInside && start.kind === 'text' && readTable(blocks, rest)) return
  const isOpen = first !== undefined || leaf?.kind === 'paragraph'
  const isWords = start.kind === 'text' || (start.kind === 'item' && isInside && !canInterrupt(start))
  // A paragraph goes on even where the marks of its quote or the blanks of its item are missing.
  if (isOpen && isWords) readWords(blocks, rest)
  else begin(blocks, rest, depth)
}

/** How many of the open containers a line belongs to, and what it says inside them. */
function enter({ containers, leaf }: Blocks, line: string): { rest: string; depth: number } {
  let rest = line
  let depth = 0
  for (const container of containers) {
    const inside =
      container.kind === 'quote' ? insideQuote(rest) : insideItem(rest, container, { isCode: leaf?.kind === 'code' })
    if (inside === undefined) break
    rest = inside
    depth++
  }
  return { rest, depth }
}

function insideQuote(line: string): string | undefined {
  return /^ {0,3}>/.test(line) ? line.replace(/^ {0,3}> ?/, '') : undefined
}

function insideItem(line: string, list: List, { isCode }: { isCode: boolean }): string | undefined {
  const indent = indentOf(line)
  // Code is often written with fewer blanks than its fence: nothing but a fence ends it.
  if (indent >= list.indent || indent === line.length || isCode) return line.slice(Math.min(indent, list.indent))
  // Bullets below a number stand three blanks in by the rule, and two by habit.
  const isNested = list.isOrdered && indent >= 2 && /^[-+*] /.test(line.slice(indent, indent + 2))
  return isNested ? line.slice(indent) : undefined
}

function isInList({ containers }: Blocks, depth: number): boolean {
  return containers[depth]?.kind === 'list' || containers[depth - 1]?.kind === 'list'
}

// A number that happens to stand at the beginning of a line is no list.
function canInterrupt({ number, rest }: ItemStart): boolean {
  return rest.trim() !== '' && (number === undefined || number === 1)
}

/** Opens what a line begins, from the outside to the inside. */
function begin(blocks: Blocks, line: string, from: number): void {
  let rest = line
  for (let depth = from; rest.trim() !== ''; depth++) {
    const start = depth < DEEPEST ? blockStart(rest, { isInList: isInList(blocks, depth) }) : TEXT
    if (start.kind === 'item') beginItem(blocks, start, depth)
    else closeTo(blocks, depth)
    if (start.kind === 'quote') {
      blocks.containers.push({ kind: 'quote' })
      blocks.html += '<blockquote>\n'
    } else if (start.kind !== 'item') {
      beginLeaf(blocks, start, rest)
      return
    }
    rest = start.rest
  }
}

const TEXT = { kind: 'text' } as const

type LeafStart = Exclude<ReturnType<typeof blockStart>, { rest: string }>

function beginLeaf(blocks: Blocks, start: LeafStart, rest: string): void {
  switch (start.kind) {
    case 'heading': {
      // A page has its own two levels above these.
      const level = Math.min(6, start.level + 2)
      blocks.html += `<h${level}>${inlineHtml(start.text)}</h${level}>\n`
      return
    }
    case 'rule':
      blocks.html += '<hr>\n'
      return
    case 'fence':
      blocks.leaf = { kind: 'code', fence: afterLine(rest, undefined) ?? '', indent: indentOf(rest) }
      blocks.html += '<pre><code>'
      return
    case 'text':
      readWords(blocks, rest)
      return
    default:
      start satisfies never
  }
}

function beginItem(blocks: Blocks, { sign, number, indent, isDone }: ItemStart, depth: number): void {
  const isOrdered = number !== undefined
  const before = blocks.containers[depth]
  const isNext = before?.kind === 'list' && before.isOrdered === isOrdered && before.sign === sign
  closeTo(blocks, isNext ? depth + 1 : depth)
  blocks.containers[depth] = { kind: 'list', isOrdered, sign, indent }
  const list = isOrdered ? `<ol${number === 1 ? '' : ` start="${number}"`}>` : '<ul>'
  blocks.html += isNext ? '</li>\n' : `${list}\n`
  const box = `<input type="checkbox" disabled${isDone ? ' checked' : ''}>`
  blocks.html += isDone === undefined ? '<li>' : `<li class="task">${box}`
}

function readWords(blocks: Blocks, text: string): void {
  settleFirst(blocks)
  if (text.includes('|')) blocks.first = text
  else putWords(blocks, text)
}

function putWords(blocks: Blocks, text: string): void {
  const isOpen = blocks.leaf?.kind === 'paragraph'
  if (!isOpen) closeLeaf(blocks)
  blocks.leaf = { kind: 'paragraph' }
  blocks.html += `${isOpen ? '\n' : '<p>'}${inlineHtml(text)}`
}

function settleFirst(blocks: Blocks): void {
  const { first } = blocks
  blocks.first = undefined
  if (first !== undefined) putWords(blocks, first)
}

/** Whether the line is a row of the table that is open, or makes the line before it the first of one. */
function readTable(blocks: Blocks, rest: string): boolean {
  const { leaf, first } = blocks
  if (leaf?.kind === 'table') {
    // Text without any bar is a paragraph below it.
    if (rest.includes('|')) blocks.html += row(splitRow(rest), leaf.aligns, 'td')
    return rest.includes('|')
  }
  const aligns = first === undefined ? undefined : readAligns(rest)
  const cells = splitRow(first ?? '')
  if (!aligns || cells.length !== aligns.length) return false
  blocks.first = undefined
  closeLeaf(blocks)
  blocks.leaf = { kind: 'table', aligns }
  blocks.html += `<div class="table"><table>\n<thead>\n${row(cells, aligns, 'th')}</thead>\n<tbody>\n`
  return true
}

// Neither filled up nor cut: a row says what its author wrote, and a short one stays short.
function row(cells: readonly string[], aligns: readonly Align[], tag: 'th' | 'td'): string {
  const html = cells.map((cell, at) => {
    const align = aligns[at] ?? 'left'
    return `<${tag}${align === 'left' ? '' : ` class="${align}"`}>${inlineHtml(cell)}</${tag}>`
  })
  return `<tr>${html.join('')}</tr>\n`
}

const ENDS: { readonly [kind in Leaf['kind']]: string } = {
  paragraph: '</p>\n',
  code: '</code></pre>\n',
  table: '</tbody></table></div>\n',
}

function closeLeaf(blocks: Blocks): void {
  settleFirst(blocks)
  if (blocks.leaf) blocks.html += ENDS[blocks.leaf.kind]
  blocks.leaf = undefined
}

function closeTo(blocks: Blocks, depth: number): void {
  closeLeaf(blocks)
  for (const container of blocks.containers.splice(depth).reverse())
    blocks.html += container.kind === 'quote' ? '</blockquote>\n' : `</li>\n</${container.isOrdered ? 'ol' : 'ul'}>\n`
}

// Only where a line begins: inside, a tab is a sign like any other.
function withoutTabs(line: string): string {
  const [lead = ''] = /^[ \t]*/.exec(line) ?? []
  if (!lead.includes('\t')) return line
  let width = 0
  for (const sign of lead) width += sign === '\t' ? 4 - (width % 4) : 1
  return ' '.repeat(width) + line.slice(lead.length)
}
