import {
  type Bracket,
  type InlineReader,
  markPending,
  matchHere,
  pairRuns,
  pushAtom,
  pushPlain,
} from './inline-reader.ts'
import { MARKS } from './span.ts'

// Parentheses in an address may be balanced one deep, as in those of an encyclopedia.
const TARGET =
  /\]\(\s*(?:<([^<>\n]*)>|([^\s<>()]*(?:\([^\s()]*\)[^\s()]*)*))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/y
// Brackets and backticks end it: they belong to what stands around it.
const ADDRESS = /https?:\/\/[!-;=?-Z\\^_a-{}~]+/y
const ANGLE = /<((?:[a-z][a-z\d+.-]{1,31}:[^\s<>]*)|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>/iy
const BREAK = /<br ?\/?>/iy
const TAG = /<(?:\/?[a-z][^<>]*|!--.*?--)>/iy
// A target longer than this is none that anybody waits for.
const LONGEST_TARGET = 1_000

/** `[` or `![`: the beginning of a link, perhaps. */
export function readBracket(reader: InlineReader): void {
  const { at, nodes, delimiters, source } = reader
  const isImage = source[at] === '!'
  if (isImage && source[at + 1] !== '[') pushPlain(reader, 1)
  else {
    reader.brackets.push({ node: nodes.length, at, isImage, delimiters: delimiters.length })
    pushAtom(reader, isImage ? '![' : '[', { length: isImage ? 2 : 1 })
  }
}

/** `]`: the end of a link's text if a target follows. References are not resolved: they may be defined only later. */
export function readBracketEnd(reader: InlineReader): void {
  const bracket = reader.brackets.pop()
  const target = bracket && matchHere(reader, TARGET)
  if (target) pushLink(reader, bracket, target)
  else {
    if (bracket && mayGetTarget(reader)) markPending(reader, bracket.at)
    pushPlain(reader, 1)
  }
}

function mayGetTarget({ source, at }: InlineReader): boolean {
  if (at + 1 === source.length) return true
  return source[at + 1] === '(' && source.length - at < LONGEST_TARGET && !source.includes(')', at)
}

function pushLink(reader: InlineReader, bracket: Bracket, target: RegExpExecArray): void {
  pairRuns(reader, bracket.delimiters)
  const first = bracket.node + 1
  reader.ranges.push({ first, end: reader.nodes.length, mark: MARKS.underline })
  const opening = reader.nodes[bracket.node]
  if (opening) opening.text = ''
  // There are no links in links, but images in links there are.
  if (!bracket.isImage) reader.brackets = []
  const url = target[1] ?? target[2] ?? ''
  const { length } = target[0]
  const said = reader.nodes.slice(first).map(({ text }) => text)
  if (said.every((text) => text === '')) pushAtom(reader, url, { length, marks: MARKS.underline })
  else pushAtom(reader, isSaid(url, said.join('')) ? '' : ` (${shown(url)})`, { length, marks: MARKS.address })
}

/** `<`: an address, a break, or a tag, which is shown as it is. */
export function readAngle(reader: InlineReader): void {
  const address = matchHere(reader, ANGLE)
  // Inside a table's cell there is no other way to begin a new line, so that models write it everywhere.
  const lineBreak = matchHere(reader, BREAK)
  const tag = matchHere(reader, TAG)
  if (address) pushAtom(reader, address[1] ?? '', { length: address[0].length, marks: MARKS.underline })
  else if (lineBreak) pushAtom(reader, '\n', { length: lineBreak[0].length })
  else if (tag) pushAtom(reader, tag[0].replaceAll('\n', ' '), { length: tag[0].length })
  else pushPlain(reader, 1)
}

/** An address in running text, without what rather belongs to the sentence around it. */
export function readAddress(reader: InlineReader): void {
  const { source, at } = reader
  const isInWord = /[\p{L}\p{N}_]$/u.test(source.slice(Math.max(0, at - 2), at))
  const url = isInWord ? '' : withoutTail(matchHere(reader, ADDRESS)?.[0] ?? '')
  if (url === '') pushPlain(reader, 1)
  else pushAtom(reader, url, { length: url.length, marks: MARKS.underline })
}

function withoutTail(written: string): string {
  let end = written.length
  let surplus = written.split(')').length - written.split('(').length
  for (; end > 0; end--) {
    const sign = written[end - 1] ?? ''
    if (sign === ')' && surplus > 0) surplus--
    else if (!/[?!.,:;*_~'"]/.test(sign)) break
  }
  return written.slice(0, end)
}

function isSaid(url: string, text: string): boolean {
  // An anchor leads to a place in a page that nobody sees here.
  if (url === '' || url.startsWith('#')) return true
  const plain = (address: string) => address.replace(/^(?:https?:\/\/|mailto:)/, '').replace(/\/$/, '')
  return plain(url) === plain(text)
}

function shown(url: string): string {
  return url.replace(/^mailto:/, '').replace(/\\([!-/:-@[-`{-~])/g, '$1')
}
