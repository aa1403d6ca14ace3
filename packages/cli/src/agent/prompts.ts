import type { Recorded } from '@maru/protocol'
import { createPicker, type Frame, type Key } from '@maru/terminal'
import { askApproval } from './ask-approval.ts'
import { askQuestion } from './ask-question.ts'
import { createAsks, type OpenAsk } from './asks.ts'
import { below, CHANGED, isCtrl, NONE, type Prompt, type PromptOutcome, type PromptWords } from './prompt.ts'
import type { Pick } from './slash/slash.ts'

/** What stands in the place of the editor: a list the person asked for, or what the agent asks, one at a time. */
export interface Prompts {
  /** True when something new is asked. */
  fact(record: Recorded): boolean
  readonly current: Prompt | undefined
  /** Whether keys are for it. What comes up while someone types waits until they pause. */
  isReady(wasTyping: boolean): boolean
  handle(key: Key): PromptOutcome
  pick(options: Pick): Promise<string | undefined>
  /** Nothing will be chosen. */
  endPick(): void
  clear(): void
}

export function createPrompts(words: PromptWords): Prompts {
  const asks = createAsks()
  let asked: { of: OpenAsk; prompt: Prompt; isMet: boolean } | undefined
  let picked: { prompt: Prompt; end(value: string | undefined): void } | undefined
  const sync = (): boolean => {
    const { first } = asks
    if (asked?.of === first) return false
    asked = first && { of: first, prompt: numbered(promptFor(first, words), () => asks.count, words), isMet: false }
    return asked !== undefined
  }
  return {
    fact(record) {
      asks.fact(record)
      return sync()
    },
    get current() {
      return picked?.prompt ?? asked?.prompt
    },
    isReady(wasTyping) {
      if (picked) return true
      if (!asked) return false
      asked.isMet ||= !wasTyping
      return asked.isMet
    },
    handle(key) {
      const current = picked?.prompt ?? asked?.prompt
      return current ? current.handle(key) : NONE
    },
    pick(options) {
      picked?.end(undefined)
      return new Promise((resolve) => {
        const end = (value: string | undefined) => {
          picked = undefined
          resolve(value)
        }
        picked = { prompt: listOf(options, words, end), end }
      })
    },
    endPick: () => picked?.end(undefined),
    clear() {
      asks.clear()
      picked?.end(undefined)
      sync()
    },
  }
}

function promptFor(open: OpenAsk, words: PromptWords): Prompt {
  return open.kind === 'approval' ? askApproval(open.ask, open.tool, words) : askQuestion(open.ask, words)
}

// More than one may wait: how many is said, and the next comes by itself.
function numbered(prompt: Prompt, count: () => number, { t, style }: PromptWords): Prompt {
  return {
    handle: prompt.handle,
    render(width, rows): Frame {
      const others = count() - 1
      if (others <= 0) return prompt.render(width, rows)
      return below([style.dim(t('screen.more-asks', { count: others }))], prompt.render(width, rows - 1))
    },
  }
}

function listOf(
  { title, items, isSearchable }: Pick,
  { t, style }: PromptWords,
  end: (value?: string) => void,
): Prompt {
  const picker = createPicker({
    style,
    title,
    items,
    hint: isSearchable === true ? t('screen.search-hint') : t('screen.pick-hint'),
    ...(isSearchable === true && { isSearchable }),
  })
  return {
    handle(key) {
      const outcome = isCtrl(key, 'c') ? ({ kind: 'cancel' } as const) : picker.handle(key)
      if (outcome.kind === 'chosen') end(outcome.value)
      if (outcome.kind === 'cancel') end(undefined)
      return outcome.kind === 'none' ? NONE : CHANGED
    },
    render: picker.render,
  }
}
