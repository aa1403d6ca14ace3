import fc from 'fast-check'

const FRAGMENTS = [
  ...[
    '# Title',
    '## 제목 #',
    '---',
    '===',
    '***',
    '- ',
    '* ',
    '+ ',
    '1. ',
    '2) ',
    '10. ',
    '- [ ] ',
    '- [x] ',
    '> ',
    '>',
  ],
  ...[
    '```',
    '```ts',
    '~~~',
    '````',
    '  ',
    '    ',
    '      ',
    '\t',
    '\n',
    '\n',
    '\n\n',
    '\n\n\n',
    ' ',
    ' ',
    '  \n',
    '\\\n',
  ],
  ...['| a | b |', '|---|:-:|', '| 한국어 | `x|y` |', '|', '||', ':--', '| - |'],
  ...[
    '**',
    '*',
    '_',
    '__',
    '~~',
    '`',
    '``',
    '***',
    '[',
    ']',
    '](',
    '](https://example.com/a_b)',
    ')',
    '![',
    '<',
    '>',
    '<br>',
  ],
  ...[
    '<div>',
    '</div>',
    '<!-- x -->',
    '<https://example.com>',
    'https://example.com/x?y=(z)',
    '&amp;',
    '&#27;',
    '&#x9b;',
    '&',
  ],
  ...[
    'word',
    'two words',
    '한국어',
    '漢字',
    'かな',
    '「말」',
    '"말"',
    '🎉',
    '👩‍👩‍👧',
    'e\u0301',
    '\ufe0f',
    '\u200d',
    '☎\ufe0f',
    '각',
  ],
  ...['a very long sentence that has to be broken somewhere', 'Donaudampfschifffahrtsgesellschaftskapitän'],
  ...[
    '\x1b[31m',
    '\x1b]8;;x\x07',
    '\x9b',
    '\r',
    '\r\n',
    '\0',
    '\x7f',
    '\u202e',
    '\u2028',
    '\ud83d',
    '\udc00',
    '\\',
    '\\*',
  ],
  ...[
    'const x = `$',
    '{y}` // z',
    '/* open',
    '"""',
    "'",
    '"',
    '{',
    '}',
    '*** Begin Patch',
    '@@ -1,2 +1,2 @@',
    '+added',
    '-removed',
  ],
]

/** Text made of what Markdown and terminals care about, in any order. */
export const markdownText = fc
  .array(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...FRAGMENTS) }, fc.string({ unit: 'binary', maxLength: 5 })),
    {
      maxLength: 60,
    },
  )
  .map((parts) => parts.join(''))

/** Longer than what is kept whole: paragraphs, lines, tables and code that have to be parted. */
export const longText = fc
  .array(fc.tuple(fc.constantFrom(...FRAGMENTS), fc.integer({ min: 1, max: 400 })), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.map(([part, times]) => part.repeat(times)).join(''))

/** The text in pieces of any length, characters cut in two among them. */
export function inPieces(text: string, sizes: readonly number[]): string[] {
  const pieces: string[] = []
  for (let at = 0, index = 0; at < text.length; index++) {
    const size = Math.max(1, sizes[index % Math.max(1, sizes.length)] ?? 1)
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}

export const ESC = '\x1b'
const OUR_STYLE = new RegExp(`${ESC}\\[\\d+(?:;\\d+)*m`, 'g')

/** A line without our own styles. */
export function unstyled(line: string): string {
  return line.replace(OUR_STYLE, '')
}
