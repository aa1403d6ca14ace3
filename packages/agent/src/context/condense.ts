import { cutMiddle } from '../excerpt.ts'
import { SUMMARY_HEADING } from '../summarise/render-conversation.ts'
import type { NamedLine } from './find-names.ts'
import { DECIDES, type Words, type WorkNotes } from './work-notes.ts'

export interface Condensing {
  notes: WorkNotes
  /** What was said in the turns that go; what is kept need not be said twice. */
  isDropped(seq: number): boolean
  /** Tokens that the whole may take, and how they are counted. */
  room: number
  count(text: string): number
  /** The model's own words, as far as there are any. */
  summary: string
  /** Tokens that they may take at most. */
  summaryRoom: number
  /** Adds what the kept turns need and the text so far does not hold. */
  findMissing(known: string): NamedLine[]
}

const HEAD = `[Earlier turns of this session were condensed to make room. Everything below was read from the session's log and is exact, but for the last section. The user's words still hold. Nothing is lost: ReadFile shows an earlier output under the name output:… that stands beside it. Go on with the work.]`

/**
 * What stands in place of the turns that go. The sections that were read from the log come first and have their own room:
 * whatever the model's summary is, nothing of them depends on it.
 */
export function condense(condensing: Condensing): string {
  const { notes, isDropped, room, count, summary, summaryRoom, findMissing } = condensing
  const sections: string[] = [HEAD]
  let left = room - count(HEAD)
  const add = (heading: string, lines: Line[], share: number) => {
    const { text, tokens } = fill(lines, { room: Math.min(left, share * room), count, limit: left })
    if (text === '') return
    sections.push(`## ${heading}\n${text}`)
    left -= tokens + 8
  }
  add('What the user said, word for word, oldest first', userLines(notes, { isDropped, room: 0.4 * room, count }), 0.45)
  add('Pinned by the user', pinnedLines(notes), 0.2)
  add('What the user answered and decided', answerLines(notes), 0.1)
  add(
    'To do',
    notes.todo.map(({ text, status }) => line(`- [${status}] ${text}`)),
    0.08,
  )
  add('Files of this session (read: lines and hash of what was shown)', fileLines(notes), 0.15)
  add('Commands, with their last result', commandLines(notes), 0.2)
  add('Errors met', notes.errors.map(errorLine), 0.08)
  add('What was said and decided at the time', saidLines(notes.said, isDropped), 0.15)
  const words = withinRoom(summary, Math.min(left, 0.25 * room, summaryRoom), count)
  const known = [...sections, words].join('\n')
  add('Names that the turns below use, where they last stood', findMissing(known).map(namedLine), 0.1)
  sections.push(`${SUMMARY_HEADING}\n${words === '' ? '(none)' : words}`)
  return sections.join('\n\n')
}

interface Line {
  text: string
  /** Shorter, where there is no room for all. */
  brief?: string
  /** Kept before others. */
  isFirm?: boolean
  /** Something newer says the same. */
  isRepeated?: boolean
}

const line = (text: string, brief?: string): Line => (brief === undefined ? { text } : { text, brief })

// The newest come first into the room, firm ones before them and repeated ones behind; what does not fit is counted, not
// hidden.
function fill(
  lines: Line[],
  { room, count, limit }: { room: number; count: (text: string) => number; limit: number },
): { text: string; tokens: number } {
  const chosen = new Map<number, string>()
  let left = room
  const choose = (at: number, text: string | undefined, most: number): boolean => {
    if (text === undefined || chosen.has(at)) return false
    const tokens = count(text) + 1
    if (tokens > most) return false
    chosen.set(at, text)
    left -= tokens
    return true
  }
  const newestFirst = [...lines.keys()].toReversed()
  const firm = newestFirst.filter((at) => lines[at]?.isFirm)
  const fresh = newestFirst.filter((at) => !lines[at]?.isRepeated)
  for (const at of [...firm, ...fresh, ...newestFirst]) {
    const { text, brief, isFirm } = lines[at] as Line
    // What is firm may also take what others have not used yet.
    const most = isFirm ? Math.max(left, limit / 2 - (room - left)) : left
    if (!choose(at, text, most)) choose(at, brief, most)
  }
  const omitted = lines.length - chosen.size
  const shown = [...chosen.entries()].toSorted(([a], [b]) => a - b).map(([, text]) => text)
  if (shown.length === 0 && omitted === 0) return { text: '', tokens: 0 }
  const note = omitted > 0 ? [`(${omitted} older ${omitted === 1 ? 'one is' : 'ones are'} in the log alone)`] : []
  const text = [...note, ...shown].join('\n')
  return { text, tokens: room - left + 12 * note.length }
}

const INSTRUCTS =
  /\b(?:always|never|must(?: not)?|do not|don't|from now on|make sure|remember|prefer|only use|avoid|should|rules?|convention|important|every time|whenever|keep)\b|항상|언제나|절대|반드시|앞으로|하지\s*마|말아|말 것|기억|규칙|금지|꼭|해야|마세요|마십시오|지키/i

const CAPS = [4_000, 2_000, 1_000, 500, 250]

function userLines(
  { inputs }: WorkNotes,
  { isDropped, room, count }: { isDropped(seq: number): boolean; room: number; count(text: string): number },
): Line[] {
  const dropped = inputs.filter(({ seq }) => isDropped(seq))
  const sizes = dropped.map(({ text }) => ({ length: text.length, tokens: count(text) }))
  const tokensWithin = (cap: number) =>
    sizes.reduce((sum, { length, tokens }) => sum + (length > cap ? (tokens * cap) / length + 30 : tokens) + 6, 0)
  const cap = CAPS.find((one) => tokensWithin(one) <= room) ?? 120
  const newest = new Map(dropped.map(({ seq, text }) => [withoutNumbers(text), seq]))
  return dropped.map((words) => {
    const isFirm = INSTRUCTS.test(words.text) || DECIDES.test(words.text)
    const isRepeated = newest.get(withoutNumbers(words.text)) !== words.seq
    return { ...line(quote(words, isFirm ? Math.max(cap, 1_000) : cap), quote(words, 120)), isFirm, isRepeated }
  })
}

// "Go on", "step 3, please": said again and again, the last one tells most.
const withoutNumbers = (text: string) => text.replaceAll(/\d+/g, '#').trim().toLowerCase()

function quote({ seq, text, blob }: Words, cap: number): string {
  const isCut = text.length > cap || blob !== undefined
  return `[#${seq}] ${cutMiddle(text, cap)}${isCut ? `\n(the whole: ReadFile "output:input-${seq}")` : ''}`
}

function pinnedLines({ pinned }: WorkNotes): Line[] {
  return pinned.map(({ seq, what, parts }) => {
    const text = parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n')
    return { text: `[#${seq}] ${what}\n${text}`, brief: `[#${seq}] ${what}\n${cutMiddle(text, 600)}`, isFirm: true }
  })
}

function answerLines({ answers, approvals }: WorkNotes): Line[] {
  const told = answers.map(({ seq, question, answer }) => ({
    seq,
    text: `- asked "${cutMiddle(question, 300)}", the user answered: ${cutMiddle(answer, 600)}`,
  }))
  const judged = approvals.map(({ seq, what, option, words }) => ({
    seq,
    text: `- ${option}: ${cutMiddle(what, 200)}${words === undefined ? '' : ` (the user said: ${cutMiddle(words, 300)})`}`,
  }))
  return [...told, ...judged].toSorted((a, b) => a.seq - b.seq).map(({ text }) => ({ text, isFirm: true }))
}

function fileLines({ files }: WorkNotes): Line[] {
  return [...files.values()].map(({ path, read, edits, after }) => {
    const seen = read && `read ${read.lines} (${read.hash})`
    const changed = edits > 0 && `edited ${edits}×, ${after === 'gone' ? 'deleted' : `now ${after?.slice(0, 12)}`}`
    return line(`- ${path}: ${[seen, changed].filter(Boolean).join('; ')}`, `- ${path}`)
  })
}

function commandLines({ commands }: WorkNotes): Line[] {
  return [...commands.values()].map(({ command, times, outcome, said, callId }) => {
    const repeated = times > 1 ? ` (${times}×)` : ''
    const head = `- ${cutMiddle(command, 200)}${repeated} → ${outcome} [output:${callId}]`
    return line(`${head}\n  ${cutMiddle(said.trim(), 360).replaceAll('\n', '\n  ')}`, `${head} ${firstLine(said)}`)
  })
}

function errorLine({ what, message, callId }: WorkNotes['errors'][number]): Line {
  return line(
    `- ${cutMiddle(what, 160)}: ${cutMiddle(message, 260)} [output:${callId}]`,
    `- ${cutMiddle(message, 120)}`,
  )
}

function saidLines(said: WorkNotes['said'], isDropped: (seq: number) => boolean): Line[] {
  const seen = new Set<string>()
  return said
    .filter(({ seq, text }) => isDropped(seq) && !seen.has(text) && seen.add(text))
    .map(({ text, isDecision }) => {
      const plain = text.replaceAll(/\s+/g, ' ')
      const shown = line(`- ${cutMiddle(plain, 500)}`, `- ${cutMiddle(plain, 160)}`)
      return isDecision ? { ...shown, isFirm: true } : shown
    })
}

function namedLine({ name, line: held, callId }: NamedLine): Line {
  return line(`- ${name}: ${held}${callId === undefined ? '' : ` [output:${callId}]`}`)
}

const firstLine = (text: string) => text.split('\n', 1)[0]?.slice(0, 80) ?? ''

function withinRoom(text: string, room: number, count: (text: string) => number): string {
  const tokens = count(text)
  if (tokens <= room) return text
  return room < 40 ? '' : cutMiddle(text, Math.floor((text.length * room) / tokens))
}
