import { type Live, type Recorded, takeFinished, transcript } from '@maru/protocol'
import type { Invocation } from '../command.ts'
import { renderStep } from '../replay/render-entry.ts'
import { printable } from '../terminal/printable.ts'
import type { Door } from './door.ts'

const FRAME_MS = 16

interface TextWish {
  readonly isVerbose: boolean
  /** Who asked for an answer of some form gets that and nothing else, when it is whole. */
  readonly isAnswerAlone: boolean
}

/** The model's words to stdout as they come, what its tools do to stderr: a pipe gets the answer alone. */
export function createTextDoor(
  { stdout, stderr, style, t, options }: Invocation,
  { isVerbose, isAnswerAlone }: TextWish,
): Door {
  const state = transcript.create()
  const shown = new Map<string, number>()
  let pending = ''
  let isMidLine = false
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    // Half of a pair of surrogates, or of a line end, waits for its other half.
    const cut = /[\ud800-\udbff\r]$/.test(pending) ? pending.length - 1 : pending.length
    const text = printable(pending.slice(0, cut).replaceAll('\r\n', '\n'), { keepLines: true })
    pending = pending.slice(cut)
    if (text === '') return
    isMidLine = !text.endsWith('\n')
    writing = writing.then(() => stdout.write(text))
  }
  const say = (text: string) => {
    pending += text
    timer ??= setTimeout(flush, FRAME_MS)
  }
  const endLine = () => {
    flush()
    if (isMidLine) writing = writing.then(() => stdout.line())
    isMidLine = false
  }
  const tell = (line: string) => {
    endLine()
    if (!options.quiet) writing = writing.then(() => stderr.line(line))
  }
  return {
    past(record) {
      transcript.apply(state, record)
      takeFinished(state)
    },
    live(event: Live) {
      if (event.type === 'context-level') tell(style.yellow(describeLevel(event, t)))
      if (event.type !== 'text-delta' || isAnswerAlone) return
      const key = `${event.turnId}.${event.part}`
      if (event.part > 0 && !shown.has(key)) endLine()
      shown.set(key, event.offset + event.text.length)
      say(event.text)
    },
    fact(record: Recorded) {
      transcript.apply(state, record)
      if (record.type === 'turn-end' || record.type === 'turn-fail') endLine()
      for (const entry of takeFinished(state)) {
        if (entry.kind !== 'message') continue
        for (const step of entry.steps) tell(renderStep(step, { t, style, isVerbose }))
      }
    },
    notice: tell,
    async end(result) {
      endLine()
      if (result?.output !== undefined) {
        writing = writing.then(() => stdout.line(printable(result.text, { keepLines: true })))
      }
      await writing
    },
  }
}

function describeLevel({ tokens, limit }: Extract<Live, { type: 'context-level' }>, t: Invocation['t']): string {
  return t('session.context-level', { percent: Math.round((100 * tokens) / limit), tokens, limit })
}
