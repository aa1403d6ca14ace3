import { connect, createApi, createOutbox } from '@maru/client'
import WebSocket from 'ws'
import { contentOf, createStored } from './stored.ts'

const WAIT_MS = 120_000
const AGAIN_MS = 50

/** Clients that write into one conversation and one that follows it, whatever happens to the server. */
export interface Load {
  /** Lets everybody write on. */
  go(): void
  /** Resolves with the next message that is acknowledged. */
  acknowledgement(): Promise<void>
  /** Everybody stops as soon as what they have said is acknowledged: clients came back by themselves, or this throws. */
  rest(): Promise<void>
  /** While everybody rests: what is stored, what was acknowledged, what the follower heard and what is counted are one. */
  check(): Promise<void>
  readonly acknowledged: number
  close(): Promise<void>
}

export async function startLoad({ url, token }: { url: string; token: string }): Promise<Load> {
  const api = createApi({ url, token, retries: 0 })
  const { id } = await createApi({ url, token }).conversations.begin({ title: '서버 writers' })
  const timing = { retryMs: 30, longestRetryMs: 300 }
  const connection = connect({ url, token, WebSocket, door: 'api', timing })
  const outbox = createOutbox(connection)
  const stored = createStored(id)
  const listening = connection.listen(id, 0, {
    facts(facts) {
      try {
        stored.hear(facts)
      } catch (error) {
        fail(error)
      }
    },
  })
  const turnstile = createTurnstile()
  const onAcknowledged = new Set<() => void>()
  let isOver = false
  let failure: Error | undefined

  const fail = (error: unknown) => {
    failure ??= error as Error
  }
  const acknowledge = (seq: number, name: string) => {
    stored.acknowledge(seq, name)
    for (const tell of [...onAcknowledged]) tell()
    onAcknowledged.clear()
  }
  const overHttp = async (name: string) => {
    const message = { clientId: name, role: 'user' as const, content: contentOf(name), tokens: 3 }
    for (;;) {
      try {
        return (await api.conversations.addMessage(id, message)).seq
      } catch (error) {
        // Away for now, or it had no time to answer; whatever else it says is no answer to a message that is in order.
        const status = (error as { status?: number }).status ?? 503
        if (isOver || status !== 503) throw error
        await pause(AGAIN_MS)
      }
    }
  }
  const overSocket = async (name: string) => {
    const parts = [{ type: 'text' as const, text: contentOf(name) }]
    const { seq } = await outbox.admit(id, { type: 'message-add', key: name, role: 'assistant', parts, tokens: 7 })
    return seq
  }
  const write = async (writer: string, send: (name: string) => Promise<number>) => {
    for (let n = 0; ; n++) {
      await turnstile.pass()
      if (isOver) return
      const name = `${writer}.${n}`
      acknowledge(await send(name), name)
    }
  }
  const writers = [
    write('http.1', overHttp),
    write('http.2', overHttp),
    write('socket.1', overSocket),
    write('socket.2', overSocket),
  ]
  for (const writer of writers) {
    writer.catch(fail)
  }
  const until = async (isSo: () => boolean, what: string) => {
    for (const end = Date.now() + WAIT_MS; !isSo(); await pause(5)) {
      if (failure) throw failure
      if (Date.now() > end) throw new Error(`${what} did not happen within ${WAIT_MS / 1000} s`)
    }
  }

  return {
    go: turnstile.open,
    async acknowledgement() {
      let isHeard = false
      onAcknowledged.add(() => {
        isHeard = true
      })
      await until(() => isHeard, 'an acknowledgement')
    },
    async rest() {
      turnstile.close()
      await until(() => turnstile.waiting === writers.length, 'the recovery of all clients')
    },
    async check() {
      const whole = createApi({ url, token })
      const { conversation } = await whole.conversations.get(id)
      await stored.readOn((after) => whole.conversations.messages(id, { after, limit: 100 }))
      const usage = await whole.usage()
      stored.check({ conversation, usage })
      await until(() => listening.last >= stored.last, 'the follower hearing of everything')
      stored.checkHeard()
    },
    get acknowledged() {
      return stored.acknowledged
    },
    async close() {
      isOver = true
      turnstile.open()
      connection.close()
      await Promise.allSettled(writers)
    },
  }
}

function createTurnstile() {
  let isOpen = false
  const waiting = new Set<() => void>()
  return {
    get waiting() {
      return waiting.size
    },
    open() {
      isOpen = true
      for (const pass of waiting) pass()
      waiting.clear()
    },
    close() {
      isOpen = false
    },
    pass: () => (isOpen ? Promise.resolve() : new Promise<void>((resolve) => waiting.add(resolve))),
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
