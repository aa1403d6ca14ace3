import type { Lang } from '@maru/i18n'
import {
  type Completion,
  createEditor,
  type EditorOutcome,
  type Key,
  type Screen,
  type TextStyle,
} from '@maru/terminal'
import { explainError } from '../report-error.ts'
import { printable } from '../terminal/printable.ts'
import { type Activity, activityLine } from './activity-line.ts'
import { composeFrame } from './compose-frame.ts'
import type { Conversation } from './conversation.ts'
import type { AgentDoor } from './door.ts'
import { createView } from './live-view.ts'
import { createPacer } from './pacer.ts'
import { isCtrl, type PromptOutcome } from './prompt.ts'
import { createPrompts } from './prompts.ts'
import { createSignal } from './signal.ts'
import { createSpeaking } from './speaking.ts'
import { renderStatus } from './status-line.ts'
import { isSlash, queuedLine, type SaidWords, textOf } from './words-lines.ts'

export interface ScreenDoorOptions {
  readonly screen: Screen
  readonly style: TextStyle
  readonly lang: Lang
  readonly isVerbose: boolean
  readonly now: () => number
  complete(trigger: '/' | '@', prefix: string, signal: AbortSignal): Promise<readonly Completion[]>
  /** Does what is meant for Maru itself; false if there is no such thing. */
  command(text: string): Promise<boolean>
  /** Ways out of the screen and back: an editor of one's own, the shell. */
  readonly outside: { edit(text: string): Promise<string>; suspend(): Promise<void> }
}

/** A person at a terminal that can be drawn on: what they see, and what their keys do. */
export interface ScreenDoor extends AgentDoor {
  key(key: Key): void
  /** The terminal has another size, or shows what it should not. */
  redraw(): void
}

const LEAVE_MS = 2000
const LONG_MS = 10_000

export function createScreenDoor(options: ScreenDoorOptions): ScreenDoor {
  const { screen, style, now, outside } = options
  const speaking = createSpeaking(options.lang)
  const { t } = speaking
  const view = createView({ t, style, isVerbose: options.isVerbose, now })
  const prompts = createPrompts({ t, style })
  const editor = createEditor({
    style,
    complete: options.complete,
    onChange: () => pacer.now(),
    describePaste: (lines, number) => t('screen.pasted', { lines, number }),
    placeholder: t('screen.placeholder'),
  })
  const startedAt = now()
  let conversation: Conversation | undefined
  const early: SaidWords[] = []
  let workingSince: number | undefined
  let isStopping = false
  let isBroken = false
  let isFocused = true
  let lastKeyAt = now()
  let hint: { text: string; until: number } | undefined
  const leaving = createSignal<void>()
  const readiness = createSignal<Conversation>()

  const draw = () => {
    const { columns: width, rows } = screen
    const lines = view.take(width)
    if (lines.length > 0) screen.print(lines)
    screen.draw(
      composeFrame(
        {
          body: (room) => view.render(width, room),
          middle: middleLines(width),
          bottom: (room) => prompts.current?.render(width, room) ?? editor.render(width, room),
          isPrompt: prompts.current !== undefined,
          foot: footLine(width),
        },
        rows,
      ),
    )
  }
  // A mistake of ours must not leave a terminal that nobody can use: the door closes, and what went wrong is told.
  const guarded =
    <Given extends unknown[]>(act: (...given: Given) => void) =>
    (...given: Given): void => {
      try {
        act(...given)
      } catch (error) {
        isBroken = true
        leaving.fail(error)
      }
    }
  const pacer = createPacer(guarded(draw))

  const activity = (): Activity | undefined => {
    if (!conversation) return 'starting'
    if (conversation.state === 'idle') return undefined
    if (isStopping) return 'stopping'
    if (view.isCalling) return 'calling'
    return view.isSpeaking ? 'answering' : 'thinking'
  }
  const middleLines = (width: number): string[] => {
    const doing = prompts.current ? undefined : activity()
    const waiting = [...view.queued, ...early].map((said) => queuedLine(said, { t, style, width }))
    const draft = prompts.current && editor.text !== '' ? [style.dim(t('screen.draft-kept'))] : []
    const since = workingSince ?? startedAt
    const line = doing ? [activityLine({ activity: doing, since, now: now() }, { t, style, width })] : []
    return [...line, ...waiting, ...draft]
  }
  const footLine = (width: number): string => {
    if (hint && hint.until > now()) return style.yellow(hint.text)
    if (!conversation) return ''
    return renderStatus({ ...conversation.settings, ...conversation.usage() }, { t, style, width })
  }
  const tellHint = (text: string) => {
    hint = { text, until: now() + LEAVE_MS }
    setTimeout(pacer.now, LEAVE_MS + 10).unref()
  }
  const fail = (error: unknown) => {
    view.show([style.red(printable(explainError(error, { t, verbose: options.isVerbose }).message))])
    pacer.now()
  }
  const attend = (text: string) => {
    if (!isFocused || now() - lastKeyAt > LONG_MS) screen.notify(text)
  }

  const interrupt = () => {
    if (conversation?.state !== 'working' || isStopping) return
    isStopping = true
    conversation.interrupt().catch(fail)
  }
  const say = (said: SaidWords) => {
    if (conversation) conversation.say(said.text, said.delivery).catch(fail)
    else early.push(said)
  }
  const submit = async (text: string, delivery: SaidWords['delivery']) => {
    if (text.trim() === '') return
    editor.remember(text)
    if (!isSlash(text)) say({ text, delivery })
    else {
      view.show([style.dim(`› ${printable(text.trim())}`)])
      if (!(await options.command(text.trim()))) editor.setText(text)
    }
    pacer.now()
  }
  const edit = async () => {
    editor.setText(await outside.edit(editor.text))
    pacer.now()
  }

  const onEditor = (outcome: EditorOutcome) => {
    switch (outcome.kind) {
      case 'submit':
        submit(outcome.text, outcome.how === 'alt-enter' ? 'queue' : 'steer').catch(fail)
        break
      case 'cancel':
        interrupt()
        break
      case 'interrupt':
        if (conversation?.state === 'working') interrupt()
        else if (hint && hint.until > now()) leaving.give()
        else tellHint(t('screen.once-more'))
        return
      case 'end':
        leaving.give()
        break
      case 'editor':
        edit().catch(fail)
        break
      case 'expand':
        if (!view.expand(conversation?.sessionId ?? '')) tellHint(t('screen.nothing-to-expand'))
        return
      case 'suspend':
        outside.suspend().catch(fail)
        break
      case 'redraw':
        screen.resized()
        break
      case 'none':
      case 'changed':
        break
      default:
        outcome satisfies never
    }
    hint = undefined
  }
  const onPrompt = (outcome: PromptOutcome) => {
    if (outcome.kind === 'interrupt') interrupt()
    if (outcome.kind === 'show') view.show(outcome.lines(screen.columns))
    if (outcome.kind === 'answered' && conversation) outcome.give(conversation).catch(fail)
  }
  const changed = () => {
    view.endPast()
    const isWorking = conversation?.state === 'working'
    if (isWorking) workingSince ??= now()
    else {
      if (workingSince !== undefined) attend(t('screen.has-ended'))
      workingSince = undefined
      isStopping = false
    }
    pacer.tick(isWorking || !conversation)
    pacer.now()
  }

  const door: ScreenDoor = {
    events: {
      fact: guarded((record, isPast) => {
        view.fact(record, isPast)
        if (isPast && record.type === 'input-admit') editor.remember(textOf(record.parts))
        if (prompts.fact(record) && !isPast) attend(t('screen.waits'))
        pacer.soon()
      }),
      live: guarded((event) => {
        view.live(event)
        pacer.soon()
      }),
      changed: guarded(changed),
      notice(line) {
        view.note(line)
        pacer.soon()
      },
      reset: guarded(() => {
        view.reset()
        view.note(t('screen.other-session'))
        prompts.clear()
        pacer.soon()
      }),
    },
    t,
    get lang() {
      return speaking.lang
    },
    ready: readiness.given,
    attach(opened) {
      conversation = opened
      readiness.give(opened)
      for (const said of early.splice(0)) say(said)
      changed()
    },
    key: guarded((key) => {
      if (key.kind === 'focus') {
        isFocused = key.isFocused
        return
      }
      const wasTyping = editor.text !== '' && now() - lastKeyAt < TYPING_MS
      lastKeyAt = now()
      if (isCtrl(key, 'z')) onEditor({ kind: 'suspend' })
      else if (isCtrl(key, 'l')) onEditor({ kind: 'redraw' })
      else if (prompts.isReady(wasTyping)) onPrompt(prompts.handle(key))
      else onEditor(editor.handle(key))
      pacer.now()
    }),
    say: (text) => void submit(text, 'steer').catch(fail),
    show(lines) {
      view.show(lines)
      pacer.now()
    },
    pick(choice) {
      const picked = prompts.pick(choice)
      pacer.now()
      return picked
    },
    setLanguage(lang) {
      speaking.set(lang)
      pacer.now()
    },
    get isUsed() {
      return view.isUsed
    },
    redraw: () => {
      screen.resized()
      pacer.now()
    },
    leave() {
      prompts.endPick()
      leaving.give()
    },
    left: leaving.given,
    close() {
      pacer.close()
      const lines = isBroken ? [] : view.take(screen.columns)
      if (lines.length > 0) screen.print(lines)
    },
  }
  pacer.tick(true)
  pacer.now()
  return door
}

// Who is in the middle of a word did not mean to answer what has just come up.
const TYPING_MS = 700
