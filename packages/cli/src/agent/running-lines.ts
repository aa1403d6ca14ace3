import type { Translator } from '@maru/i18n'
import type { Step } from '@maru/protocol'
import { cutText, type TextStyle } from '@maru/terminal'
import { shortTime } from '../terminal/short-numbers.ts'
import type { Seen } from './seen.ts'
import { stepTitle } from './step-lines.ts'

const OUTPUT_ROWS = 5

interface Words {
  readonly t: Translator
  readonly style: TextStyle
  readonly width: number
  readonly now: number
}

/** The calls that are not over, each with the end of what it has printed. */
export function runningLines({ state, printed, started, outputs }: Seen, words: Words, rows: number): string[] {
  const open = state.waiting.flatMap((entry, at) =>
    entry.kind === 'message' ? entry.steps.slice(at === 0 ? printed : 0) : [],
  )
  if (open.length === 0 || rows <= 0) return []
  // Titles first: with many calls their output has to give way.
  const shown = open.slice(0, rows)
  const running = shown.filter((step) => step.state === 'running' && outputs.has(step.callId))
  const each = Math.max(0, Math.min(OUTPUT_ROWS, Math.floor((rows - shown.length) / Math.max(1, running.length))))
  return shown.flatMap((step) => {
    const title = titleOf(step, started.get(step.callId), words)
    const output = running.includes(step) ? (outputs.get(step.callId)?.last(each) ?? []) : []
    return [title, ...output.map((line) => cutText(words.style.dim(`  │ ${line}`), words.width))]
  })
}

function titleOf(step: Step, startedAt: number | undefined, { t, style, width, now }: Words): string {
  const time = step.state === 'running' && startedAt !== undefined ? ` · ${shortTime(now - startedAt, t)}` : ''
  const title = stepTitle(step, { t, style, width: Math.max(1, width - time.length) })
  return cutText(title + style.dim(time), width)
}
