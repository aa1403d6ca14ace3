/** One line of a text. Never changed, only replaced: whoever keeps something about a line can key it by the object. */
export interface Line {
  readonly text: string
}

/** A place between two signs: a line from zero and an offset into its text. */
export interface Position {
  readonly line: number
  readonly offset: number
}

export interface TextBuffer {
  readonly lines: readonly Line[]
  readonly isEmpty: boolean
  readonly end: Position
  /** The line; beyond the last one there is none, which is a bug of the caller. */
  lineAt(line: number): Line
  between(from: Position, to: Position): string
  /** Puts text in the place of what stands between the two; gives where it ends and what was there. */
  replace(from: Position, to: Position, text: string): { readonly end: Position; readonly removed: string }
}

export const START: Position = { line: 0, offset: 0 }

export function comparePositions(one: Position, other: Position): number {
  return one.line - other.line || one.offset - other.offset
}

/** A text as its lines, so that a change touches only those it is in. */
export function createTextBuffer(): TextBuffer {
  const lines: Line[] = [{ text: '' }]

  const lineAt = (line: number) => {
    const found = lines[line]
    if (found === undefined) throw new RangeError(`line ${line} of ${lines.length}`)
    return found
  }

  const between = (from: Position, to: Position) => {
    if (from.line === to.line) return lineAt(from.line).text.slice(from.offset, to.offset)
    const inner = lines.slice(from.line + 1, to.line).map((line) => line.text)
    return [lineAt(from.line).text.slice(from.offset), ...inner, lineAt(to.line).text.slice(0, to.offset)].join('\n')
  }

  return {
    lines,
    get isEmpty() {
      return lines.length === 1 && lineAt(0).text === ''
    },
    get end() {
      return { line: lines.length - 1, offset: lineAt(lines.length - 1).text.length }
    },
    lineAt,
    between,
    replace(from, to, text) {
      const removed = between(from, to)
      const before = lineAt(from.line).text.slice(0, from.offset)
      const after = lineAt(to.line).text.slice(to.offset)
      const added = text.split('\n')
      const last = added.length - 1
      const end =
        last === 0
          ? { line: from.line, offset: from.offset + text.length }
          : { line: from.line + last, offset: added[last]?.length ?? 0 }
      const fresh = added.map((part, index) => ({
        text: `${index === 0 ? before : ''}${part}${index === last ? after : ''}`,
      }))
      replaceLines(lines, fresh, { at: from.line, count: to.line - from.line + 1 })
      return { end, removed }
    },
  }
}

// Not splice(at, count, ...fresh): a call takes only so many arguments, and a text can have more lines than that.
function replaceLines(lines: Line[], fresh: readonly Line[], { at, count }: { at: number; count: number }): void {
  const [first] = fresh
  if (fresh.length === 1 && count === 1 && first !== undefined) {
    lines[at] = first
    return
  }
  const behind = lines.slice(at + count)
  lines.length = at
  for (const line of fresh) lines.push(line)
  for (const line of behind) lines.push(line)
}
