import { api } from '@maru/protocol'
import type { Key, Person } from '@maru/store'
import { COOKIE_MS, cookieHeader } from '../access/identify.ts'
import { verifyPassword } from '../access/password.ts'
import { csrfOf, hashSecret, newSecret } from '../access/secrets.ts'
import { refusal } from '../http/problem.ts'
import { type Call, defineRoute, type Reply, type Route } from '../http/route.ts'
import type { RouteContext } from './context.ts'
import { note } from './note.ts'

const tag = 'access'
const signedIn = { 200: { description: 'Who is signed in; the answer sets the cookie', shape: api.Me } }

/** Coming in and going out. */
export function authRoutes(context: RouteContext): Route[] {
  const { inside, throttle, keys } = context
  const { access } = inside.options
  return [
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/auth/link', scope: 'public', tag, body: api.LinkSignIn },
      summary: 'Signs a browser in with the token of a link, which is good once',
      answers: signedIn,
      async handle(call) {
        await throttle.signIn(call.address)
        return signIn(context, call, {
          way: 'link',
          person: await access.takeOneTime('link', hashSecret(call.body.token)),
        })
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/auth/pair', scope: 'public', tag, body: api.PairSignIn },
      summary: 'Signs a browser in with a code of eight digits, which is good once and for a few minutes',
      answers: signedIn,
      async handle(call) {
        await throttle.pairing(call.address)
        const code = call.body.code.replaceAll(/[\s-]/g, '')
        return signIn(context, call, { way: 'pair', person: await access.takeOneTime('pair', hashSecret(code)) })
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/auth/login', scope: 'public', tag, body: api.PasswordSignIn },
      summary: 'Signs a browser in by name and password',
      answers: signedIn,
      async handle(call) {
        await throttle.signIn(call.address)
        const { name, password } = call.body
        const found = await access.findPerson(name)
        const isRight = await verifyPassword(password, found?.passwordHash)
        return signIn(context, call, { way: 'password', person: isRight ? found : undefined })
      },
    }),
    defineRoute({
      ...{ method: 'POST', path: '/api/v1/auth/logout', scope: 'any', tag },
      summary: 'Ends the key that this request was made with',
      answers: { 204: { description: 'It is over' } },
      async handle({ key, isSecure, address, by }) {
        await access.revokeKey(key.id)
        keys.endKey(key.id)
        await note(context, { key, address, by }, 'sign-out')
        const headers = key.kind === 'cookie' ? { 'set-cookie': cookieHeader(undefined, isSecure) } : {}
        return { status: 204, headers }
      },
    }),
    defineRoute({
      ...{ method: 'GET', path: '/api/v1/auth/me', scope: 'any', tag },
      summary: 'Who is signed in, and what a page must send back with each change',
      answers: { 200: { description: 'Who it is', shape: api.Me } },
      handle: async ({ key, csrf }) => ({ status: 200, json: showMe(key, csrf) }),
    }),
  ]
}

async function signIn(
  { inside }: RouteContext,
  { address, isSecure, header }: Call,
  { way, person }: { way: string; person: Person | undefined },
): Promise<Reply> {
  const { access, now } = inside.options
  if (!person) {
    await access.note({ action: 'sign-in-failed', address, detail: way })
    throw refusal('sign-in-failed', 'it is wrong, used already, or over')
  }
  const cookie = newSecret('maru')
  const key = await access.addKey({
    ...{ kind: 'cookie', owner: person.id, hash: hashSecret(cookie), scopes: ['read', 'write', 'run', 'admin'] },
    label: browserOf(header('user-agent')),
    expiresAt: now() + COOKIE_MS,
  })
  await access.note({ owner: person.id, action: 'sign-in', door: 'web', address, detail: way })
  const headers = { 'set-cookie': cookieHeader(cookie, isSecure) }
  return { status: 200, headers, json: showMe(key, csrfOf(cookie)) }
}

// So that people know it again in the list of their keys.
function browserOf(agent = ''): string {
  const system = /Android|iPhone|iPad|Windows|Mac OS X|CrOS|Linux/.exec(agent)?.[0]
  const browser = /(Edg|OPR|SamsungBrowser|Whale|Firefox|FxiOS|CriOS|Chrome|Safari)\//.exec(agent)?.[1]
  return [browser ?? 'browser', system].filter((word) => word !== undefined).join(', ')
}

function showMe({ person: { id, name }, scopes }: Key, csrf: string | undefined): api.Me {
  return { user: { id, name }, scopes, ...(csrf !== undefined && { csrf }) }
}
