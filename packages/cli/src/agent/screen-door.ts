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
import { createHint } from './hint.ts'
import { createView } from './live-view.ts'
import { createPacer } from './pacer.ts'
import { isCtrl, type PromptOutcome } from './prompt.ts'
import { createPrompts } from './prompts.ts'
import { recallEarlier } from './recall-earlier.ts'
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
  /** What helps to write: the rest of what was begun, and what was said in other sessions, oldest first. */
  readonly writing: {
    complete(trigger: '/' | '@', prefix: string, signal: AbortSignal): Promise<readonly Completion[]>
    earlier(sessionId: string | undefined): Promise<readonly string[]>
  }
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

const LONG_MS = 10_000

export function createScreenDoor(options: ScreenDoorOptions): ScreenDoor {
  const { screen, style, now, outside } = options
  const speaking = createSpeaking(options.lang)
  const { t } = speaking
  const view = createView({ t, style, isVerbose: options.isVerbose, now })
  const prompts = createPrompts({ t, style })
  const editor = createEditor({
    style,
    complete: options.writing.complete,
    onChange: () => pacer.now(),
    describePaste: (lines, number) => t('screen.pasted', { lines, number }),
    placeholder: t('screen.placeholder'),
  })
  const editorKey = recallEarlier(editor, {
    read: () => options.writing.earlier(conversation?.sessionId),
    onChange: () => pacer.now(),
  })
  const startedAt = now()
  let conversation: Conversation | undefined
  const early: SaidWords[] = []
  let workingSince: number | undefined
  let isStopping = false
  let isBroken = false
  let isFocused = true
  let lastKeyAt = now()
  const hint = createHint(now, () => pacer.now())
  const leaving = createSignal<void>()
  const readiness = createSignal<Conversation>()

  const draw = () => {
    const { columns: width, rows } = screen
    const lines = view.take(width)
    if (lines.length > 0) screen.print(lines)
    const { current } = prompts
    const parts = {
      body: (room: number) => view.render(width, room),
      middle: middleLines(width),
      bottom: (room: number) => (current ?? editor).render(width, room),
      isPrompt: current !== undefined,
      foot: footLine(width),
    }
    screen.draw(composeFrame(parts, rows))
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
    if (hint.text !== undefined) return style.yellow(hint.text)
    if (!conversation) return ''
    return renderStatus({ ...conversation.settings, ...conversation.usage() }, { t, style, width })
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
    if (!conversation) {
      early.push(said)
      return
    }
    conversation.say(said.text, said.delivery).catch((error: unknown) => {
      // Nobody has heard it: who wrote it must not have to write it again.
      if (editor.text === '') editor.setText(said.text)
      fail(error)
    })
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
        else if (hint.text === t('screen.once-more')) leaving.give()
        else hint.tell(t('screen.once-more'))
        return
      case 'end':
        leaving.give()
        break
      case 'editor':
        edit().catch(fail)
        break
      case 'expand':
        if (!view.expand(conversation?.sessionId ?? '')) hint.tell(t('screen.nothing-to-expand'))
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
    hint.drop()
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
      else onEditor(editorKey(key))
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
