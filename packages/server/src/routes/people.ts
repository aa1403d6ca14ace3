import { api, shape as s } from '@maru/protocol'
import type { Key, Person } from '@maru/store'
import { hashPassword } from '../access/password.ts'
import { refusal } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import type { RouteContext } from './context.ts'
import { note } from './note.ts'
import { Cursor, Limit } from './shapes.ts'

const tag = 'access'
const Name = s.string({ min: 1, max: 200 })
const ByName = s.object({ name: Name })

/** The people of this server. Only its owner looks after them: to be an admin of one's own part is not enough. */
export function peopleRoutes(context: RouteContext): Route[] {
  const { inside, keys, ownOf } = context
  const { access } = inside.options
  const show = async ({ id, name, createdAt }: Person): Promise<api.User> => {
    const [found, { conversations }] = await Promise.all([
      access.findPerson(name),
      ownOf(id).then((own) => own.conversations.usage()),
    ])
    return { id, name, createdAt, hasPassword: found?.passwordHash !== undefined, conversations }
  }
  return [
    defineRoute({
      ...{ method: 'GET', path: '/api/v1/users', scope: 'admin', tag },
      query: s.object({ limit: s.optional(Limit), cursor: s.optional(Cursor) }),
      summary: 'The people of this server, for its owner',
      answers: { 200: { description: 'All of them', shape: api.pageOf(api.User) } },
      async handle({ key }) {
        expectOwner(context, key)
        const items: api.User[] = []
        for (const person of await access.people()) items.push(await show(person))
        return { status: 200, json: { items } }
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/users', scope: 'admin', tag, body: api.NewUser },
      summary: 'Adds somebody, with a password or without one',
      answers: { 201: { description: 'Who was added', shape: api.User } },
      async handle(call) {
        expectOwner(context, call.key)
        const { name, password } = call.body
        const hash = password === undefined ? undefined : await hashPassword(password)
        const person = await access.addPerson(name)
        if (hash !== undefined) await access.setPassword(person.id, hash)
        await note(context, call, 'user-add', person.name)
        return { status: 201, json: await show(person) }
      },
    }),
    defineRoute({
      ...{ method: 'PUT', path: '/api/v1/users/:name/password', scope: 'admin', tag, params: ByName },
      body: api.NewPassword,
      summary: "Sets somebody's password; whoever is signed in as them has to do so again",
      answers: { 204: { description: 'It is set' } },
      async handle(call) {
        const person = await findPerson(context, call.key, call.params.name)
        const ended = await access.setPassword(person.id, await hashPassword(call.body.password), call.key.id)
        for (const id of ended) keys.endKey(id)
        await note(context, call, 'user-password', person.name)
        return { status: 204 }
      },
    }),
    defineRoute({
      ...{ method: 'DELETE', path: '/api/v1/users/:name', scope: 'admin', tag, params: ByName },
      summary: 'Removes somebody with everything of theirs; whatever they have open is closed',
      answers: { 204: { description: 'They are gone' } },
      async handle(call) {
        const person = await findPerson(context, call.key, call.params.name)
        if (person.id === inside.options.owner.id) throw refusal('rejected', 'this is the owner of the server')
        const theirs = await access.keys(person.id)
        await access.removePerson(person.id)
        for (const { id } of theirs) keys.endKey(id)
        await note(context, call, 'user-remove', person.name)
        return { status: 204 }
      },
    }),
    defineRoute({
      ...{ method: 'GET', path: '/api/v1/audit', scope: 'admin', tag },
      query: s.object({ user: s.optional(Name), limit: s.optional(Limit) }),
      summary: 'Who came in, and what was done with keys and approvals, the newest first, for the owner of this server',
      answers: { 200: { description: 'The newest', shape: api.pageOf(api.AuditNote) } },
      async handle({ key, query: { user, limit = 50 } }) {
        expectOwner(context, key)
        const owner = user === undefined ? undefined : (await findPerson(context, key, user)).id
        return { status: 200, json: { items: await access.audit({ limit, ...(owner !== undefined && { owner }) }) } }
      },
    }),
  ]
}

/** Somebody by name, for the owner of the server: nobody else learns who there is. */
export async function findPerson(context: RouteContext, key: Key, name: string): Promise<Person> {
  expectOwner(context, key)
  const person = await context.inside.options.access.findPerson(name)
  if (!person) throw refusal('not-found')
  return person
}

function expectOwner({ inside }: RouteContext, key: Key): void {
  if (key.person.id !== inside.options.owner.id) throw refusal('forbidden', 'only the owner of this server may')
}
