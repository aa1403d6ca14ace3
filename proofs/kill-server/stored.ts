import type { Page } from '@maru/client'
import type { api, Recorded } from '@maru/protocol'

/** What a conversation should hold, beside what it holds. Throws at the first difference. */
export interface Stored {
  acknowledge(seq: number, name: string): void
  /** What a follower is told. */
  hear(facts: readonly Recorded[]): void
  /** Reads what is behind the last message that was read. */
  readOn(read: (after: number) => Promise<Page<api.Message>>): Promise<void>
  check(counted: { conversation: api.Conversation; usage: api.Usage }): void
  checkHeard(): void
  readonly acknowledged: number
  readonly last: number
}

const LONG = 'x'.repeat(40_000)

/** What the message of a name says. Some are so long that they are stored beside their fact. */
export function contentOf(name: string): string {
  return name.endsWith('8') ? `${name} ${LONG}` : name
}

export function createStored(id: string): Stored {
  const acknowledged = new Map<number, string>()
  const messages = new Map<number, api.Message>()
  const names = new Map<string, number>()
  const heard = new Map<number, string>()
  let lastHeard = 0
  let last = 0
  const fail = (words: string) => new Error(`${id}: ${words.slice(0, 500)}`)

  return {
    get acknowledged() {
      return acknowledged.size
    },
    get last() {
      return last
    },
    acknowledge(seq, name) {
      const other = acknowledged.get(seq)
      if (other !== undefined) throw fail(`${seq} was acknowledged as ${other} and as ${name}`)
      acknowledged.set(seq, name)
    },
    hear(facts) {
      for (const fact of facts) {
        if (fact.seq !== lastHeard + 1) throw fail(`the follower heard ${fact.seq} behind ${lastHeard}`)
        lastHeard = fact.seq
        if (fact.type === 'message-add') heard.set(fact.seq, fact.key)
      }
    },
    async readOn(read) {
      for (;;) {
        const { items } = await read(last)
        for (const message of items) {
          if (message.seq <= last) throw fail(`${message.seq} stands behind ${last}`)
          last = message.seq
          messages.set(last, message)
          const other = names.get(message.content)
          if (other !== undefined) throw fail(`${message.content} is there twice: ${other} and ${last}`)
          names.set(message.content, last)
        }
        if (items.length === 0) return
      }
    },
    check({ conversation, usage }) {
      for (const [seq, name] of acknowledged) {
        const content = messages.get(seq)?.content
        if (content !== contentOf(name)) throw fail(`${seq} was acknowledged as ${name} and is ${content}`)
      }
      // Everybody rests: what nobody was told of would be a message out of nowhere.
      if (messages.size !== acknowledged.size)
        throw fail(`${messages.size} are stored, ${acknowledged.size} acknowledged`)
      let tokens = 0
      for (const { role } of messages.values()) tokens += role === 'user' ? 3 : 7
      const wanted = JSON.stringify([messages.size, tokens, messages.size, tokens])
      const found = JSON.stringify([conversation.messages, conversation.tokens, usage.messages, usage.tokens])
      if (found !== wanted) throw fail(`the messages say ${wanted}, the statistics ${found}`)
    },
    checkHeard() {
      for (const [seq, { content }] of messages) {
        const key = heard.get(seq)
        if (key === undefined || contentOf(key) !== content)
          throw fail(`the follower heard ${key} where ${content} stands`)
      }
    },
  }
}
