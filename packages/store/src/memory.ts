import { type BlobStore, LogError, type Recorded, readRecord, type SessionLog } from '@maru/protocol'
import { type Head, head, replaceHead } from './head.ts'
import type { Held, Medium, Tail } from './medium.ts'
import { createSessionLog, type SessionLogOptions } from './session-log.ts'
import { sha256 } from './sha256.ts'

/** A log that lives as long as its process: for tests, and for sessions nobody wants to keep. */
export function createMemoryLog(options: SessionLogOptions): SessionLog {
  return createSessionLog(new MemoryMedium(), options)
}

interface MemorySession {
  lines: string[]
  head: Head
  isHeld: boolean
}

class MemoryMedium implements Medium {
  readonly #sessions = new Map<string, MemorySession>()

  async exists(id: string): Promise<boolean> {
    return this.#sessions.has(id)
  }

  async create(id: string, lines: AsyncIterable<string[]>): Promise<{ synced: Promise<void> }> {
    const session: MemorySession = { lines: [], head: head.create(), isHeld: false }
    for await (const batch of lines) store(session, batch)
    if (this.#sessions.has(id)) throw new LogError('exists', `there is a session ${id} already`)
    this.#sessions.set(id, session)
    return { synced: Promise.resolve() }
  }

  async hold(id: string): Promise<Held> {
    const session = this.#get(id)
    if (session.isHeld) throw new LogError('held', `session ${id} is being written elsewhere`)
    session.isHeld = true
    const expectThere = () => {
      if (this.#sessions.get(id) !== session) throw new LogError('missing', `session ${id} was erased`)
    }
    // A copy: the desk applies what it writes to its own.
    const own = structuredClone(session.head)
    return {
      head: own,
      async write(lines) {
        expectThere()
        store(session, lines)
      },
      sync: () => Promise.resolve(),
      async replace(seq, line) {
        expectThere()
        session.lines[seq - 1] = line
        const lines = session.lines
        session.lines = []
        session.head = head.create()
        store(session, lines)
        replaceHead(own, session.head)
      },
      remove: () => this.remove(id),
      release: async () => {
        session.isHeld = false
      },
    }
  }

  async remove(id: string): Promise<void> {
    this.#get(id)
    this.#sessions.delete(id)
  }

  async tail(id: string, after: number): Promise<Tail> {
    const session = this.#get(id)
    const sessions = this.#sessions
    let next = after
    return {
      async *drain() {
        for (; next < session.lines.length; next++) yield [parse(session.lines[next] as string)]
      },
      get gone() {
        return sessions.get(id) !== session
      },
      close: async () => undefined,
    }
  }

  async head(id: string): Promise<Head> {
    return this.#get(id).head
  }

  ids(): string[] {
    return [...this.#sessions.keys()]
  }

  onOutsideChange(): () => void {
    return () => undefined
  }

  #get(id: string): MemorySession {
    const session = this.#sessions.get(id)
    if (!session) throw new LogError('missing', `there is no session ${id}`)
    return session
  }
}

function store(session: MemorySession, lines: string[]): void {
  for (const line of lines) {
    session.lines.push(line)
    head.apply(session.head, parse(line))
  }
}

function parse(line: string): Recorded {
  const read = readRecord(JSON.parse(line))
  if ('problem' in read) throw new LogError('damaged', read.problem)
  return read.record
}

/** Blobs that live as long as their process. */
export function createMemoryBlobs(): BlobStore {
  const holders = new Map<string, Map<string, Uint8Array>>()
  return {
    async put(holder, content) {
      const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : Uint8Array.from(content)
      const hash = sha256(bytes)
      const held = holders.get(holder) ?? new Map<string, Uint8Array>()
      holders.set(holder, held.set(hash, bytes))
      return { hash, bytes: bytes.length }
    },
    async get(holder, hash, range) {
      const bytes = holders.get(holder)?.get(hash)
      return bytes?.slice(range?.start ?? 0, range?.end ?? bytes.length)
    },
    async share(from, to, hashes) {
      const held = holders.get(to) ?? new Map<string, Uint8Array>()
      holders.set(to, held)
      for (const hash of hashes) {
        const bytes = holders.get(from)?.get(hash)
        if (bytes) held.set(hash, bytes)
      }
    },
    async flush() {},
    async release(holder, hash) {
      if (hash === undefined) holders.delete(holder)
      else holders.get(holder)?.delete(hash)
    },
  }
}
