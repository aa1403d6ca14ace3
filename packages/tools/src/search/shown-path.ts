// Control characters, line ends, and signs that turn the direction of what follows.
const UNSHOWN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** A path on one line and in its order, whatever is in its name. */
export function shownPath(path: string): string {
  return path.replace(UNSHOWN, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`)
}
