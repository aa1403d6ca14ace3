/** Where a tag that begins at `from` is over: behind its `>`, or the end of the page. A `>` in quotes does not end it. */
export function endOfTag(html: string, from: number): number {
  let isValue = false
  for (let at = from + 1; at < html.length; at++) {
    const code = html.charCodeAt(at)
    if (code === GREATER) return at + 1
    if (code === EQUALS) isValue = true
    else if (isValue && (code === DOUBLE || code === SINGLE)) {
      at = html.indexOf(code === DOUBLE ? '"' : "'", at + 1)
      if (at < 0) return html.length
      isValue = false
    } else if (code > SPACE) isValue = false
  }
  return html.length
}

const GREATER = 0x3e
const EQUALS = 0x3d
const DOUBLE = 0x22
const SINGLE = 0x27
const SPACE = 0x20

const rawEnds = new Map<string, RegExp>()

/** Where the end tag of an element begins whose content is no markup, or -1. */
export function findRawEnd(html: string, name: string, from: number): number {
  const pattern = rawEnds.get(name) ?? new RegExp(`</${name}(?=[\\s/>])`, 'gi')
  rawEnds.set(name, pattern)
  pattern.lastIndex = from
  return pattern.exec(html)?.index ?? -1
}
