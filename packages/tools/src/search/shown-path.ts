/** A path on one line, whatever is in its name. */
export function shownPath(path: string): string {
  return path.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (control) => `\\u{${(control.codePointAt(0) ?? 0).toString(16)}}`)
}
