import type { Message } from './message.ts'

/** What is said about one thing, made when the first of it is needed: a start pays for nothing that it does not say. */
export interface Subject<Table extends Readonly<Record<string, Message>>> {
  /** The words before the first dot of its keys. */
  readonly words: readonly string[]
  messages(): Table
}

export function defineSubject<Table extends Readonly<Record<string, Message>>>(
  words: string,
  make: () => Table,
): Subject<Table> {
  let made: Table | undefined
  return {
    words: words.split(' '),
    messages() {
      made ??= make()
      return made
    },
  }
}
