import { afterLine } from './fences.ts'

/** Turns Markdown into HTML, piece by piece. Whatever it does not know stays text. */
export interface MarkdownHtml {
  feed(piece: string): string
  end(): string
}

// A line longer than this is given out as it comes: it is hardly prose.
const LINE_UNITS = 64 * 1024

/**
 * Blocks of code, headings, tables as they are drawn, and paragraphs that keep their lines; in a line: code, bold and
 * links. Lists stay as they were typed, which reads well enough and cannot go wrong.
 */
export function createMarkdownHtml(): MarkdownHtml {
  let held = ''
  let fence: string | undefined
  let block: 'p' | 'pre' | undefined
  const close = () => {
    const end = block === undefined ? '' : block === 'p' ? '</p>\n' : '</code></pre>\n'
    block = undefined
    return end
  }
  const open = (kind: 'p' | 'pre') => {
    if (block === kind) return '\n'
    const before = close()
    block = kind
    return `${before}${kind === 'p' ? '<p>' : '<pre><code>'}`
  }
  const takeLine = (line: string): string => {
    const before = fence
    fence = afterLine(line, fence)
    if (before === undefined && fence !== undefined) return close() + open('pre').replace(/\n$/, '')
    if (before !== undefined && fence === undefined) return close()
    if (before !== undefined) return `${escapeHtml(line)}\n`
    if (line.trim() === '') return close()
    const [, marks = '', words = ''] = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line) ?? []
    // A page has its own two levels above these.
    const level = Math.min(6, marks.length + 2)
    if (marks !== '') return `${close()}<h${level}>${inline(words)}</h${level}>\n`
    if (/^\s*\|.*\|\s*$/.test(line)) return open('pre') + escapeHtml(line)
    return open('p') + inline(line)
  }
  return {
    feed(piece) {
      const lines = (held + piece).split('\n')
      held = lines.pop() ?? ''
      let html = lines.map(takeLine).join('')
      if (held.length > LINE_UNITS) {
        html += takeLine(held)
        held = ''
      }
      return html
    },
    end() {
      const html = held === '' ? '' : takeLine(held)
      held = ''
      fence = undefined
      return html + close()
    },
  }
}

const ENTITIES: { readonly [sign: string]: string } = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text that is text wherever it stands, in an element or between quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')
}

function inline(line: string): string {
  // Every second piece is code: nothing in it means anything.
  const pieces = line.split(/`([^`]+)`/)
  return pieces.map((piece, at) => (at % 2 === 1 ? `<code>${escapeHtml(piece)}</code>` : words(piece))).join('')
}

const LINK =
  /\[([^[\]]{1,500})\]\((https?:\/\/[^\s()<>]{1,2000})\)|(https?:\/\/[^\s()<>"'`]{1,2000}[^\s()<>"'`.,:;!?])/g

function words(text: string): string {
  if (!text.includes('://')) return bold(text)
  let html = ''
  let last = 0
  for (const { 0: whole, 1: label, 2: target, 3: bare, index } of text.matchAll(LINK)) {
    html += bold(text.slice(last, index))
    const address = escapeHtml(target ?? bare ?? '')
    html += `<a href="${address}" rel="noopener noreferrer">${bold(label ?? bare ?? '')}</a>`
    last = index + whole.length
  }
  return html + bold(text.slice(last))
}

function bold(text: string): string {
  if (!text.includes('**')) return escapeHtml(text)
  return escapeHtml(text).replaceAll(/\*\*([^*\s](?:[^*]*[^*\s])?)\*\*/g, '<strong>$1</strong>')
}
