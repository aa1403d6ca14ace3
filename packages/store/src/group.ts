/**
 * Facts of one append are all there or none. On every line of it but the last stands a blank behind the JSON: "more of
 * this append follows". A reader waits for the last line; a writer that finds the last one missing cuts the rest off.
 * Other programs that read the log as JSON lines need not know.
 */
const MORE = ' '

/** Marks the lines of one append. */
export function joinGroup(lines: string[]): string[] {
  return lines.map((line, at) => (at < lines.length - 1 ? line + MORE : line))
}

/** Whether the line is not the last of its append. */
export function isContinued(line: string): boolean {
  return line.endsWith(MORE)
}
