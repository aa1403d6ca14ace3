/** What a process of the bench can be asked for, by name. */
export type Answers = { [name: string]: (wish: never) => Promise<unknown> }

export interface Told {
  no: number
  value?: unknown
  problem?: string
}

/** Answers the process that started this one, and ends with it. */
export function answerParent(answers: Answers): void {
  process.on('message', ({ no, name, wish }: { no: number; name: string; wish: unknown }) => {
    const answer = async () => answers[name]?.(wish as never)
    answer().then(
      (value) => process.send?.({ no, value } satisfies Told),
      (error: unknown) => process.send?.({ no, problem: String(error) } satisfies Told),
    )
  })
  process.on('disconnect', () => process.exit())
}
