import type { IncomingHttpHeaders } from 'node:http'
import { beginning } from '@maru/agent'
import type { Diagnostic } from '@maru/protocol'
import { cleanText } from './clean-text.ts'
import { type Deadline, startDeadline, unlessAborted } from './deadline.ts'
import { type Answer, httpGet } from './http-get.ts'
import { findRoute, type RouteRules, unreachable } from './route.ts'
import { isCovered, type Problem, readTarget, type Target } from './target.ts'

/** What was found at the end of the redirects. */
export interface Page extends Answer {
  readonly url: URL
  /** Why the body is not whole, if it is not. */
  readonly shortfall?: Diagnostic
}

export interface FetchOptions {
  readonly rules: RouteRules
  readonly signal: AbortSignal
  /** For everything together: names, redirects, body. */
  readonly timeoutMs: number
  wantsBody(headers: IncomingHttpHeaders): boolean
}

const MAX_REDIRECTS = 5
const MAX_REASON = 200

const HEADERS = {
  'user-agent': 'Maru-WebFetch/1.0',
  accept: 'text/html, text/markdown, text/plain, application/json, application/xhtml+xml, */*;q=0.5',
  'accept-encoding': 'identity',
}

/** Gets a page and follows redirects within what was approved; each step is resolved and judged anew. */
export async function fetchPage(approved: Target, options: FetchOptions): Promise<Page | Problem> {
  const deadline = startDeadline(options.signal, options.timeoutMs)
  try {
    return await follow(approved, options, deadline)
  } finally {
    deadline.close()
  }
}

async function follow(approved: Target, options: FetchOptions, deadline: Deadline): Promise<Page | Problem> {
  let target = approved
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const answer = await getOnce(target, options, deadline)
    if ('problem' in answer) return answer
    const location = locationOf(answer)
    if (location === undefined) return pageOf(answer, target, deadline)
    const next = readRedirect(location, { from: target, approved, rules: options.rules })
    if ('problem' in next) return next
    target = next
  }
  const message = `${approved.url.href} redirects more than ${MAX_REDIRECTS} times.`
  return { problem: { code: 'too-many-redirects', message, hint: 'It probably goes in circles; use another source.' } }
}

async function getOnce(target: Target, options: FetchOptions, deadline: Deadline): Promise<Answer | Problem> {
  const { url, host } = target
  const { signal } = deadline
  try {
    const route = await unlessAborted(findRoute(target, options.rules), signal)
    if ('problem' in route) return route
    const wantsBody = (status: number, headers: IncomingHttpHeaders) => {
      return locationOf({ status, headers }) === undefined && options.wantsBody(headers)
    }
    return await httpGet({ url, route, headers: HEADERS, signal, wantsBody })
  } catch (error) {
    return { problem: stopOf(deadline, options.timeoutMs) ?? unreachable(`${host}: ${reasonOf(error)}.`).problem }
  }
}

/** What is said when the time was over or the user stopped, if one of them is so. */
export function stopOf({ cause }: Deadline, timeoutMs: number): Diagnostic | undefined {
  if (cause === 'interrupted') return { code: 'interrupted', message: 'Interrupted before the answer was there.' }
  if (cause === undefined) return undefined
  const hint = 'Try another source, or once more later.'
  return { code: 'timeout', message: `No whole answer within ${timeoutMs / 1000} s.`, hint }
}

/** Why a connection failed, in few words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Of several addresses each has its own; the first says enough.
  const [first] = error instanceof AggregateError ? error.errors : []
  if (first instanceof Error) return reasonOf(first)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the name has no address'
  // A certificate's own words may be among them.
  const message = beginning(cleanText(error.message).replace(/\s+/g, ' '), MAX_REASON)
  return code === undefined || message.includes(code) ? message : `${message} (${code})`
}

function pageOf(answer: Answer, { url }: Target, deadline: Deadline): Page | Problem {
  if (deadline.cause === 'interrupted') return { problem: { code: 'interrupted', message: 'Interrupted half-way.' } }
  if (answer.ending !== 'broken') return { ...answer, url }
  const why = deadline.cause === 'timeout' ? 'the time was over' : 'the connection broke'
  const shortfall = { code: 'incomplete', message: `Only the beginning came before ${why}.` }
  return { ...answer, url, shortfall }
}

function locationOf({ status, headers }: Pick<Answer, 'status' | 'headers'>): string | undefined {
  return [301, 302, 303, 307, 308].includes(status) ? headers.location : undefined
}

interface Redirect {
  readonly from: Target
  readonly approved: Target
  readonly rules: RouteRules
}

function readRedirect(location: string, { from, approved, rules }: Redirect): Target | Problem {
  if (!URL.canParse(location, from.url.href)) return badRedirect(from, 'an address that cannot be read', undefined)
  const next = readTarget(new URL(location, from.url).href, rules)
  if ('problem' in next) return badRedirect(from, 'an address that is refused', next.problem)
  if (isCovered(next, approved)) return next
  return {
    problem: {
      code: 'redirected-elsewhere',
      message: `${from.url.href} redirects to ${next.url.href}, which was not approved with this call.`,
      hint: 'Call WebFetch with that URL if it is what you need.',
    },
  }
}

function badRedirect({ url }: Target, what: string, cause: Diagnostic | undefined): Problem {
  const message = `${url.href} redirects to ${what}${cause ? `: ${cause.message}` : '.'}`
  return { problem: { code: cause?.code ?? 'bad-redirect', message, hint: 'Use another source.' } }
}
