import { api, shape as s } from '@maru/protocol'
import type { Key } from '@maru/store'
import { hasScope } from '../access/identify.ts'
import { hashSecret, newSecret } from '../access/secrets.ts'
import { refusal } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import type { RouteContext } from './context.ts'
import { note } from './note.ts'
import { findPerson } from './people.ts'
import { Cursor, Limit } from './shapes.ts'

const tag = 'access'
const User = s.optional(s.string({ min: 1, max: 200 }))

/** The keys to one's own part; the owner of the server has those of the others as well, by name. */
export function tokenRoutes(context: RouteContext): Route[] {
  const { inside, keys } = context
  const { access, now } = inside.options
  const ownerOf = async (key: Key, user: string | undefined) =>
    user === undefined ? key.person.id : (await findPerson(context, key, user)).id
  return [
    defineRoute({
      ...{ method: 'GET', path: '/api/v1/tokens', scope: 'admin', tag },
      query: s.object({ user: User, limit: s.optional(Limit), cursor: s.optional(Cursor) }),
      summary: "The keys to my part: API tokens and browsers. With user, somebody's, also those that are over",
      answers: { 200: { description: 'All of them', shape: api.pageOf(api.Token) } },
      async handle({ key, query: { user } }) {
        const all = await access.keys(await ownerOf(key, user))
        const shown = user === undefined ? all.filter(({ expiresAt }) => (expiresAt ?? Infinity) > now()) : all
        return { status: 200, json: { items: shown.map(showKey) } }
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/tokens', scope: 'admin', tag, body: api.NewToken },
      summary: 'Makes an API token; it is shown this once',
      answers: { 201: { description: 'The token', shape: api.MadeToken } },
      async handle({ key, body: { label, scopes, expiresInDays, expiresAt, user }, address, by }) {
        if (scopes.length === 0) throw refusal('bad-body', 'a token is for something', { at: 'scopes' })
        const more = scopes.find((scope) => !hasScope(key, scope))
        if (more !== undefined) throw refusal('forbidden', `this key has no scope "${more}" to give away`)
        const end = expiresAt ?? (expiresInDays === undefined ? undefined : now() + expiresInDays * 86_400_000)
        const owner = await ownerOf(key, user)
        const token = newSecret()
        const made = await access.addKey({
          ...{ kind: 'token', owner, hash: hashSecret(token), label, scopes: [...new Set(scopes)] },
          ...(end !== undefined && { expiresAt: end }),
        })
        await note(context, { key, address, by }, 'key-made', `${made.id} ${made.scopes.join(' ')}`)
        return { status: 201, json: { token, key: showKey(made) } }
      },
    }),
    defineRoute({
      ...{ method: 'DELETE', path: '/api/v1/tokens/:id', scope: 'admin', tag },
      params: s.object({ id: s.string({ max: 64 }) }),
      query: s.object({ user: User }),
      summary: 'Revokes a key; whatever it has open is closed',
      answers: { 204: { description: 'It is over' } },
      async handle({ key, params: { id }, query: { user }, address, by }) {
        const theirs = await access.keys(await ownerOf(key, user))
        if (!theirs.some((one) => one.id === id) || !(await access.revokeKey(id))) throw refusal('not-found')
        keys.endKey(id)
        await note(context, { key, address, by }, 'key-revoked', id)
        return { status: 204 }
      },
    }),
  ]
}

function showKey({ id, kind, person, label, scopes, createdAt, expiresAt, lastUsedAt }: Key): api.Token {
  return {
    ...{ id, kind, label, scopes, createdAt },
    user: { id: person.id, name: person.name },
    ...(expiresAt !== undefined && { expiresAt }),
    ...(lastUsedAt !== undefined && { lastUsedAt }),
  }
}
