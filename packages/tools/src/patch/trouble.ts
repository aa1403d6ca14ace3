import { explainMismatch } from './explain.ts'
import { type LineIndex, MAX_PLACES } from './line-index.ts'
import type { Hunk, PatchCode, PatchDetails, PatchDiagnostic } from './patch.ts'
import type { Reading } from './reading.ts'
import { cut, numbered } from './refuse.ts'

/** Why one hunk cannot be applied. Rows are from 0. */
export type Trouble =
  | { code: 'truncated' | 'empty-hunk' | 'no-context' | 'no-change' }
  | { code: 'not-found'; readings: readonly Reading[] }
  | { code: 'ambiguous'; rows: readonly number[]; cause: 'repeated' | 'numbers-disagree' | 'line-left-out' }
  | { code: 'already-applied'; row: number }
  | { code: 'indentation-unclear' | 'punctuation-unclear'; row: number; isForeign: boolean }
  | { code: 'overlap'; other: number }
  | { code: 'not-as-indexed'; blob: string }

/** A refusal that is longer is read by nobody. */
export const MOST_DIAGNOSTICS = 10

const MOST_CANDIDATES = 20
const AROUND = 3

/** The same in words that the model can act on. */
export function describeTrouble(
  trouble: Trouble,
  about: { file: string; hunk: Hunk; index: LineIndex },
): PatchDiagnostic {
  const { file, hunk, index } = about
  const which = `Hunk ${hunk.number} of ${file}`
  const where = { file, hunk: hunk.number, line: hunk.at }
  const say = (message: string, hint: string, details: PatchDetails = {}): PatchDiagnostic => {
    const code: PatchCode = trouble.code
    return { code, message: `${which} ${message}`, hint, details: { ...where, ...details } }
  }
  const near = (row: number) => ({ found: numbered(index.lines, row - AROUND, 2 * AROUND + 1) })
  switch (trouble.code) {
    case 'truncated':
      return say(
        'seems to be cut off: its header counts more lines than there are.',
        'Send the whole patch again; if nothing is missing, write "@@ @@" without numbers and end with a line of context.',
      )
    case 'empty-hunk':
      return say('changes nothing.', 'Mark what is taken away with - and what is added with +, or leave the hunk out.')
    case 'no-context':
      return say('has no old line, so nothing says where it goes.', 'Add the lines before and behind it as context.')
    case 'no-change':
      return say(
        'takes away and adds the same text.',
        'Nothing has to be done; line endings can only be changed by writing the file.',
      )
    case 'not-found': {
      const details = explainMismatch(hunk, trouble.readings, index)
      const { stopsAt, expected } = details
      if (stopsAt === undefined) return say('fits nowhere: none of its old lines is there.', READ_AGAIN, details)
      const message = `fits nowhere; the closest place differs at line ${stopsAt}: the patch has ${quote(expected ?? '')}.`
      return say(message, 'Copy the old lines from "found", or read the file again.', details)
    }
    case 'ambiguous': {
      const candidates = trouble.rows.slice(0, MOST_CANDIDATES).map((row) => row + 1)
      const { message, hint } = AMBIGUOUS[trouble.cause](trouble.rows.length, candidates.join(', '))
      return say(message, hint, { candidates, ...near(trouble.rows[0] ?? 0) })
    }
    case 'already-applied':
      return say(
        `seems to be applied already at line ${trouble.row + 1}, but its numbers do not prove it.`,
        'Leave this hunk out if that is so; if not, add context around it.',
        { candidates: [trouble.row + 1], ...near(trouble.row) },
      )
    case 'indentation-unclear':
      if (trouble.isForeign)
        return say(
          'adds lines that are indented with tabs or blanks as nothing around them is.',
          'Indent them as the file does; if they are meant as they are, write the file whole.',
          near(trouble.row),
        )
      return say(
        `fits only with another indentation at line ${trouble.row + 1}, and how to indent the added lines is unclear.`,
        'Write all lines with the indentation of the file.',
        { stopsAt: trouble.row + 1, ...near(trouble.row) },
      )
    case 'punctuation-unclear':
      return say(
        `has quotes, dashes or blanks in its added lines that the file writes in two ways.`,
        'Copy the old lines from "found", and write the added ones exactly as they should be.',
        { stopsAt: trouble.row + 1, ...near(trouble.row) },
      )
    case 'overlap':
      return say(`changes the same lines as hunk ${trouble.other}.`, 'Make one hunk of the two.')
    case 'not-as-indexed':
      return notAsIndexed(file, trouble.blob)
    default:
      return trouble satisfies never
  }
}

/** The files are those that a patch was made for, and yet it would make something else of this one. */
export function notAsIndexed(file: string, blob: string): PatchDiagnostic {
  const message = `The patch was made for just these files, but ${file} would not become what its index line names (${blob}).`
  const hint = 'Some line is not as it was: send the patch again, or leave the index line out if it is meant so.'
  return { code: 'not-as-indexed', message, hint, details: { file } }
}

const READ_AGAIN = 'Read the file again, and copy the old lines from it.'

const AMBIGUOUS: Record<
  Extract<Trouble, { code: 'ambiguous' }>['cause'],
  (count: number, lines: string) => { message: string; hint: string }
> = {
  repeated: (count, lines) => ({
    message: `fits at ${count < MAX_PLACES ? count : `${count} or more`} places, beginning at lines ${lines}.`,
    hint: 'Add lines of context until it fits at one only, or give the exact line in "@@ -LINE,COUNT +LINE,COUNT @@".',
  }),
  'numbers-disagree': (_, lines) => ({
    message: `could belong to lines ${lines}: its numbers and its text do not lead to the same place.`,
    hint: 'Read the file again; give more context, or the exact line numbers.',
  }),
  'line-left-out': (_, lines) => ({
    message: `leaves out a line of the file at line ${lines}, and the added lines could go before or behind it.`,
    hint: 'Repeat the hunk with all lines of context around what is added.',
  }),
}

function quote(line: string): string {
  return JSON.stringify(cut(line))
}
