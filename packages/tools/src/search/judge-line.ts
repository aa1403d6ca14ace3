const DEFINES =
  /(?:^|[\s({;])(?:function\*?|class|interface|type|enum|struct|trait|union|def|fn|func|fun|sub|proc|module|namespace|package|object|record|protocol|const|let|var|val|static|#\s*define|table|view|procedure)\s+(?:\([^()]*\)\s*)?$/i
const MODIFIERS =
  /^\s*(?:(?:public|private|protected|internal|static|async|export|default|readonly|get|set|override|abstract|final|pub)\s+)*\*?\s*$/

// A line of a program is not longer; the beginning of a minified one says nothing.
const LONGEST = 400

/** Whether a line defines what it matches: a keyword of some language before it, or the head of a method. */
export function isDefinition(line: string, { start, end }: { start: number; end: number }): boolean {
  if (line.length > LONGEST) return false
  const before = line.slice(0, start)
  if (DEFINES.test(before)) return !/^\w/.test(line.slice(end))
  return MODIFIERS.test(before) && /^\s*[(<]/.test(line.slice(end)) && /[{:]\s*$/.test(line)
}

/** Whether a match begins and ends where words do. */
export function isWholeWord(line: string, { start, end }: { start: number; end: number }): boolean {
  return (
    !/[\p{L}\p{N}_]$/u.test(line.slice(Math.max(start - 2, 0), start)) &&
    !/^[\p{L}\p{N}_]/u.test(line.slice(end, end + 2))
  )
}
