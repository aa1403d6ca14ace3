import { escapeHtml } from './escape-html.ts'

const ADDRESS = String.raw`(?:https?:\/\/|mailto:)(?:[^\s<>()]|\([^\s<>()]{0,200}\)){1,2000}`

// Every repetition has a bound or an end of its own, so that no line takes longer than its length.
const TOKENS = new RegExp(
  [
    '(?<ticks>`+)',
    String.raw`\\(?<plain>[!-/:-@[-\x60{-~])`,
    String.raw`\[(?<label>[^[\]]{1,500})\]\((?<target>${ADDRESS})(?: +"[^"]{0,200}")?\)`,
    `<(?<between>${ADDRESS})>`,
    '(?<bare>https?:\\/\\/[^\\s()<>"\'`*|]{1,2000})',
    String.raw`(?<mark>\*+|~+)`,
  ].join('|'),
  'gi',
)

const MARKS: { readonly [mark: string]: readonly [open: string, close: string] } = {
  '*': ['<em>', '</em>'],
  '**': ['<strong>', '</strong>'],
  '***': ['<strong><em>', '</em></strong>'],
  '~~': ['<del>', '</del>'],
}

/** One line of Markdown as HTML: code, emphasis, and links to the web or to an address for mail. All else stays text. */
export function inlineHtml(line: string, { canLink = true }: { canLink?: boolean } = {}): string {
  const pieces: string[] = []
  const closings = createClosings(line)
  const emphasis = createEmphasis(pieces)
  const tokens = new RegExp(TOKENS)
  let last = 0
  const put = (from: number, html: string, to: number) => {
    pieces.push(escapeHtml(line.slice(last, from)), html)
    last = to
    tokens.lastIndex = to
  }
  for (let match = tokens.exec(line); match; match = tokens.exec(line)) {
    const { ticks, plain, label, target, between, bare, mark } = match.groups ?? {}
    const at = match.index
    const end = at + match[0].length
    if (ticks !== undefined) {
      const closing = closings.next(ticks.length, end)
      if (closing !== undefined) put(at, code(line.slice(end, closing)), closing + ticks.length)
    } else if (plain !== undefined) put(at, escapeHtml(plain), end)
    else if (mark !== undefined) {
      put(at, '', end)
      emphasis.take(mark, { before: line[at - 1] ?? ' ', after: line[end] ?? ' ' })
    } else if (canLink) {
      const address = target ?? between ?? withoutEnd(bare ?? '')
      const words = inlineHtml(label ?? '', { canLink: false }) || escapeHtml(address)
      put(at, link(address, words), bare === undefined ? end : at + address.length)
    }
  }
  pieces.push(escapeHtml(line.slice(last)))
  return pieces.join('')
}

function code(text: string): string {
  const isPadded = text.startsWith(' ') && text.endsWith(' ') && text.trim() !== ''
  return `<code>${escapeHtml(isPadded ? text.slice(1, -1) : text)}</code>`
}

function link(address: string, words: string): string {
  return `<a href="${escapeHtml(address)}" rel="noreferrer noopener">${words}</a>`
}

// A stop behind an address belongs to the sentence.
function withoutEnd(address: string): string {
  let end = address.length
  while ('.,:;!?~\\'.includes(address[end - 1] ?? ' ')) end--
  return address.slice(0, end)
}

/** Where the next run of so many backticks is: looked for once in a line, however many there are. */
function createClosings(line: string) {
  const places = new Map<number, number[]>()
  for (const { 0: run, index } of line.includes('`') ? line.matchAll(/`+/g) : []) {
    const known = places.get(run.length)
    if (known) known.push(index)
    else places.set(run.length, [index])
  }
  for (const list of places.values()) list.reverse()
  return {
    next(length: number, from: number): number | undefined {
      const list = places.get(length) ?? []
      while ((list.at(-1) ?? from) < from) list.pop()
      return list.at(-1)
    },
  }
}

/** Pairs the marks of emphasis. One that has no partner, or whose partner another pair encloses, stays a sign. */
function createEmphasis(pieces: string[]) {
  const open: { mark: string; at: number }[] = []
  return {
    take(mark: string, { before, after }: { before: string; after: string }): void {
      const at = pieces.push(escapeHtml(mark)) - 1
      const tags = Object.hasOwn(MARKS, mark) ? MARKS[mark] : undefined
      if (!tags) return
      // A single star between letters or digits is most often meant as one.
      const isInside = mark === '*' && /[A-Za-z0-9]/.test(before) && /[A-Za-z0-9]/.test(after)
      const partner = /\s/.test(before) || isInside ? -1 : open.findLastIndex((one) => one.mark === mark)
      const opening = open[partner]
      if (opening) {
        pieces[opening.at] = tags[0]
        pieces[at] = tags[1]
        open.length = partner
      } else if (!/\s/.test(after) && !isInside && open.length < MOST_OPEN) open.push({ mark, at })
    },
  }
}

const MOST_OPEN = 32
