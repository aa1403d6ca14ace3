import type { Access, Key } from '@maru/store'

/** How often keys that keep something open are looked at: others may have revoked them. */
const SWEEP_MS = 3_000

/** Which keys keep something open here, and who has to hear when one ends. */
export function createKeyKeeper(access: Access, now: () => number) {
  const listeners = new Set<(keyId: string) => void>()
  const used = new Map<string, { key: Key; count: number }>()
  let sweeping: Promise<void> | undefined

  const endKey = (keyId: string) => {
    for (const listener of [...listeners]) listener(keyId)
  }

  async function sweep(): Promise<void> {
    const owners = new Set([...used.values()].map(({ key }) => key.person.id))
    for (const owner of owners) {
      // A database that does not answer now is asked again before long; nothing is closed on its account.
      const keys = await access.keys(owner).catch(() => undefined)
      if (!keys) return
      const good = new Set(
        keys.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now()).map(({ id }) => id),
      )
      for (const { key } of [...used.values()]) if (key.person.id === owner && !good.has(key.id)) endKey(key.id)
    }
  }

  const timer = setInterval(() => {
    if (used.size > 0) sweeping ??= sweep().finally(() => (sweeping = undefined))
  }, SWEEP_MS)
  timer.unref()

  return {
    endKey,
    onKeyEnd(listener: (keyId: string) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    /** Something is open that this key opened, until it is told otherwise. */
    hold(key: Key): () => void {
      const entry = used.get(key.id) ?? { key, count: 0 }
      entry.count++
      used.set(key.id, entry)
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        if (--entry.count === 0) used.delete(key.id)
      }
    },
    async close(): Promise<void> {
      clearInterval(timer)
      await sweeping
    },
  }
}
export type KeyKeeper = ReturnType<typeof createKeyKeeper>
