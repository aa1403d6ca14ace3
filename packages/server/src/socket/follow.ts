import { type LiveBus, LogError, type Recorded, type SessionLog } from '@maru/protocol'
import { type Channel, type Member, openChannel, settle } from './channel.ts'
import type { Outlet } from './outlet.ts'
import { inBatches, printFacts } from './print-frames.ts'
import { problemOf } from './problems.ts'

/** Channels of the sessions that are followed in this process, by owner and id. */
export type Channels = Map<string, Channel>

interface Following {
  owner: string
  id: string
  after: number
  log: SessionLog
  live: LiveBus
  channels: Channels
  /** `checkKey` says whether it may still be told of anything. */
  client: { readonly outlet: Outlet; checkKey(): boolean }
  /** Waits until one more session may be read for this client; gives back how to let the next one. */
  takeTurn(): Promise<() => void>
  onEnd(): void
}

// A database that restarts is back within seconds.
const AGAIN_MS = 500
const MOST_AGAIN_MS = 5_000

/**
 * One client follows one session: what it has not seen is read from the log at the client's own pace, then it joins those
 * who hear of everything as it happens. One that falls behind there comes back here. Gives back how to stop.
 */
export function startFollow({ owner, id, after, log, live, channels, client, takeTurn, onEnd }: Following): () => void {
  const { outlet } = client
  const name = `${owner}/${id}`
  let isOver = false
  let failures = 0
  let timer: NodeJS.Timeout | undefined
  let joined: Channel | undefined

  const member: Member = {
    last: after,
    get isFull() {
      return outlet.isFull
    },
    sendBytes: (frame) => {
      if (client.checkKey()) outlet.sendBytes(frame)
    },
    sendOpen: (open) => outlet.send({ type: 'open', id, after: member.last, open }),
    onBehind: () => {
      joined = undefined
      void catchUp()
    },
    onGone: () => end(),
    onBroken: (error) => {
      joined = undefined
      retry(error)
    },
  }

  async function catchUp(): Promise<void> {
    try {
      do {
        if (!(await outlet.drained()) || isOver) return
        await read()
      } while (!isOver && !outlet.isClosed && !join())
      failures = 0
    } catch (error) {
      retry(error)
    }
  }

  async function read(): Promise<void> {
    const letNext = await takeTurn()
    try {
      if (isOver || outlet.isClosed) return
      for await (const batch of inBatches(log.read(id, member.last))) {
        if (isOver || !client.checkKey()) return
        send(batch)
        if (!(await outlet.drained())) return
      }
    } finally {
      letNext()
    }
  }

  function send(batch: Recorded[]): void {
    for (const record of batch) settle(live, id, record)
    for (const { bytes } of printFacts(id, batch)) outlet.sendBytes(bytes)
    member.last = batch.at(-1)?.seq ?? member.last
  }

  function join(): boolean {
    let channel = channels.get(name)
    if (!channel) {
      const opened: Channel = openChannel({
        id,
        log,
        live,
        after: member.last,
        onEmpty: () => {
          if (channels.get(name) === opened) channels.delete(name)
        },
      })
      channel = opened
      channels.set(name, opened)
    }
    if (!channel.join(member)) return false
    joined = channel
    return true
  }

  function retry(error: unknown): void {
    if (isOver || outlet.isClosed) return
    const isPassing = error instanceof LogError && error.code === 'failed'
    if (isPassing) timer = setTimeout(() => void catchUp(), Math.min(AGAIN_MS * 2 ** failures++, MOST_AGAIN_MS))
    else end(error)
  }

  function end(error?: unknown): void {
    if (isOver) return
    isOver = true
    outlet.send({ type: 'gone', id, ...(error !== undefined && { problem: problemOf(error) }) })
    onEnd()
  }

  void catchUp()
  return () => {
    isOver = true
    clearTimeout(timer)
    joined?.leave(member)
  }
}
