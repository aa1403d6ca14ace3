import { looseTail } from './hunk-lines.ts'
import type { FilePatch, PlannedChange } from './patch.ts'
import { refuse } from './refuse.ts'
import { showLines } from './show-landed.ts'
import { splitText } from './text-lines.ts'

type Create = Extract<FilePatch, { kind: 'create' }>

/** The file that a patch creates, or nothing if it is there already just as it should be. */
export function planCreate(
  { path, hunk, isExecutable }: Create,
  existing: string | undefined,
): PlannedChange | undefined {
  const where = { file: path, hunk: hunk.number, line: hunk.at }
  // Blank lines lose their + more often than any other; what stands behind the last + is prose.
  const lines = hunk.lines.slice(0, hunk.lines.length - looseTail(hunk.lines.map(asLoose)))
  const stray = lines.find(({ sign, text }) => sign !== '+' && text.trim() !== '')
  if (stray) {
    const message = `${path} is new, but line ${stray.at} of the patch does not begin with +.`
    refuse('malformed', { message, hint: 'Put a + before every line of a new file.' }, { ...where, line: stray.at })
  }
  const isShort = hunk.header?.newCount !== undefined && lines.length < hunk.header.newCount
  if (hunk.mayBeCut && lines.length === hunk.lines.length && (isShort || hunk.mayBeCut === 'likely')) {
    const message = `${path} seems to be cut off: its header counts ${hunk.header?.newCount ?? 'more'} lines, and ${lines.length} are there.`
    const hint = 'Send the whole patch again; if nothing is missing, correct the count.'
    refuse('truncated', { message, hint }, where)
  }
  const isUnended = lines.at(-1)?.isUnended ?? false
  const after = lines.map(({ text }) => text).join('\n') + (isUnended || lines.length === 0 ? '' : '\n')
  if (existing !== undefined && splitText(existing).lines.join('\n') === splitText(after).lines.join('\n'))
    return undefined
  if (existing !== undefined) {
    const message = `${path} exists already, and is not what this patch would create.`
    refuse('file-exists', { message, hint: 'Read it, then send a patch that updates it.' }, where)
  }
  const landed = [
    {
      hunk: 1,
      first: 1,
      last: lines.length,
      lines: showLines(splitText(after).lines, { first: 0, end: lines.length }),
      tolerances: [],
    },
  ]
  return {
    kind: 'create',
    path,
    after,
    landed: lines.length === 0 ? [] : landed,
    ...(isExecutable && { isExecutable }),
  }
}

function asLoose<Line extends { sign: string; isLoose?: boolean }>(line: Line): Line {
  return line.sign === '+' ? { ...line, isLoose: false } : line
}
