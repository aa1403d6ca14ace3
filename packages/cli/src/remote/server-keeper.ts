import { type Api, ApiError } from '@maru/client'
import type { api } from '@maru/protocol'
import type { Key, Person } from '@maru/store'
import { type Keeper, NOTES_SHOWN } from '../access/keeper.ts'
import type { Invocation } from '../command.ts'
import type { FoundServer } from './find-server.ts'
import { openApi, toCliError } from './open-link.ts'

/** The server that holds the history is asked: with its own key it is its owner who asks. */
export async function openServerKeeper(server: FoundServer, { t }: Invocation): Promise<Keeper> {
  const found = await openApi(server)
  const ask = askWith(found, toCliError(t))
  const me = (await found.me().catch(toCliError(t))).user.id
  const people = async () => (await ask<{ items: api.User[] }>('GET', 'users')).items
  const keysOf = async ({ name }: { name: string }) => {
    const { items } = await ask<{ items: api.Token[] }>('GET', 'tokens', { query: { user: name } })
    return items.map(keyOf)
  }
  return {
    me,
    async people() {
      return (await people()).map(({ conversations: _, ...person }) => person)
    },
    async find(name) {
      const user = (await people()).find((one) => one.name === name)
      return user && personOf(user)
    },
    async add(name, password) {
      const body: api.NewUser = { name, ...(password !== undefined && { password }) }
      return personOf(await ask<api.User>('POST', 'users', { body }))
    },
    setPassword: ({ name }, password) =>
      ask('PUT', `users/${encodeURIComponent(name)}/password`, { body: { password } }),
    async count({ id }) {
      return (await people()).find((one) => one.id === id)?.conversations ?? 0
    },
    remove: ({ name }) => ask('DELETE', `users/${encodeURIComponent(name)}`),
    async keys(person) {
      if (person) return keysOf(person)
      const all: Key[] = []
      for (const one of await people()) all.push(...(await keysOf(one)))
      return all.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    },
    async addToken({ person, label, scopes, expiresAt }) {
      const body: api.NewToken = {
        ...{ label, scopes },
        ...(expiresAt !== undefined && { expiresAt }),
        ...(person && { user: person.name }),
      }
      const { token, key } = await ask<api.MadeToken>('POST', 'tokens', { body })
      return { token, key: keyOf(key) }
    },
    async revoke({ id, person: { name } }) {
      try {
        await ask('DELETE', `tokens/${encodeURIComponent(id)}`, { query: { user: name } })
        return true
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not-found') return false
        throw error
      }
    },
    async notes(person) {
      const query = { limit: String(NOTES_SHOWN), ...(person && { user: person.name }) }
      return (await ask<{ items: api.AuditNote[] }>('GET', 'audit', { query })).items
    },
  }
}

// What the commands have words for is theirs to tell.
const TOLD: ReadonlySet<string> = new Set(['exists', 'rejected', 'not-found'])

function askWith({ http }: Api, tell: (error: unknown) => never) {
  return async <T = void>(method: string, path: string, call?: Parameters<Api['http']>[2]): Promise<T> => {
    try {
      const response = await http(method, path, { ...call, headers: { 'x-maru-door': 'terminal' } })
      return (response.status === 204 ? undefined : await response.json()) as T
    } catch (error) {
      if (error instanceof ApiError && TOLD.has(error.code)) throw error
      return tell(error)
    }
  }
}

function personOf({ id, name, createdAt }: api.User): Person {
  return { id, name, createdAt }
}

// Whose it is, as far as anybody asks; since when they are known is told elsewhere.
function keyOf({ user, ...key }: api.Token): Key {
  return { ...key, person: { ...user, createdAt: 0 } }
}
