import { decodeEntities } from './entities.ts'

/** A piece of a page: text with its entities still in it, or an element. */
export type Node = string | Element

export interface Element {
  readonly name: string
  /** As written: most are never looked at. */
  readonly attributes: string
  readonly children: Node[]
  /** A paragraph, a list or the like is somewhere inside. */
  hasBlock: boolean
  /** Something is inside that one line cannot hold: a list, a table, a code block, a heading. */
  hasStructure: boolean
}

/** The value of an attribute; empty where it has none. */
export function attributeOf({ attributes }: Element, name: string): string | undefined {
  if (!attributes.toLowerCase().includes(name)) return undefined
  for (const [, key = '', double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    if (key.toLowerCase() === name) return decodeEntities(double ?? single ?? bare ?? '', 'attribute')
  }
  return undefined
}

const ATTRIBUTE = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g

/** What one line of text cannot hold. */
export const STRUCTURE = new Set([
  ...['blockquote', 'dl', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'ol', 'pre', 'table', 'ul', 'xmp', 'menu', 'dir'],
])

/** What begins and ends a line. */
export const BLOCKS = new Set([
  ...STRUCTURE,
  ...['address', 'article', 'aside', 'body', 'caption', 'center', 'dd', 'details', 'dialog', 'div', 'dt', 'fieldset'],
  ...['figcaption', 'figure', 'footer', 'form', 'header', 'hgroup', 'legend', 'li', 'main', 'nav', 'option'],
  ...['optgroup', 'p', 'section', 'summary', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr'],
])
