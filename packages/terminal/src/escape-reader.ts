import type { Key } from './key.ts'
import { keyOfAlt, keyOfControl, keyOfCsi, keyOfLinuxConsole, keyOfSs3, withAlt } from './key-sequence.ts'

/**
 * What a byte meant: the sequence wants `more`; it is `done`; it is over but the byte is not part of it (`again`); or it
 * was the mark after which a `paste` follows.
 */
export type EscapeStep = 'more' | 'done' | 'again' | 'paste'

/** Reads what follows one ESC, byte by byte. */
export interface EscapeReader {
  take(byte: number): EscapeStep
  /** Nothing more came: what the bytes so far mean as keys. Empty when they are the beginning of a longer sequence. */
  flush(): Key[]
}

/** Where an `EscapeReader` puts what it finds. */
export interface EscapeOutlets {
  onKey(key: Key): void
  /** A whole CSI sequence that is no key, without its ESC. */
  onReport(sequence: string): void
}

/** Parameters longer than this belong to no key; the rest of such a sequence is read and forgotten. */
const LONGEST = 64

const ESC = 0x1b
const ESCAPE = keyOfControl(ESC, { alt: false })

type Mode = 'begin' | 'csi' | 'linux' | 'ss3' | 'string' | 'string-end' | 'alt-sign' | 'mouse'

/** A reader that has just seen ESC. */
export function createEscapeReader({ onKey, onReport }: EscapeOutlets): EscapeReader {
  let mode: Mode = 'begin'
  // Two ESC before a sequence are Alt with its key; before anything else the first is the key itself.
  let isDouble = false
  // The parameters of a sequence, or the bytes of a sign with Alt.
  let held = ''
  // Bytes that are still to come of a sign or of a mouse report.
  let left = 0

  function finish(pressed: Key | undefined): 'done' {
    if (pressed !== undefined) onKey(isDouble ? withAlt(pressed) : pressed)
    return 'done'
  }
  function go(next: Mode, bytes = 0): 'more' {
    mode = next
    left = bytes
    return 'more'
  }
  function hold(sign: string): 'more' {
    if (held.length < LONGEST) held += sign
    return 'more'
  }

  const takes: Record<Mode, (byte: number, sign: string) => EscapeStep> = {
    begin(byte, sign) {
      if (sign === '[') return go('csi')
      if (sign === 'O') return go('ss3')
      if (isDouble) onKey(ESCAPE)
      isDouble = byte === ESC
      if (isDouble) return 'more'
      if (STRINGS.includes(sign)) {
        held = sign
        return go('string')
      }
      if (isControl(byte)) return finish(keyOfControl(byte, { alt: true }))
      if (byte < 0x80) return finish(keyOfAlt(sign))
      held = sign
      return lengthOfSign(byte) === 0 ? 'again' : go('alt-sign', lengthOfSign(byte) - 1)
    },
    csi(byte, sign) {
      const isRxvtShift = sign === '$' && /^\d+$/.test(held)
      if (byte >= 0x20 && byte < 0x40 && !isRxvtShift) return hold(sign)
      if (isControl(byte) || byte >= 0x80) return 'again'
      if (held === '' && sign === '[') return go('linux')
      if (held === '' && sign === 'M') return go('mouse', 3)
      if (held === '200' && sign === '~') return 'paste'
      const pressed = held.length < LONGEST ? keyOfCsi(held, sign) : undefined
      if (pressed === undefined) onReport(`[${held}${sign}`)
      return finish(pressed)
    },
    linux: (byte, sign) => (isControl(byte) || byte >= 0x80 ? 'again' : finish(keyOfLinuxConsole(sign))),
    ss3(byte, sign) {
      if (/[\d;]/.test(sign)) return hold(sign)
      return isControl(byte) || byte >= 0x80 ? 'again' : finish(keyOfSs3(held, sign))
    },
    string(byte) {
      if (byte === ESC) return go('string-end')
      if (byte === BEL) return 'done'
      held = ''
      return isControl(byte) ? 'again' : 'more'
    },
    'string-end'(byte, sign) {
      if (sign === '\\') return 'done'
      mode = 'begin'
      return takes.begin(byte, sign)
    },
    'alt-sign'(byte, sign) {
      if (byte < 0x80 || byte >= 0xc0) return 'again'
      held += sign
      left--
      return left > 0 ? 'more' : finish(keyOfForeignAlt(held))
    },
    mouse() {
      left--
      return left > 0 ? 'more' : 'done'
    },
  }

  return {
    take: (byte) => takes[mode](byte, String.fromCharCode(byte)),
    flush() {
      const meant = meaningOfPause(mode, held)
      return meant === undefined ? [] : isDouble ? [ESCAPE, meant] : [meant]
    },
  }
}

const BEL = 0x07

/** OSC, DCS, APC, PM and SOS: what follows is not for us, up to BEL or ST. */
const STRINGS = ']P_^X'

function isControl(byte: number): boolean {
  return byte < 0x20 || byte === 0x7f
}

/** How many bytes of UTF-8 begin with this one; 0 when none can. */
function lengthOfSign(byte: number): number {
  if (byte >= 0xc2 && byte <= 0xdf) return 2
  if (byte >= 0xe0 && byte <= 0xef) return 3
  return byte >= 0xf0 && byte <= 0xf4 ? 4 : 0
}

function keyOfForeignAlt(bytes: string): Key | undefined {
  const sign = Buffer.from(bytes, 'latin1').toString()
  return /^[\ufffd\u0080-\u009f]/.test(sign) ? undefined : keyOfAlt(sign)
}

function meaningOfPause(mode: Mode, held: string): Key | undefined {
  if (mode === 'begin' || mode === 'string-end') return ESCAPE
  if (mode === 'csi') return held === '' ? keyOfAlt('[') : undefined
  if (mode === 'ss3') return held === '' ? keyOfAlt('O') : undefined
  return mode === 'string' && held !== '' ? keyOfAlt(held) : undefined
}
