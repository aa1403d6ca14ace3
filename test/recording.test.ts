import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LANGS } from '@maru/i18n'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { playCast, readCast, STEP_MS, writeCast } from '../proofs/recording/cast.ts'
import { createEmulator, textOf } from '../proofs/recording/emulator.ts'
import { drawTour, filesOfTour } from '../proofs/recording/files.ts'
import { DARK, LIGHT } from '../proofs/recording/svg-style.ts'
import { wordsOfTour } from '../proofs/recording/tour.ts'

const root = join(import.meta.dirname, '..')
const AGAIN = 'run "npm run record"'

describe.each(LANGS)('the recorded tour (%s)', (lang) => {
  const files = filesOfTour(lang)
  const cast = readFileSync(join(root, files.cast), 'utf8')
  const svg = readFileSync(join(root, files.svg), 'utf8')
  const frames = playCast(readCast(cast))

  test('says what the program of today says', () => {
    const end = frames.at(-1)?.picture.rows.map(textOf).join('\n') ?? ''
    expect(
      wordsOfTour(lang).filter((words) => !end.includes(words)),
      AGAIN,
    ).toEqual([])
  })

  test('is asciicast v2 in steps', () => {
    const read = readCast(cast)
    expect(writeCast(read)).toBe(cast)
    expect([read.columns, read.rows]).toEqual([100, 36])
    expect(read.outputs.filter(({ ms }) => ms % STEP_MS !== 0)).toEqual([])
  })

  test('is drawn as it was recorded, in a file that a page can bear', () => {
    expect(drawTour(readCast(cast)) === svg, AGAIN).toBe(true)
    expect(svg.length).toBeLessThan(300_000)
  })

  test('is well-formed, runs nothing and loads nothing', () => {
    expect(namesIn(svg)).toEqual(new Set(PLAIN))
    expect(svg.match(/https?:[^"\s]*/g)).toEqual(['http://www.w3.org/2000/svg'])
    const links = [...svg.matchAll(/\b(?:href|src)="([^"]*)"/g)].map(([, link]) => link)
    expect(links.filter((link) => !link?.startsWith('#'))).toEqual([])
    expect(svg).not.toMatch(/url\(|@import|@font-face|\son\w+=/)
  })

  test('without its animations shows its end and nothing else', () => {
    const still = svg.slice(svg.indexOf('</defs>')).replaceAll(/<g class="s"[^>]*>.*<\/g>\n/g, '')
    const rows = [...still.matchAll(/<use href="#(\w+)"(?: y="(\d+)")?\/>/g)]
    const shown = rows.map(([, id, y = '0']) => ({ y: Number(y), text: textIn(svg, id ?? '') }))
    const end = (frames.at(-1)?.picture.rows ?? []).map(textOf)
    expect(shown.sort((a, b) => a.y - b.y).map(({ text }) => text)).toEqual(
      end.filter((text) => text !== '').map((text) => text.replaceAll(' ', '')),
    )
  })

  test('names no machine and nobody', () => {
    for (const text of [cast, svg]) {
      expect(text).not.toMatch(/\/(?:tmp|home|root|Users|private|work|var|usr|opt)\//)
      expect(text).not.toMatch(/localhost|127\.0\.0\.1|\w+@(?!terminal\b)\w+/)
    }
  })

  test('stands in the README', () => {
    const readme = ['README.ko.md', 'README.md'].map((name) => join(root, name)).filter(existsSync)
    const texts = readme.map((path) => readFileSync(path, 'utf8')).join('\n')
    expect([`](${files.svg})`, `](${files.cast})`].filter((link) => !texts.includes(link))).toEqual([])
  })
})

test.each([
  ['dark', DARK],
  ['light', LIGHT],
] as const)('in a %s theme every colour of text can be read', (_name, theme) => {
  // Black on a dark ground is nobody's text: programs use it as a ground.
  const [, ...inks] = theme.colours
  const low = [theme.text, theme.dim, ...inks].filter((ink) => contrast(ink, theme.ground) < 4.5)
  expect(low).toEqual([])
})

describe('the terminal that recordings are played on', () => {
  const screenOf = (...texts: string[]) => {
    const emulator = createEmulator({ columns: 10, rows: 3 })
    for (const text of texts) emulator.write(text)
    return emulator
  }

  test('wraps, scrolls, overwrites and erases', () => {
    expect(screenOf('abcdefghijKL').text()).toEqual(['abcdefghij', 'KL', ''])
    expect(screenOf('1\r\n2\r\n3\r\n4').text()).toEqual(['2', '3', '4'])
    expect(screenOf('one\rO\x1b[2;1Htwo\x1b[1A\x1b[2G\x1b[K').text()).toEqual(['O', 'two', ''])
    expect(screenOf('a\r\nb\r\nc\x1b[2;1H\x1b[J').text()).toEqual(['a', '', ''])
  })

  test('gives Hangul two cells, and halves none of it', () => {
    expect(screenOf('가나다라마').text()[0]).toBe('가나다라마')
    expect(screenOf('1234567890\x1b[1;10H가').text()).toEqual(['1234567890', '가', ''])
    expect(screenOf('가나\x1b[1;2Hx').text()[0]).toBe(' x나')
  })

  test('knows colours, bold, dim and inverse', () => {
    const [row = []] = screenOf('\x1b[1;31ma\x1b[22;2mb\x1b[0;7mc\x1b[27;97md').picture().rows
    expect(row.map(({ pen }) => pen)).toMatchObject([
      { ink: 1, isBold: true },
      { ink: 1, isBold: false, isDim: true },
      { ink: undefined, isInverse: true, isDim: false },
      { ink: 15, isInverse: false },
    ])
  })

  test('does not pass over what it does not know', () => {
    expect(() => screenOf('\x1b[?1049h')).toThrow('unknown mode 1049')
    expect(() => screenOf('\x1b[38;5;200m')).toThrow('unknown colour')
  })

  test('sees the same, however its input is cut', () => {
    const written = '\x1b[?2026h\x1b[31m가나\x1b[39m x\x1b[K\r\n\x1b]9;hi\x1b\\\x1b[1A\x1b[3Gz\x1b[?25l'
    fc.assert(
      fc.property(fc.array(fc.nat(written.length), { maxLength: 6 }), (cuts) => {
        const ends = [...cuts, 0, written.length].sort((a, b) => a - b)
        const parts = ends.slice(1).map((end, at) => written.slice(ends[at], end))
        expect(screenOf(...parts).picture()).toEqual(screenOf(written).picture())
      }),
    )
  })
})

const PLAIN = ['svg', 'title', 'desc', 'style', 'rect', 'circle', 'text', 'defs', 'g', 'use']

/** The names of all elements; throws where the text is not well-formed. */
function namesIn(xml: string): Set<string> {
  const names = new Set<string>()
  const open: string[] = []
  const token = /<(\/?)(\w+)((?:\s+[\w:-]+="[^"<>&]*")*)\s*(\/?)>|[^<>&]+|&(?:amp|lt|gt);/y
  while (token.lastIndex < xml.length) {
    const at = token.lastIndex
    const match = token.exec(xml)
    if (match === null) throw new Error(`not well-formed: ${xml.slice(at, at + 60)}`)
    const [, slash, name, , end] = match
    if (name === undefined) continue
    names.add(name)
    if (slash === '/' && open.pop() !== name) throw new Error(`</${name}> closes something else`)
    if (slash === '' && end === '') open.push(name)
  }
  if (open.length > 0) throw new Error(`not closed: ${open.join(', ')}`)
  return names
}

/** What a drawn row says, without its blanks. */
function textIn(svg: string, id: string): string {
  const [, drawn = ''] = new RegExp(`<g id="${id}">(.*)</g>`).exec(svg) ?? []
  const text = drawn.replaceAll(/<[^>]*>| /g, '')
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

/** As WCAG counts it. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
