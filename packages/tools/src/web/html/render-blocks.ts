import { attributeOf, BLOCKS, type Element, type Node } from './element.ts'
import { inlineText, linkOf, oneLine, type Rendering } from './inline-text.ts'
import { renderCode } from './render-code.ts'
import { captionsOf, renderGrid, rowsOf } from './render-table.ts'

// Lists in lists, quotes in quotes: deeper ones are no longer moved to the right.
const MAX_NESTING = 6

/** Nodes as blocks of text: paragraphs, headings, lists, code, quotes, tables. */
export function renderBlocks(nodes: readonly Node[], rendering: Rendering, nesting = 0): string[] {
  const blocks: string[] = []
  let run: Node[] = []
  flow(nodes)
  endRun()
  return blocks

  function flow(children: readonly Node[]): void {
    for (const node of children) {
      if (rendering.room < 0) return
      if (typeof node === 'string') run.push(node)
      else if (rendering.isShown(node)) flowElement(node)
    }
  }

  function flowElement(element: Element): void {
    const isLink = element.name === 'a'
    if (!BLOCKS.has(element.name) && !element.hasStructure && (isLink || !element.hasBlock)) {
      run.push(element)
      return
    }
    endRun()
    const block = renderOwn(element, rendering, nesting)
    if (block !== undefined) add(block)
    else flow(element.children)
    endRun()
    if (isLink) add(linkOf(element, rendering))
  }

  function endRun(): void {
    if (run.length > 0) add(inlineText(run, rendering))
    run = []
  }

  function add(block: string): void {
    if (block !== '') blocks.push(block)
  }
}

/** An element that has a form of its own; nothing for one that only holds others. */
function renderOwn(element: Element, rendering: Rendering, nesting: number): string | undefined {
  const { name, children } = element
  switch (name) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6': {
      const heading = oneLine(children, rendering)
      return heading === '' ? '' : `${'#'.repeat(Number(name[1]))} ${heading}`
    }
    case 'hr':
      return '---'
    case 'pre':
    case 'xmp':
      return renderCode(element, rendering)
    case 'ul':
    case 'ol':
    case 'menu':
    case 'dir':
      return renderList(element, rendering, nesting)
    case 'blockquote':
      return indented(renderBlocks(children, rendering, nesting + 1).join('\n\n'), { first: '> ', rest: '> ', nesting })
    case 'dd':
      return indented(renderBlocks(children, rendering, nesting + 1).join('\n'), { first: '  ', rest: '  ', nesting })
    case 'dl':
      return renderBlocks(children, rendering, nesting + 1).join('\n')
    case 'table':
      return renderTable(element, rendering, nesting)
    default:
      return undefined
  }
}

function renderList(list: Element, rendering: Rendering, nesting: number): string {
  let number = Number.parseInt(attributeOf(list, 'start') ?? '1', 10) || 1
  const items: string[] = []
  for (const node of list.children) {
    const mark = list.name === 'ol' ? `${number}. ` : '- '
    const text = renderBlocks([node], rendering, nesting + 1).join('\n')
    if (text === '') continue
    items.push(indented(text, { first: mark, rest: ' '.repeat(mark.length), nesting }))
    number++
  }
  return items.join('\n')
}

function renderTable(table: Element, rendering: Rendering, nesting: number): string | undefined {
  const rows = rowsOf(table, rendering)
  const isGrid = rows.some(({ length }) => length > 1) && !rows.flat().some(({ hasStructure }) => hasStructure)
  // Tables that only lay out a page are read cell by cell.
  if (!isGrid) return undefined
  return [...renderBlocks(captionsOf(table), rendering, nesting), ...renderGrid(rows, rendering)].join('\n')
}

function indented(text: string, { first, rest, nesting }: { first: string; rest: string; nesting: number }): string {
  if (text === '' || nesting >= MAX_NESTING) return text
  return first + text.replaceAll('\n', `\n${rest}`)
}
