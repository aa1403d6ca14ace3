import type { Key } from './key.ts'
import {
  KEYPAD_LETTERS,
  KEYS_BY_CODE,
  KEYS_BY_LETTER,
  KEYS_BY_NUMBER,
  LINUX_CONSOLE_KEYS,
  latinKeyOf,
  RXVT_ARROWS,
  RXVT_ENDS,
} from './key-tables.ts'

/** What is held with a key. */
export interface Modifiers {
  readonly ctrl: boolean
  readonly alt: boolean
  readonly shift: boolean
}

const NONE: Modifiers = { ctrl: false, alt: false, shift: false }

/** The key of `CSI parameters final`; undefined for what is no key (a report, a released key, one that we do not know). */
export function keyOfCsi(parameters: string, final: string): Key | undefined {
  if (parameters === '') return keyOfBareCsi(final)
  if (!/^[\d;:]+$/.test(parameters)) return undefined
  const [first = '', second = '', third = ''] = parameters.split(';')
  if (final === 'u') return keyOfCode({ code: first, modifiers: second, text: third })
  if (final === '~' && first === '27') return keyOfCode({ code: third, modifiers: second, text: '' })
  const modifiers = modifiersOf(second)
  if (final === '~') return named(KEYS_BY_NUMBER[first], modifiers)
  const rxvt = RXVT_ENDS[final]
  if (rxvt !== undefined) return named(KEYS_BY_NUMBER[parameters], { ...NONE, ...rxvt })
  // Another first number is a report, such as the place of the cursor (`CSI row ; column R`).
  return first === '1' ? named(KEYS_BY_LETTER[final], modifiers) : undefined
}

/** The key of `SS3 parameters final`; some terminals put modifiers there as well. */
export function keyOfSs3(parameters: string, final: string): Key | undefined {
  const modifiers = modifiersOf(parameters.split(';').at(-1) ?? '')
  const arrow = RXVT_ARROWS[final]
  if (arrow !== undefined) return named(arrow, { ...NONE, ctrl: true })
  const pad = KEYPAD_LETTERS[final]
  return pad === undefined ? named(KEYS_BY_LETTER[final], modifiers) : namedOrText(pad, modifiers)
}

/** The key of `CSI [ final`. */
export function keyOfLinuxConsole(final: string): Key | undefined {
  return named(LINUX_CONSOLE_KEYS[final], NONE)
}

/** The key of a control character. */
export function keyOfControl(code: number, { alt }: { alt: boolean }): Key {
  // BS is what some terminals send for Backspace and others for Ctrl+Backspace: only the former is safe to believe.
  if (code === 0x7f || code === 0x08) return key('backspace', { ...NONE, alt })
  if (code === 0x09) return key('tab', { ...NONE, alt })
  if (code === 0x0d) return key('enter', { ...NONE, alt })
  if (code === 0x1b) return key('escape', { ...NONE, alt })
  // LF stays Ctrl+J: Enter is CR in raw mode.
  const name = code === 0 ? ' ' : String.fromCharCode(code + 0x40).toLowerCase()
  return key(name, { ...NONE, ctrl: true, alt })
}

/** The key of ESC before a sign, which is how terminals say Alt. */
export function keyOfAlt(sign: string): Key {
  const isCapital = /^[A-Z]$/.test(sign)
  return key(isCapital ? sign.toLowerCase() : latinKeyOf(sign), { ...NONE, alt: true, shift: isCapital })
}

/** The same key with Alt held too. */
export function withAlt(pressed: Key): Key {
  return pressed.kind === 'key' ? { ...pressed, alt: true } : pressed
}

function keyOfBareCsi(final: string): Key | undefined {
  if (final === 'I' || final === 'O') return { kind: 'focus', isFocused: final === 'I' }
  if (final === 'Z') return key('tab', { ...NONE, shift: true })
  const arrow = RXVT_ARROWS[final]
  return arrow === undefined ? named(KEYS_BY_LETTER[final], NONE) : key(arrow, { ...NONE, shift: true })
}

/** Undefined for a key that is let go of, and for one held with Super or Hyper: those belong to the desktop. */
function modifiersOf(parameter: string): (Modifiers & { isCaps: boolean }) | undefined {
  const [bits = '', event = ''] = parameter.split(':')
  const held = Math.max(1, Number(bits || '1')) - 1
  if (event === '3' || held > 0xff || (held & 0b1_1000) !== 0) return undefined
  return { shift: (held & 1) !== 0, alt: (held & 0b10_0010) !== 0, ctrl: (held & 4) !== 0, isCaps: (held & 64) !== 0 }
}

function keyOfCode(fields: { code: string; modifiers: string; text: string }): Key | undefined {
  const modifiers = modifiersOf(fields.modifiers)
  // The code of the key, of what Shift makes of it, and of the same key on a Latin keyboard.
  const [own = '', shifted = '', latin = ''] = fields.code.split(':').map(signOf)
  if (modifiers === undefined || own === '') return undefined
  const name = KEYS_BY_CODE.get(own.codePointAt(0) ?? 0)
  if (name !== undefined) return namedOrText(name, modifiers)
  if (!isText(own)) return undefined
  if (modifiers.ctrl || modifiers.alt) return keyWithLetter({ own, shifted, latin }, modifiers)
  const typed = fields.text.split(':').map(signOf).join('')
  if (typed !== '') return isText(typed) ? { kind: 'text', text: typed } : undefined
  const isCapital = modifiers.shift !== modifiers.isCaps
  return { kind: 'text', text: modifiers.shift && shifted !== '' ? shifted : isCapital ? own.toUpperCase() : own }
}

function keyWithLetter(
  { own, shifted, latin }: { own: string; shifted: string; latin: string },
  modifiers: Modifiers,
): Key {
  const isAscii = own.charCodeAt(0) < 0x7f
  const letter = isAscii ? own.toLowerCase() : latin === '' ? latinKeyOf(own) : latin
  const name = modifiers.shift && isText(shifted) && !/^\p{L}/u.test(shifted) ? shifted : letter
  // Without this protocol these are one byte: what a person means by them must not depend on the terminal.
  const same = modifiers.ctrl && !modifiers.shift ? SAME_BYTE[name] : undefined
  return same === undefined ? key(name, modifiers) : key(same, { ...modifiers, ctrl: false })
}

const SAME_BYTE: Readonly<Record<string, string>> = { '[': 'escape', m: 'enter', i: 'tab', h: 'backspace' }

function signOf(code: string): string {
  const number = Number(code || Number.NaN)
  return number <= 0x10ffff && !(number >= 0xd800 && number <= 0xdfff) ? String.fromCodePoint(number) : ''
}

/** Neither a control character nor a private one, which the kitty protocol takes for keys such as Caps Lock. */
function isText(sign: string): boolean {
  return sign !== '' && !/[\p{Cc}\p{Co}\p{Cn}]/u.test(sign)
}

function named(name: string | undefined, modifiers: Modifiers | undefined): Key | undefined {
  return name === undefined || modifiers === undefined ? undefined : key(name, modifiers)
}

function namedOrText(name: string, modifiers: Modifiers | undefined): Key | undefined {
  if (modifiers === undefined) return undefined
  const isSign = name.length === 1 && !modifiers.ctrl && !modifiers.alt
  return isSign ? { kind: 'text', text: name } : key(name, modifiers)
}

function key(name: string, { ctrl, alt, shift }: Modifiers): Key {
  return { kind: 'key', name, ctrl, alt, shift }
}
