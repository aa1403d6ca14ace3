/**
 * What stands before a place in its own line, at most `reach` signs of it. Where the line begins further before, a sign
 * that no pattern knows stands first, so that `^` means the beginning of the line and nothing else.
 */
export function lineBefore(text: string, at: number, reach: number): string {
  const from = Math.max(0, at - reach)
  const before = text.slice(from, at)
  const newline = before.lastIndexOf('\n')
  if (newline >= 0) return before.slice(newline + 1)
  return from === 0 ? before : `\0${before}`
}
