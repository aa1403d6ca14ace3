/** `CSI number ~`: xterm, the Linux console and rxvt agree but for Home and End, where the numbers do not collide. */
export const KEYS_BY_NUMBER: Readonly<Record<string, string>> = {
  1: 'home',
  2: 'insert',
  3: 'delete',
  4: 'end',
  5: 'page-up',
  6: 'page-down',
  7: 'home',
  8: 'end',
  11: 'f1',
  12: 'f2',
  13: 'f3',
  14: 'f4',
  15: 'f5',
  17: 'f6',
  18: 'f7',
  19: 'f8',
  20: 'f9',
  21: 'f10',
  23: 'f11',
  24: 'f12',
}

/** `CSI letter`, `CSI 1 ; modifiers letter` and `SS3 letter`. */
export const KEYS_BY_LETTER: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  F: 'end',
  H: 'home',
  P: 'f1',
  Q: 'f2',
  R: 'f3',
  S: 'f4',
}

/** rxvt has small letters for arrows: `CSI a` with Shift, `SS3 a` with Ctrl. */
export const RXVT_ARROWS: Readonly<Record<string, string>> = { a: 'up', b: 'down', c: 'right', d: 'left' }

/** rxvt ends a numbered key with another sign than `~` when a modifier is held. */
export const RXVT_ENDS: Readonly<Record<string, { ctrl: boolean; shift: boolean }>> = {
  $: { ctrl: false, shift: true },
  '^': { ctrl: true, shift: false },
  '@': { ctrl: true, shift: true },
}

/** `CSI [ letter` of the Linux console. */
export const LINUX_CONSOLE_KEYS: Readonly<Record<string, string>> = { A: 'f1', B: 'f2', C: 'f3', D: 'f4', E: 'f5' }

/** The number pad in application mode, `SS3 letter`: text but for Enter and Tab. */
export const KEYPAD_LETTERS: Readonly<Record<string, string>> = {
  M: 'enter',
  I: 'tab',
  ' ': ' ',
  X: '=',
  j: '*',
  k: '+',
  l: ',',
  m: '-',
  n: '.',
  o: '/',
  p: '0',
  q: '1',
  r: '2',
  s: '3',
  t: '4',
  u: '5',
  v: '6',
  w: '7',
  x: '8',
  y: '9',
}

/** Code points that are keys and not text in `CSI code u` and in `CSI 27 ; modifiers ; code ~`. */
export const KEYS_BY_CODE: ReadonlyMap<number, string> = new Map([
  [8, 'backspace'],
  [9, 'tab'],
  [10, 'enter'],
  [13, 'enter'],
  [27, 'escape'],
  [127, 'backspace'],
  ...numbered(57_364, ['f1', 'f2', 'f3', 'f4', 'f5', 'f6', 'f7', 'f8', 'f9', 'f10', 'f11', 'f12']),
  // The number pad of the kitty protocol.
  ...numbered(57_399, ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '/', '*', '-', '+', 'enter', '=', ',']),
  ...numbered(57_417, ['left', 'right', 'up', 'down', 'page-up', 'page-down', 'home', 'end', 'insert', 'delete']),
])

function numbered(first: number, names: readonly string[]): [number, string][] {
  return names.map((name, i) => [first + i, name])
}

// The Korean keyboard (두벌식) over the Latin one, key by key; the second row is what Shift gives.
const LATIN = 'qwertyuiopasdfghjklzxcvbnm' + 'qwertop'
const HANGUL = 'ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡ' + 'ㅃㅉㄸㄲㅆㅒㅖ'

/** The letter that stands on the same key, so that Ctrl+ㅊ is Ctrl+C for who forgot to switch. */
export function latinKeyOf(sign: string): string {
  return LATIN[HANGUL.indexOf(sign)] ?? sign
}
