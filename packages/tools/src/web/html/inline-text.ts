import { beginning } from '@maru/agent'
import { attributeOf, BLOCKS, type Element, type Node } from './element.ts'
import { decodeEntities } from './entities.ts'

/** What one rendering needs to know, and how much it may still write. */
export interface Rendering {
  /** What relative addresses are relative to. */
  readonly base: string
  /** Characters left: a page of short links to long addresses would grow without end. */
  room: number
  /** Whether an element is shown at all. */
  isShown(element: Element): boolean
}

const MAX_LINK = 500

/** The text of nodes as one run: blanks folded, links and code marked, a line break only for `br`. */
export function inlineText(nodes: readonly Node[], rendering: Rendering): string {
  return fold(nodes.map((node) => textOf(node, rendering)).join(''))
}

/** The same on one line. */
export function oneLine(nodes: readonly Node[], rendering: Rendering): string {
  return inlineText(nodes, rendering).replaceAll('\n', ' ')
}

/** Text exactly as it stands, for code. */
export function literalText(nodes: readonly Node[], rendering: Rendering): string {
  let text = ''
  for (const node of nodes) {
    if (typeof node === 'string') text += take(decodeEntities(node).replaceAll('\u00a0', ' '), rendering)
    else if (node.name === 'br') text += '\n'
    else if (rendering.isShown(node)) {
      // Some put each line of code into a block of its own.
      const startsLine = BLOCKS.has(node.name) && text !== '' && !text.endsWith('\n')
      text += (startsLine ? '\n' : '') + literalText(node.children, rendering)
      if (BLOCKS.has(node.name) && !text.endsWith('\n')) text += '\n'
    }
  }
  return text
}

function textOf(node: Node, rendering: Rendering): string {
  if (typeof node === 'string') return take(decodeEntities(node).replace(/[\s\u00a0]+/g, ' '), rendering)
  if (!rendering.isShown(node)) return ''
  switch (node.name) {
    case 'br':
      return '\n'
    case 'img':
      return imageText(node, rendering)
    case 'a':
      return linkText(node, rendering)
    case 'code':
    case 'kbd':
    case 'samp':
    case 'tt':
      return codeText(node, rendering)
    case 'q':
      return `"${runOf(node, rendering)}"`
    default:
      return BLOCKS.has(node.name) ? ` ${runOf(node, rendering)} ` : runOf(node, rendering)
  }
}

function runOf({ children }: Element, rendering: Rendering): string {
  return children.map((child) => textOf(child, rendering)).join('')
}

function imageText(element: Element, rendering: Rendering): string {
  const alt = attributeOf(element, 'alt')?.replace(/\s+/g, ' ').trim()
  return alt ? take(`[image: ${alt}]`, rendering) : ''
}

function codeText({ children }: Element, rendering: Rendering): string {
  const code = literalText(children, rendering).replace(/\s+/g, ' ').trim()
  if (code === '') return ''
  return code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``
}

/** The address of a link around something larger, by itself. */
export function linkOf(element: Element, rendering: Rendering): string {
  const address = addressOf(attributeOf(element, 'href')?.trim() ?? '', rendering.base)
  return address === undefined ? '' : take(`(${address})`, rendering)
}

function linkText(element: Element, rendering: Rendering): string {
  const run = runOf(element, rendering)
  const text = fold(run).replaceAll('\n', ' ')
  const href = attributeOf(element, 'href')?.trim() ?? ''
  if (href.startsWith('#')) {
    // The sign beside a heading that leads to the heading itself.
    return text.length <= 1 ? '' : run
  }
  const address = text === '' ? undefined : addressOf(href, rendering.base)
  if (address === undefined) return run
  if (text === address) return take(address, rendering)
  const link = take(`[${text}](${address})`, rendering)
  if (link === '') return ''
  return `${run.startsWith(' ') ? ' ' : ''}${link}${run.endsWith(' ') ? ' ' : ''}`
}

function addressOf(href: string, base: string): string | undefined {
  if (href === '' || href.startsWith('#') || href.length > MAX_LINK || !URL.canParse(href, base)) return undefined
  const address = new URL(href, base)
  const isUseful = ['http:', 'https:', 'mailto:'].includes(address.protocol) && address.href.length <= MAX_LINK
  return isUseful ? address.href : undefined
}

function fold(run: string): string {
  return run
    .replace(/ {2,}/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim()
}

function take(text: string, rendering: Rendering): string {
  const kept = text.length <= rendering.room ? text : beginning(text, rendering.room)
  rendering.room -= text.length
  return kept
}
