import { type BlobStore, FACT_VERSION, type Hash, type Recorded } from '@maru/protocol'
import { sha256 } from '@maru/store'

/**
 * What is known here of a session that lies elsewhere, so that it can be gone on with should that place go away: its
 * facts, and the content that they speak of as far as it ever passed through here.
 */
export interface Copy {
  readonly last: number
  take(record: Recorded): void
  /** From the first on, each number once. */
  facts(): Recorded[]
  readonly content: ReadonlyMap<Hash, Uint8Array>
  /** The same store; what goes through it is kept. */
  keeping(blobs: BlobStore): BlobStore
}

const NAMED = /"(?:hash|before|after)":"([0-9a-f]{64})"/g
const MOST_BYTES = 64 * 1024 * 1024

/** `fetch` gives content that came before this copy was begun; what does not fit into memory stays where it is. */
export function createCopy(fetch: (hash: Hash) => Promise<Uint8Array | undefined>): Copy {
  const known = new Map<number, Recorded>()
  const content = new Map<Hash, Uint8Array>()
  const asked = new Set<Hash>()
  let bytes = 0
  let fetching: Promise<unknown> = Promise.resolve()
  const keep = (hash: Hash, held: Uint8Array) => {
    if (content.has(hash) || bytes + held.length > MOST_BYTES) return
    bytes += held.length
    content.set(hash, held)
  }
  // One after another, behind whatever is more urgent; what cannot be had now is asked for when it is needed.
  const bring = (hash: Hash) => {
    if (content.has(hash) || asked.has(hash) || bytes >= MOST_BYTES) return
    asked.add(hash)
    fetching = fetching.then(async () => {
      const held = content.has(hash) ? undefined : await fetch(hash).catch(() => undefined)
      if (held) keep(hash, held)
    })
  }
  let last = 0
  return {
    get last() {
      return last
    },
    take(record) {
      known.set(record.seq, record)
      last = Math.max(last, record.seq)
      for (const [, hash = ''] of JSON.stringify(record).matchAll(NAMED)) bring(hash)
    },
    facts: () => Array.from({ length: last }, (_, at) => known.get(at + 1) ?? missing(at + 1, known)),
    content,
    keeping: (blobs) => ({
      ...blobs,
      async put(holder, given) {
        const ref = await blobs.put(holder, given)
        const held = typeof given === 'string' ? new TextEncoder().encode(given) : given
        // Without its secrets it is something else.
        if (sha256(held) === ref.hash) keep(ref.hash, held)
        return ref
      },
      async get(holder, hash, range) {
        const own = content.get(hash)
        if (own) return range ? own.subarray(range.start, range.end) : own
        const held = await blobs.get(holder, hash, range)
        if (held && !range) keep(hash, held)
        return held
      },
    }),
  }
}

// Somebody at another door said it in the moment in which the line was cut, and something of ours stands behind it: it
// is where it was said, and here its place stays empty.
function missing(seq: number, known: ReadonlyMap<number, Recorded>): Recorded {
  const after = [...known.values()].find((record) => record.seq > seq)
  return { v: FACT_VERSION, seq, at: after?.at ?? 0, type: 'erased', was: 'unknown', by: 'door' }
}
