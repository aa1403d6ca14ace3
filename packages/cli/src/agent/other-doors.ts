import type { Translator } from '@maru/i18n'
import type { Actor, Recorded } from '@maru/protocol'
import type { Mode } from '../config/choices.ts'
import type { Choice } from '../config/load-config.ts'
import { printable } from '../terminal/printable.ts'

/** What a session hears from doors that are not this terminal. */
export interface OtherDoors {
  /** Something with this key is said here. */
  own(key: string): void
  /** To be told of each fact that is new. */
  fact(record: Recorded): void
}

export interface OtherDoorsOptions {
  readonly t: Translator
  notice(line: string): void
  /** There is something to do. */
  work(): void
  /** What was waited for is there. */
  goOn(): void
  choose(choice: Choice): void
}

export function createOtherDoors({ t, notice, work, goOn, choose }: OtherDoorsOptions): OtherDoors {
  const ours = new Set<string>()
  return {
    own: (key) => void ours.add(key),
    fact(record) {
      if (!('key' in record) || ours.delete(record.key)) return
      const answer = tellAnswer(record, t)
      if (answer !== undefined) notice(answer)
      if (answer !== undefined) goOn()
      if (record.type === 'input-admit') work()
      if (record.type === 'settings-change') choose(choiceOf(record))
    },
  }
}

function choiceOf({
  provider,
  model,
  mode,
  effort,
}: {
  provider?: string
  model?: string
  mode?: Mode
  effort?: string
}): Choice {
  return {
    ...(provider !== undefined && { provider }),
    ...(model !== undefined && { model }),
    ...(mode !== undefined && { mode }),
    ...(effort !== undefined && { effort }),
  } as Choice
}

/** Who did something, as people say it: a name and the door they came in by. */
export function tellWho({ id, door, kind }: Actor, t: Translator): string {
  const name = kind === 'person' ? printable(id) : t('remote.somebody')
  return door === undefined ? name : t('remote.who-at', { name, door: t(`remote.door-${door}`) })
}

/** What is to be said of an answer that was given elsewhere; nothing for any other fact. */
export function tellAnswer(record: Recorded, t: Translator): string | undefined {
  if (record.type === 'approval-answer') {
    const who = tellWho(record.by, t)
    return record.option === 'deny' ? t('remote.denied-by', { who }) : t('remote.allowed-by', { who })
  }
  return record.type === 'question-answer' ? t('remote.answered-by', { who: tellWho(record.by, t) }) : undefined
}
