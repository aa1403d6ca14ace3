import { changesSomething } from './hunk-lines.ts'
import type { Hunk, HunkHeader, HunkLine } from './patch.ts'

const ELLIPSIS =
  /^\s*(?:\/\/|#|\/\*|--|<!--|;)?\s*(?:\.{3,}|\u2026)(?:[^.\u2026]{0,60}(?:\.{3}|\u2026))?\s*(?:\*\/|-->)?\s*$/

/**
 * `...` among the context stands for lines that were left out: the hunk is taken apart there, and each part has to find
 * its own place.
 */
export function splitAtEllipsis(hunk: Hunk): Hunk[] | undefined {
  if (!hunk.lines.some(isEllipsis)) return undefined
  const parts: HunkLine[][] = [[]]
  for (const line of hunk.lines) {
    if (isEllipsis(line)) parts.push([])
    else parts.at(-1)?.push(line)
  }
  const { header, lastLine: _, counted: _counted, ...rest } = hunk
  return parts.flatMap((lines, part): Hunk[] => {
    if (!changesSomething({ lines })) return []
    const isFirst = part === 0
    const isLast = part === parts.length - 1
    const lastLine = isLast && !isFirst ? lastLineOf(header) : undefined
    return [
      {
        ...rest,
        lines,
        ...(header && isFirst && { header: { oldStart: header.oldStart } }),
        ...(lastLine && { lastLine }),
      },
    ]
  })
}

function isEllipsis({ sign, text }: HunkLine): boolean {
  return sign === ' ' && text.length < 100 && ELLIPSIS.test(text)
}

function lastLineOf(header: HunkHeader | undefined): Hunk['lastLine'] {
  if (header?.oldCount === undefined || header.newStart === undefined || header.newCount === undefined) return undefined
  return { old: header.oldStart + header.oldCount - 1, new: header.newStart + header.newCount - 1 }
}
