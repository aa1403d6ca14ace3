import { type Failure, type ParseReport, placeOf, reportOf } from '../report.ts'

/** TAP, with subtests and the notes that Node and others put below each point. Leaves are counted, not groups. */
export const parseTap: ParseReport = ({ stdout, isCut }) => {
  if (isCut || !/^TAP version|^1\.\.\d+|^(?:not )?ok \d+/m.test(stdout)) return undefined
  const points = readPoints(stdout.split('\n')).filter(({ isGroup }) => !isGroup)
  const failed = points.filter((point) => !point.isOk && !point.isSkipped)
  return reportOf(
    {
      passed: points.filter((point) => point.isOk && !point.isSkipped).length,
      failed: failed.length,
      skipped: points.filter(({ isSkipped }) => isSkipped).length,
    },
    failed.map(failureOf),
  )
}

interface Point {
  readonly isOk: boolean
  readonly name: string
  readonly isSkipped: boolean
  readonly notes: ReadonlyMap<string, string>
  readonly isGroup: boolean
}

function readPoints(lines: readonly string[]): Point[] {
  const points: Point[] = []
  // The plan of a deeper level closes it; the next point above it is its group.
  let deepest = 0
  for (let at = 0; at < lines.length; at++) {
    const found = /^( *)(not )?ok\b(.*)$/.exec(lines[at] ?? '')
    if (found === null) continue
    const [, indent = '', not, rest = ''] = found
    const directive = /#\s?(?:SKIP|TODO)\b/i.exec(rest)
    const name = (directive ? rest.slice(0, directive.index) : rest).trim().replace(/^\d*\s?(?:- )?/, '')
    const { notes, next } = readNotes(lines, at + 1)
    const isGroup = indent.length < deepest || notes.get('type') === 'suite'
    points.push({ isOk: not === undefined, name, isSkipped: directive !== null, notes, isGroup })
    deepest = indent.length
    at = next - 1
  }
  return points
}

// The YAML below a point, as far as it is `key: value` and blocks of lines.
function readNotes(lines: readonly string[], start: number): { notes: Map<string, string>; next: number } {
  const notes = new Map<string, string>()
  if (lines[start]?.trim() !== '---') return { notes, next: start }
  let key = ''
  let at = start + 1
  const margin = (lines[start] ?? '').indexOf('-')
  for (; at < lines.length && lines[at]?.trim() !== '...'; at++) {
    const line = (lines[at] ?? '').slice(margin)
    const field = /^(\w+): ?(.*)$/.exec(line)
    if (field === null) notes.set(key, `${notes.get(key) ?? ''}\n${line.trim()}`.trim())
    else {
      key = field[1] ?? ''
      notes.set(key, (field[2] ?? '').replace(/^\|-?$/, '').replace(/^(['"])(.*)\1$/, '$2'))
    }
  }
  return { notes, next: at + 1 }
}

function failureOf({ name, notes }: Point): Failure {
  const [, file, line] =
    /^(?:file:\/\/)?(.*?):(\d+)(?::\d+)?$/.exec(notes.get('location') ?? notes.get('at') ?? '') ?? []
  const values = ['expected', 'actual'].filter((key) => notes.has(key)).map((key) => `${key}: ${notes.get(key)}`)
  const message = [notes.get('error') ?? notes.get('message') ?? '', ...values].filter(Boolean).join('\n')
  return { name, ...placeOf(file, line), message }
}
