import { createHash } from 'node:crypto'
import type { Random } from '../../bench/patches/random.ts'
import { ask } from './ask.ts'

/** Somebody with things of their own, each of which says a word that nobody else says. */
export interface Person {
  readonly name: string
  readonly token: string
  /** Stands in everything of theirs, and so in no answer to anybody else. */
  readonly marker: string
  readonly ids: string[]
  readonly hashes: string[]
  readonly keys: string[]
  readonly cursors: string[]
}

export function createPerson({ name, token }: { name: string; token: string }): Person {
  return { name, token, marker: name, ids: [], hashes: [], keys: [], cursors: [] }
}

/** Gives somebody a conversation, a blob and a key more. */
export async function stock(url: string, person: Person): Promise<void> {
  const { marker, token } = person
  const say = async (path: string, body: unknown) => {
    const { status, text } = await ask(url, { method: 'POST', path: `/api/v1/${path}`, token, body })
    if (status !== 201) throw new Error(`${path} gave ${status}: ${text}`)
    return JSON.parse(text) as { id: string; key: { id: string } }
  }
  const words = `${marker} 서버에서 word`
  const wish = { title: words, description: words, project: words, initialMessage: words }
  const { id } = await say('conversations', wish)
  person.ids.push(id)
  for (const at of [1, 2, 3]) {
    const metadata = { note: words }
    await say(`conversations/${id}/messages`, { clientId: `m${at}`, role: 'assistant', content: words, metadata })
  }
  const content = Buffer.from(`${words} ${person.hashes.length}`)
  const stored = await ask(url, { method: 'POST', path: '/api/v1/blobs', token, bytes: content })
  if (stored.status !== 201) throw new Error(`blobs gave ${stored.status}: ${stored.text}`)
  person.hashes.push(createHash('sha256').update(content).digest('hex'))
  const { key } = await say('tokens', { label: words, scopes: ['read'], expiresInDays: 1 })
  person.keys.push(key.id)
}

/** A word that a field of this name may well have: mostly one's own, at times another's. */
export function knownTo(random: Random, me: Person, other: Person, name: string): unknown {
  const whose = random.chance(0.7) ? me : other
  const of = (words: readonly string[]) => (words.length > 0 ? words[random.below(words.length)] : undefined)
  switch (name) {
    case 'id':
    case 'session':
    case 'parent':
    case 'holder':
      // Older ones have been erased by now, more often than not.
      return random.chance(0.9) ? of(whose.ids.slice(-6)) : random.pick(['nobody', 'uploads', '..', '.'])
    case 'hash':
      return of(whose.hashes)
    case 'cursor':
      return random.chance(0.7) ? of(whose.cursors) : random.pick(['a.1', 'b.2', '1.1.1', 'last_at.1.1', '0'])
    case 'from':
    case 'to':
      return random.pick(['2026-11-16', '0', '1700000000000', '2026-11-16T09:30:00Z', '9999-12-31', '0000-02-31'])
    case 'title':
    case 'content':
    case 'text':
    case 'label':
      return `${me.marker} ${random.pick(['하나', 'two', '셋'])}`
    case 'q':
      // Also what only the other one has said: nothing of it may be found.
      return random.pick([me.marker, other.marker, '서버', 'word', '에서'])
    case 'clientId':
    case 'key':
      return `c${random.below(200)}`
    case 'seq':
    case 'target':
    case 'after':
    case 'before':
    case 'around':
      return random.below(8)
    default:
      return undefined
  }
}
