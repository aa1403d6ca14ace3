import { BLOCKS, type Element, STRUCTURE } from './element.ts'
import { endOfTag, findRawEnd } from './scan-html.ts'

const VOID = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
])

// Their content is no markup. Of the second list it is text to be read.
const RAW = new Set(['script', 'style', 'iframe', 'noembed', 'noframes', 'title', 'textarea', 'xmp'])
const RAW_TEXT = new Set(['title', 'textarea', 'xmp'])

// Deeper elements become neighbours, so that no page can exhaust the stack of who walks it.
const MAX_DEPTH = 128

// What a start tag ends without saying so, and where the search for it stops.
const CELL_SCOPE = ['td', 'th', 'table', 'caption', 'template', 'button']
const SECTION = { ends: ['tr', 'thead', 'tbody', 'tfoot', 'caption'], scope: ['table'] }
const ENDS = new Map<string, { ends: string[]; scope: string[] }>(
  Object.entries({
    li: { ends: ['li'], scope: ['ul', 'ol', 'menu', 'dir', ...CELL_SCOPE] },
    dt: { ends: ['dt', 'dd'], scope: ['dl', ...CELL_SCOPE] },
    dd: { ends: ['dt', 'dd'], scope: ['dl', ...CELL_SCOPE] },
    tr: { ends: ['tr', 'caption'], scope: ['table'] },
    td: { ends: ['td', 'th'], scope: ['tr', 'table'] },
    th: { ends: ['td', 'th'], scope: ['tr', 'table'] },
    thead: SECTION,
    tbody: SECTION,
    tfoot: SECTION,
    a: { ends: ['a'], scope: ['table'] },
  }),
)
const PARAGRAPH = { ends: ['p'], scope: CELL_SCOPE }
const NAME = /[a-z][^\s/>]*/iy

/** A page as a tree: forgiving, never running or loading anything, in time that grows with the length alone. */
export function parseHtml(html: string): Element {
  const root = createElement('#root', '')
  const open: Element[] = [root]
  // Where elements of a name stand among those that are open, so that nothing has to be searched for.
  const places = new Map<string, number[]>()
  const unclosed = new Set<string>()
  const top = () => open[open.length - 1] ?? root
  let at = 0
  while (at < html.length) {
    const next = html.indexOf('<', at)
    const text = html.slice(at, next < 0 ? html.length : next)
    if (text !== '') top().children.push(text)
    if (next < 0) break
    at = readMarkup(next)
  }
  return root

  function readMarkup(from: number): number {
    const second = html[from + 1] ?? ''
    if (/[a-z]/i.test(second)) return readStart(from)
    if (second === '/') return readEnd(from)
    if (second === '!' || second === '?') return skipRemark(from)
    top().children.push('<')
    return from + 1
  }

  function skipRemark(from: number): number {
    const mark = html.startsWith('<!--', from) ? '-->' : '>'
    const end = html.indexOf(mark, from + 2)
    return end < 0 ? html.length : end + mark.length
  }

  function readEnd(from: number): number {
    const end = endOfTag(html, from)
    const name = nameAt(from + 2).toLowerCase()
    const isClosed = name === '' || close([name], ENDS.get(name)?.scope ?? (name === 'table' ? [] : CELL_SCOPE))
    // An end without a beginning still stands between two paragraphs.
    if (!isClosed && name === 'p') top().children.push(createElement(name, ''))
    return end
  }

  function nameAt(from: number): string {
    NAME.lastIndex = from
    return NAME.exec(html)?.[0] ?? ''
  }

  function readStart(from: number): number {
    const end = endOfTag(html, from)
    // A tag that never ends is no text either.
    if (end === html.length && html[end - 1] !== '>') return end
    const name = nameAt(from + 1)
    return openElement(name.toLowerCase(), html.slice(from + 1 + name.length, end - 1), end)
  }

  function openElement(name: string, attributes: string, end: number): number {
    const implied = ENDS.get(name)
    // More than one may end: a row, then the part of the table that holds it.
    while (implied && close(implied.ends, implied.scope));
    if (!implied && BLOCKS.has(name)) close(PARAGRAPH.ends, PARAGRAPH.scope)
    const element = createElement(name, attributes)
    top().children.push(element)
    if (BLOCKS.has(name)) markAbove('hasBlock')
    if (STRUCTURE.has(name)) markAbove('hasStructure')
    if (RAW.has(name)) return readRaw(element, end)
    if (!VOID.has(name) && open.length < MAX_DEPTH) {
      const own = places.get(name) ?? []
      own.push(open.length)
      places.set(name, own)
      open.push(element)
    }
    return end
  }

  function readRaw(element: Element, from: number): number {
    const { name } = element
    // Looked for once only: a page of nothing but open titles would be searched to its end for each of them.
    const end = unclosed.has(name) ? -1 : findRawEnd(html, name, from)
    if (end >= 0) {
      if (RAW_TEXT.has(name)) element.children.push(html.slice(from, end))
      return endOfTag(html, end)
    }
    unclosed.add(name)
    return RAW_TEXT.has(name) ? from : html.length
  }

  function close(names: string[], scope: string[]): boolean {
    const index = Math.max(...names.map(lastOpen))
    if (index < 1 || scope.some((name) => lastOpen(name) > index)) return false
    for (const { name } of open.splice(index)) places.get(name)?.pop()
    return true
  }

  function lastOpen(name: string): number {
    return places.get(name)?.at(-1) ?? -1
  }

  function markAbove(flag: 'hasBlock' | 'hasStructure'): void {
    for (let index = open.length - 1; index >= 0; index--) {
      const element = open[index]
      // Whoever is marked has marked those above.
      if (element === undefined || element[flag]) return
      element[flag] = true
    }
  }
}

function createElement(name: string, attributes: string): Element {
  return { name, attributes, children: [], hasBlock: false, hasStructure: false }
}
