import { structuredPatch } from 'diff'
import type { Random } from './random.ts'

/** A change of one file as a diff shows it, and the texts before and after. */
export interface Change {
  readonly path: string
  readonly before: string
  readonly after: string
  readonly hunks: readonly DiffHunk[]
}

/** One hunk of a unified diff; a line begins with its sign. */
export interface DiffHunk {
  oldStart: number
  oldCount: number
  newStart: number
  newCount: number
  lines: string[]
}

/** Changes a text as people do: in a few places, with lines much like those that are there already. */
export function makeChange(path: string, before: string, random: Random): Change | undefined {
  const end = before.endsWith('\n') ? '\n' : ''
  const lines = before.slice(0, before.length - end.length).split('\n')
  const edits = 1 + random.below(4)
  const step = /^\t/m.test(before) ? '\t' : '  '
  for (let edit = 0; edit < edits; edit++) editOnce(lines, { random, step })
  const after = lines.join('\n') + end
  return after === before ? undefined : diffChange(path, before, after)
}

/** The hunks between two texts. */
export function diffChange(path: string, before: string, after: string): Change {
  const { hunks } = structuredPatch(path, path, before, after, '', '', { context: 3 })
  return {
    path,
    before,
    after,
    hunks: hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
      oldStart,
      oldCount: oldLines,
      newStart,
      newCount: newLines,
      lines,
    })),
  }
}

function editOnce(lines: string[], { random, step }: { random: Random; step: string }): void {
  const at = random.below(Math.max(1, lines.length - 1))
  const borrowed = () => {
    const start = random.below(lines.length)
    return lines
      .slice(start, start + 1 + random.below(5))
      .map((line) => (random.chance(0.5) ? reword(line, random) : line))
  }
  switch (random.below(7)) {
    case 0:
    case 1:
      lines[at] = reword(lines[at] ?? '', random)
      break
    case 2:
      lines.splice(at, 1 + random.below(4))
      break
    case 3:
      lines.splice(at, 0, ...borrowed())
      break
    case 4:
      lines.splice(at, 1 + random.below(5), ...borrowed())
      break
    case 5: {
      const [moved = ''] = lines.splice(at, 1)
      lines.splice(Math.min(lines.length, at + 1 + random.below(4)), 0, moved)
      break
    }
    default: {
      const size = 1 + random.below(4)
      const indent = /^\s*/.exec(lines[at] ?? '')?.[0] ?? ''
      const inner = lines.slice(at, at + size).map((line) => (line === '' ? line : step + line))
      lines.splice(at, size, `${indent}if (ready${random.below(100)}) {`, ...inner, `${indent}}`)
    }
  }
}

function reword(line: string, random: Random): string {
  const words = [...line.matchAll(/\w+/g)]
  if (words.length === 0) return random.chance(0.5) ? `${line}// ${random.below(1000)}` : line
  const word = random.pick(words)
  const fresh = random.chance(0.5) ? `${word[0]}${random.below(100)}` : `value${random.below(1000)}`
  return line.slice(0, word.index) + fresh + line.slice(word.index + word[0].length)
}
