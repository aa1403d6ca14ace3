import type { PlainKey, Translator } from '@maru/i18n'
import { cutText, type TextStyle } from '@maru/terminal'
import { shortTime } from '../terminal/short-numbers.ts'

/** What the agent is doing. */
export type Activity = 'starting' | 'thinking' | 'answering' | 'calling' | 'stopping'

// One cell each, also where signs of unclear width are drawn in two.
const FRAMES = ['⠇', '⠋', '⠙', '⠸', '⠴', '⠦']
const FRAME_MS = 250

const LABELS: { [activity in Activity]: PlainKey } = {
  starting: 'screen.starting',
  thinking: 'screen.thinking',
  answering: 'screen.answering',
  calling: 'screen.calling',
  stopping: 'screen.stopping',
}

/** One line that says it is alive: a sign that turns, what is done, for how long, and how to stop it. */
export function activityLine(
  { activity, since, now }: { activity: Activity; since: number; now: number },
  { t, style, width }: { t: Translator; style: TextStyle; width: number },
): string {
  const frame = FRAMES[Math.floor(now / FRAME_MS) % FRAMES.length] ?? ''
  const time = now - since >= 1000 ? ` · ${shortTime(now - since, t)}` : ''
  const hint = activity !== 'starting' && activity !== 'stopping' ? ` · ${t('screen.esc-interrupts')}` : ''
  return cutText(`${style.cyan(frame)} ${t(LABELS[activity])}${style.dim(time + hint)}`, width)
}
