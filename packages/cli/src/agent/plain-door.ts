import type { Lang } from '@maru/i18n'
import type { TextStyle } from '@maru/terminal'
import { explainError } from '../report-error.ts'
import { printable } from '../terminal/printable.ts'
import { createAsks, type OpenAsk } from './asks.ts'
import type { Conversation } from './conversation.ts'
import type { AgentDoor } from './door.ts'
import { HINT_MS } from './hint.ts'
import { createView } from './live-view.ts'
import { plainAsk } from './plain-asks.ts'
import { createSignal } from './signal.ts'
import type { Pick } from './slash/slash.ts'
import { createSpeaking } from './speaking.ts'
import { isSlash } from './words-lines.ts'

export interface PlainDoorOptions {
  write(text: string): void
  readonly columns: () => number
  readonly style: TextStyle
  readonly lang: Lang
  readonly isVerbose: boolean
  readonly now: () => number
  command(text: string): Promise<boolean>
}

/** The same conversation line by line: nothing that was written ever changes, so that it can be read aloud or piped. */
export interface PlainDoor extends AgentDoor {
  /** A line was typed. */
  line(text: string): void
  /** Ctrl-C. */
  interrupt(): void
}

export function createPlainDoor(options: PlainDoorOptions): PlainDoor {
  const { style, now, columns } = options
  const speaking = createSpeaking(options.lang)
  const { t } = speaking
  const view = createView({ t, style, isVerbose: options.isVerbose, now, isEchoed: true })
  const asks = createAsks()
  let conversation: Conversation | undefined
  const early: string[] = []
  let begun = ''
  let asked: OpenAsk | undefined
  let picking: { items: Pick['items']; end(value: string | undefined): void } | undefined
  let isPrompted = false
  let isSaying = false
  let leavingUntil = 0
  let hasLeft = false
  const leaving = createSignal<void>()
  const readiness = createSignal<Conversation>()

  const write = (lines: readonly string[]) => {
    if (lines.length === 0) return
    // What is printed while a prompt stands there begins on a line of its own.
    options.write(`${isPrompted ? '\n' : ''}${lines.join('\n')}\n`)
    isPrompted = false
  }
  const prompt = (text: string) => {
    if (!isPrompted) options.write(text)
    isPrompted = true
  }
  const flush = () => {
    write(view.take(columns()))
    if (!conversation || picking || hasLeft) return
    const { first } = asks
    if (first && first !== asked) {
      write(plainAsk(first, { t, style }).lines(columns()))
      options.write('\x07')
    }
    asked = first
    if (first) prompt(plainAsk(first, { t, style }).prompt)
    else if (conversation.state === 'idle' && !isSaying) prompt('› ')
  }
  const fail = (error: unknown) => {
    view.show([style.red(printable(explainError(error, { t, verbose: options.isVerbose }).message))])
    flush()
  }
  const answer = (open: OpenAsk, line: string) => {
    const read = plainAsk(open, { t, style }).read(line, columns())
    if ('lines' in read) {
      write(read.lines)
      flush()
    } else if (conversation) read.give(conversation).catch(fail)
  }
  const say = async (text: string) => {
    isSaying = true
    try {
      if (isSlash(text)) await options.command(text.trim())
      else if (conversation && text.trim() !== '') await conversation.say(text, 'steer')
      else if (text.trim() !== '') early.push(text)
    } finally {
      isSaying = false
      flush()
    }
  }

  const door: PlainDoor = {
    events: {
      fact(record, isPast) {
        view.fact(record, isPast)
        asks.fact(record)
        if (!isPast) flush()
      },
      live(event) {
        view.live(event)
        flush()
      },
      changed() {
        view.endPast()
        flush()
      },
      notice(line) {
        view.note(line)
        flush()
      },
      reset() {
        view.reset()
        view.note(t('screen.other-session'))
        asks.clear()
      },
    },
    t,
    get lang() {
      return speaking.lang
    },
    ready: readiness.given,
    attach(opened) {
      conversation = opened
      readiness.give(opened)
      view.endPast()
      for (const text of early.splice(0)) say(text).catch(fail)
      flush()
    },
    line(text) {
      isPrompted = false
      // A line that ends in a backslash goes on in the next.
      if (text.endsWith('\\')) {
        begun += `${text.slice(0, -1)}\n`
        prompt('  ')
        return
      }
      const whole = begun + text
      begun = ''
      if (picking) picking.end(picking.items[Number(whole.trim()) - 1]?.value)
      else if (asks.first) answer(asks.first, whole)
      else say(whole).catch(fail)
    },
    interrupt() {
      if (conversation?.state === 'working') {
        conversation.interrupt().catch(fail)
        return
      }
      if (leavingUntil > now()) {
        door.leave()
        return
      }
      leavingUntil = now() + HINT_MS
      write([style.yellow(t('screen.once-more'))])
      flush()
    },
    say: (text) => void say(text).catch(fail),
    show(lines) {
      view.show(lines)
      flush()
    },
    pick({ title, items }) {
      write([
        style.bold(title),
        ...items.map(({ label, detail }, at) => `  ${at + 1}. ${label}${detail ? ` · ${detail}` : ''}`),
      ])
      prompt(t('session.choose', { count: items.length }))
      return new Promise((resolve) => {
        picking = {
          items,
          end(value) {
            picking = undefined
            resolve(value)
          },
        }
      })
    },
    setLanguage: speaking.set,
    get isUsed() {
      return view.isUsed
    },
    leave() {
      hasLeft = true
      picking?.end(undefined)
      leaving.give()
    },
    left: leaving.given,
    close() {
      write(view.take(columns()))
      // Whatever is written next begins on a line of its own.
      if (isPrompted) options.write('\n')
      isPrompted = false
    },
  }
  return door
}
