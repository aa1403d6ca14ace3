import type { TextStyle } from '../text-style.ts'
import { cutText } from '../width.ts'
import { drawChoices, scrollTo } from './choice-rows.ts'

/** Something that can stand where a person began to type: `insert` takes the place of the sign and what follows it. */
export interface Completion {
  readonly label: string
  readonly insert: string
  readonly detail?: string
}

/** Gives what fits to the prefix, which is without its sign. A rejection is an empty list. */
export type Complete = (trigger: '/' | '@', prefix: string, signal: AbortSignal) => Promise<readonly Completion[]>

/** What was begun before the cursor and could be completed. */
export interface Begun {
  readonly sign: '/' | '@'
  readonly prefix: string
  readonly line: number
  readonly offset: number
}

export interface CompletionList {
  readonly isOpen: boolean
  readonly selected: Completion | undefined
  /** How many signs before the cursor the selected one replaces. */
  readonly typed: string
  /** Says what stands before the cursor now; opens only after a change of the text. */
  follow(begun: Begun | undefined, isChange: boolean): void
  /** Asks even for what was closed before. */
  open(begun: Begun): void
  move(by: number): void
  /** Closes until something else is begun. */
  dismiss(): void
  close(): void
  /** Rows it would like to have. */
  readonly height: number
  render(width: number, rows: number): string[]
}

const MOST_ROWS = 8

export function createCompletionList({ style, complete, onChange }: CompletionListOptions): CompletionList {
  let items: readonly Completion[] = []
  let selected = 0
  let first = 0
  let current: Begun | undefined
  let dismissed: Begun | undefined
  let asking: AbortController | undefined

  const show = (next: readonly Completion[], kept?: string) => {
    items = next
    // What is typed out comes before what only begins with it: Enter behind `/mode` must not mean `/model`.
    const typed = current && current.sign + current.prefix
    const isWanted = ({ label, insert }: Completion) =>
      kept === undefined ? insert.trimEnd() === typed : label === kept
    selected = Math.max(0, next.findIndex(isWanted))
    first = 0
  }

  const close = () => {
    asking?.abort()
    asking = undefined
    current = undefined
    show([])
  }

  const ask = async (begun: Begun) => {
    asking?.abort()
    const mine = new AbortController()
    asking = mine
    // Until the answer is there, what is known already serves; nothing that no longer fits may be taken.
    const wanted = begun.prefix.toLowerCase()
    const isSame = isSameWord(current, begun)
    current = begun
    show(isSame ? items.filter(({ label }) => label.toLowerCase().includes(wanted)) : [])
    const found = await answer(begun, mine.signal)
    // The person went on: this is the answer to an older question.
    if (mine.signal.aborted) return
    asking = undefined
    show(found, selected > 0 ? items[selected]?.label : undefined)
    onChange()
  }

  const answer = async ({ sign, prefix }: Begun, signal: AbortSignal): Promise<readonly Completion[]> => {
    try {
      return (await complete?.(sign, prefix, signal)) ?? []
    } catch {
      // Whoever completes knows what failed; here it only means that there is nothing to choose from.
      return []
    }
  }

  return {
    get isOpen() {
      return items.length > 0
    },
    get selected() {
      return items[selected]
    },
    get typed() {
      return current === undefined ? '' : current.sign + current.prefix
    },
    get height() {
      return items.length > MOST_ROWS ? MOST_ROWS + 1 : items.length
    },
    follow(begun, isChange) {
      if (!isSameWord(dismissed, begun)) dismissed = undefined
      if (begun === undefined || dismissed !== undefined || (items.length === 0 && !isChange)) close()
      else if (!isSameWord(current, begun) || current?.prefix !== begun.prefix) void ask(begun)
    },
    open(begun) {
      dismissed = undefined
      void ask(begun)
    },
    move(by) {
      selected = (selected + by + items.length) % items.length
    },
    dismiss() {
      dismissed = current
      close()
    },
    close,
    render(width, rows) {
      const count = Math.min(rows, MOST_ROWS, items.length)
      first = scrollTo(selected, { first, rows: count, count: items.length })
      const lines = drawChoices(items.slice(first, first + count), { selected: selected - first, width, style })
      // That there are more is not to be guessed.
      if (items.length > MOST_ROWS && rows > count)
        lines.push(style.dim(cutText(`  ${selected + 1} / ${items.length}`, width)))
      return lines
    },
  }
}

interface CompletionListOptions {
  readonly style: TextStyle
  readonly complete: Complete | undefined
  onChange(): void
}

// A word that a file or a command is begun with stands at the start, behind a blank, or behind an opening mark.
const FILE = /(?:^|[\s([{<"'`,;:=\uFDD1])@([^\s\uFDD0\uFDD1]*)$/
const COMMAND = /^\/([^\s\uFDD0\uFDD1]*)$/
const FARTHEST = 1000

/** Finds what was begun: `/` as the first sign of the text, `@` at the beginning of a word. */
export function findBegun(before: string, line: number): Begun | undefined {
  const command = line === 0 ? COMMAND.exec(before)?.[1] : undefined
  if (command !== undefined) return { sign: '/', prefix: command, line, offset: 0 }
  const prefix = FILE.exec(before.slice(-FARTHEST))?.[1]
  return prefix === undefined ? undefined : { sign: '@', prefix, line, offset: before.length - prefix.length - 1 }
}

function isSameWord(one: Begun | undefined, other: Begun | undefined): boolean {
  return one?.sign === other?.sign && one?.line === other?.line && one?.offset === other?.offset
}
