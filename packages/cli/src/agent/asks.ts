import type { Recorded, RecordedOf } from '@maru/protocol'

/** Something the agent waits for, and of which tool. */
export type OpenAsk = { readonly tool: string | undefined } & (
  | { readonly kind: 'approval'; readonly ask: RecordedOf<'approval-ask'> }
  | { readonly kind: 'question'; readonly ask: RecordedOf<'question-ask'> }
)

/** What is asked and not answered, oldest first; answers from anywhere close it. */
export interface Asks {
  fact(record: Recorded): void
  readonly first: OpenAsk | undefined
  readonly count: number
  clear(): void
}

export function createAsks(): Asks {
  let open: OpenAsk[] = []
  let tools = new Map<string, string>()
  const close = (isAnswered: (ask: OpenAsk) => boolean) => {
    open = open.filter((ask) => !isAnswered(ask))
  }
  return {
    fact(record) {
      switch (record.type) {
        case 'turn-end':
          tools = new Map(record.parts.flatMap((part) => (part.type === 'call' ? [[part.callId, part.tool]] : [])))
          return
        case 'approval-ask':
          // What is asked again, because something has changed, takes the place of what was asked before.
          close(({ kind, ask }) => kind === 'approval' && ask.callId === record.callId)
          open.push({ kind: 'approval', ask: record, tool: tools.get(record.callId) })
          return
        case 'question-ask':
          open.push({ kind: 'question', ask: record, tool: tools.get(record.callId ?? '') })
          return
        case 'approval-answer':
          close(({ kind, ask }) => kind === 'approval' && ask.callId === record.callId)
          return
        case 'question-answer':
          close(({ kind, ask }) => kind === 'question' && ask.questionId === record.questionId)
          return
        case 'tool-end':
          close(({ ask }) => ask.callId === record.callId)
          return
        default:
        // Nothing else asks or answers.
      }
    },
    get first() {
      return open[0]
    },
    get count() {
      return open.length
    },
    clear() {
      open = []
    },
  }
}
