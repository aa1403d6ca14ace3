import { escapeControls } from '../visible.ts'

/** An entity where an expression stands: `&amp;`, `&#8594;`, `&#x2192;`. */
export const ENTITY = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,31}));/iy

// What models write; anything else stays as it was written, which can be read too.
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', reg: '®', trade: '™' },
  ...{ hellip: '…', mdash: '—', ndash: '–', bull: '•', middot: '·', times: '×', divide: '÷', plusmn: '±', deg: '°' },
  ...{ larr: '←', rarr: '→', uarr: '↑', darr: '↓', harr: '↔', ge: '≥', le: '≤', ne: '≠', check: '✓', infin: '∞' },
  ...{ lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', euro: '€', pound: '£', yen: '¥' },
}

/** The sign that an entity means. One that means a control character becomes visible: this is a way past the wall. */
export function decodeEntity(match: RegExpExecArray): string {
  const [written, decimal, hexadecimal, name] = match
  if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? written) : written
  const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
  if (code === 0 || code > 0x10ffff) return '\ufffd'
  const sign = escapeControls(String.fromCodePoint(code))
  return sign === '\n' || sign === '\t' ? ' ' : sign
}
