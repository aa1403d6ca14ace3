import type { Translator } from '@maru/i18n'
import {
  type Live,
  type NoteEntry,
  type Part,
  type Recorded,
  type RecordedOf,
  type Step,
  transcript,
} from '@maru/protocol'
import { type TextStyle, wrapText } from '@maru/terminal'
import { renderEntry } from '../replay/render-entry.ts'
import { printable } from '../terminal/printable.ts'
import { tellFailure } from '../terminal/tell-failure.ts'
import { createPrintQueue } from './print-queue.ts'
import { runningLines } from './running-lines.ts'
import { createSeen, isEnded } from './seen.ts'
import { createSpeech, type Speech } from './speech.ts'
import { expandedStep, stepLines } from './step-lines.ts'
import { createToolOutput } from './tool-output.ts'
import { type SaidWords, saidLines, textOf } from './words-lines.ts'

export interface ViewOptions {
  readonly t: Translator
  readonly style: TextStyle
  readonly isVerbose: boolean
  readonly now: () => number
  /** What is typed stays where it was typed: only what was said before is printed. */
  readonly isEchoed?: boolean
}

/** What happens in a session as lines: what is over, to be printed once, and what is under way, to be drawn. */
export interface View {
  /** What was there before this process is told first, and shown when `endPast` is called. */
  fact(record: Recorded, isPast: boolean): void
  endPast(): void
  live(event: Live): void
  /** A line for people that is no fact. */
  note(line: string): void
  /** Lines as they are, between the others. */
  show(lines: readonly string[]): void
  /** What is over and was not given yet, in order, no wider than `width`. */
  take(width: number): string[]
  /** What is under way, newest last, in at most so many rows. */
  render(width: number, rows: number): string[]
  /** Said, and not given to the model yet. */
  readonly queued: readonly SaidWords[]
  /** Calls are under way, or wait. */
  readonly isCalling: boolean
  /** The model is in the middle of a text. */
  readonly isSpeaking: boolean
  /** Something was said in this session. */
  readonly isUsed: boolean
  /** The last call in full, between the others; false if there was none. */
  expand(session: string): boolean
  /** Another session follows. */
  reset(): void
}

/** A view of one session at a time. */
export function createView(options: ViewOptions): View {
  const { t, style, isVerbose, now, isEchoed = false } = options
  const queue = createPrintQueue((count) => style.dim(`· ${t('screen.earlier', { count })}`))
  let seen = createSeen()
  let blocks = 0

  const addNote = (text: string) => queue.add('note', (width) => wrapLines(style.dim(`· ${text}`), width))
  const printSaid = (said: SaidWords) => queue.add(`words ${blocks++}`, (width) => saidLines(said, { t, style, width }))
  const consume = (inputs: readonly number[], isPast: boolean) => {
    for (const seq of inputs) {
      const said = seen.queued.get(seq)
      if (said && (isPast || !isEchoed)) printSaid(said)
      seen.queued.delete(seq)
    }
  }
  const printStep = (step: Step) => {
    const preview = seen.previews.get(step.callId)
    queue.add('step', (width) => stepLines(step, preview, { t, style, width, isVerbose }))
    seen.last = { step, preview }
    for (const known of [seen.previews, seen.outputs, seen.started]) known.delete(step.callId)
  }
  // Calls are printed in their order, each as soon as those before it are over.
  const advance = () => {
    const { waiting } = seen.state
    for (let [entry] = waiting; entry; [entry] = waiting) {
      if (entry.kind === 'note') {
        const note = entry
        if (isWorthTelling(note, seen.hasFailed))
          queue.add('note', (width) => wrapLines(renderNote(note, options), width))
        if (note.record.type === 'run-end') seen.hasFailed = false
      }
      if (entry.kind === 'message') {
        for (let step = entry.steps[seen.printed]; step && isEnded(step); step = entry.steps[seen.printed]) {
          printStep(step)
          seen.printed++
        }
        if (seen.printed < entry.steps.length) return
        seen.printed = 0
      }
      waiting.shift()
    }
  }
  const endTurn = (record: RecordedOf<'turn-end' | 'turn-fail'>, isPast: boolean) => {
    const heard = seen.speech?.turnId === record.turnId ? seen.speech.speech : undefined
    seen.speech = undefined
    printText(record.parts, heard, record.turnId)
    if (record.type === 'turn-end' || record.failure.code === 'aborted') return
    seen.hasFailed = !isPast || record.failure.code !== 'cut'
    const { code, message } = record.failure
    const text = style.red(t('replay.failure', { code, message: printable(tellFailure(message, t)) }))
    queue.add('failure', (width) => wrapLines(text, width))
  }
  const printText = (parts: readonly Part[], heard: Speech | undefined, turnId: string) => {
    const said = parts.filter((part) => part.type === 'text')
    const texts = said.map(({ text }) => text)
    const cut = heard ? undefined : said.find(({ blob }) => blob)?.blob
    heard?.end(texts)
    if (texts.length === 0 && !heard) return
    queue.add(`text ${turnId}`, (width) => {
      const speech = heard ?? createSpeech(style)
      if (!heard) speech.end(texts)
      return [...speech.take(width), ...(cut ? [style.dim(t('replay.cut', { bytes: cut.bytes }))] : [])]
    })
  }
  return {
    fact(record, isPast) {
      if (isPast) queue.readPast()
      else queue.endPast()
      transcript.apply(seen.state, record)
      switch (record.type) {
        case 'input-admit':
          seen.isUsed = true
          seen.queued.set(record.seq, { text: textOf(record.parts), delivery: record.delivery })
          break
        case 'message-add':
          if (record.role === 'user') printSaid({ text: textOf(record.parts), delivery: 'queue' })
          else printText(record.parts, undefined, String(record.seq))
          break
        case 'run-start':
          consume(record.inputs ?? [], isPast)
          break
        case 'turn-start':
          advance()
          consume(record.inputs ?? [], isPast)
          break
        case 'turn-end':
        case 'turn-fail':
          endTurn(record, isPast)
          break
        case 'approval-ask':
          if (record.preview) seen.previews.set(record.callId, record.preview)
          break
        case 'tool-start':
          // When it began in another process is not known here.
          if (!isPast) seen.started.set(record.callId, now())
          break
        default:
        // The transcript knows what the others mean.
      }
      advance()
    },
    endPast: queue.endPast,
    live(event) {
      if (event.type === 'tool-progress') {
        const output = seen.outputs.get(event.callId) ?? createToolOutput()
        seen.outputs.set(event.callId, output)
        output.push(event.text)
      }
      if (event.type !== 'text-delta') return
      if (seen.speech?.turnId !== event.turnId) {
        seen.speech = { turnId: event.turnId, speech: createSpeech(style) }
      }
      seen.speech.speech.add(event.part, event.offset, event.text)
    },
    note: addNote,
    show: (lines) => queue.add(`shown ${blocks++}`, (width) => lines.flatMap((line) => wrapLines(line, width))),
    take(width) {
      const lines = queue.take(width)
      const { speech } = seen
      if (!speech) return lines
      const said = speech.speech.take(width)
      if (said.length === 0) return lines
      queue.add(`text ${speech.turnId}`, () => said)
      return [...lines, ...queue.take(width)]
    },
    render(width, rows) {
      const running = runningLines(seen, { t, style, width, now: now() }, rows)
      const room = rows - running.length
      const { speech } = seen
      const tail = speech && room > 1 ? speech.speech.tail(width, room - 1) : []
      const words = tail.length > 0 && queue.isApart(`text ${speech?.turnId}`) ? ['', ...tail] : tail
      const needsGap =
        running.length > 0 && rows > running.length + words.length && (tail.length > 0 || queue.isApart('step'))
      return [...words, ...(needsGap ? [''] : []), ...running]
    },
    get queued() {
      return [...seen.queued.values()]
    },
    get isCalling() {
      return seen.state.waiting.some((entry) => entry.kind === 'message' && entry.steps.some((step) => !isEnded(step)))
    },
    get isSpeaking() {
      return seen.speech !== undefined
    },
    get isUsed() {
      return seen.isUsed
    },
    expand(session) {
      const { last } = seen
      if (!last) return false
      queue.add(`shown ${blocks++}`, (width) => expandedStep(last.step, last.preview, { t, style, width, session }))
      return true
    },
    reset() {
      queue.clear()
      seen = createSeen()
    },
  }
}

// Whoever presses a key need not be told; the end of the run says it.
function isWorthTelling({ record }: NoteEntry, hasFailed: boolean): boolean {
  if (record.type === 'interrupt') return record.by.door !== 'terminal'
  if (record.type === 'session-start') return record.forkOf !== undefined
  return !(record.type === 'run-end' && record.reason === 'failed' && hasFailed)
}

function renderNote(entry: NoteEntry, { t, style, isVerbose }: ViewOptions): string {
  // One line; its end may stand inside of a colour.
  return renderEntry(entry, { t, style, isVerbose }).replaceAll('\n', '')
}

function wrapLines(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapText(line, width))
}
