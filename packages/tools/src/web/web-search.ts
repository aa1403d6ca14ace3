import { TEXT_LIMIT } from '@maru/agent'
import type { Diagnostic, Json, Tool, ToolResult } from '@maru/protocol'
import { hashOf } from '../hash.ts'
import { readArguments } from '../read-arguments.ts'
import { failure, INTERRUPTED, refusal } from '../refusal.ts'
import { hostOf } from './allowed-hosts.ts'
import { startDeadline, unlessAborted } from './deadline.ts'
import { decodeBody } from './decode-body.ts'
import { reasonOf, stopOf } from './fetch-page.ts'
import { type Answer, httpGet } from './http-get.ts'
import { type Environment, findExit } from './proxy.ts'
import { type Resolve, type Route, resolveBySystem, unreachable } from './route.ts'
import { type Found, readSearchResults } from './search-results.ts'
import { webSpecs } from './specs.ts'
import type { Problem } from './target.ts'
import { markUntrusted } from './untrusted.ts'

export interface WebSearchOptions {
  /** The address of the user's own search service, with `{query}` where the words go. It may be private. */
  readonly endpoint: string
  /** What the service knows the user by; it is sent to this service only and shown to nobody. */
  readonly header?: { readonly name: string; readonly value: string }
  /** For `HTTP_PROXY` and its kin: `process.env`. */
  readonly environment: Environment
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 20_000
const MAX_QUERY = 1_000

/** What is wrong with an endpoint, if anything: completes "the search endpoint …". Never repeats it, for it may hold a key. */
export function searchEndpointProblem(endpoint: string): string | undefined {
  if (!endpoint.includes('{query}')) return 'has no {query} in it'
  const address = endpoint.replaceAll('{query}', 'words')
  if (!URL.canParse(address)) return 'is no URL'
  const { protocol, username, password } = new URL(address)
  if (protocol !== 'http:' && protocol !== 'https:') return 'is neither http nor https'
  if (username !== '' || password !== '') return 'has a user name before its host; use a header'
  const isInHost = new URL(endpoint.replaceAll('{query}', 'other')).host !== new URL(address).host
  return isInHost ? 'has {query} in its host' : undefined
}

/** The tool that asks the one search service that the user has set. It follows no redirect. */
export function createWebSearch(options: WebSearchOptions, resolve: Resolve = resolveBySystem): Tool {
  const problem = searchEndpointProblem(options.endpoint)
  if (problem !== undefined) throw new Error(`the search endpoint ${problem}`)
  return {
    spec: webSpecs.WebSearch,
    async prepare(args) {
      const read = readArguments<{ query: string }>(webSpecs.WebSearch.schema, args)
      if (!read.ok) return refusal(read.diagnostic)
      const query = read.args.query.trim()
      if (query === '' || query.length > MAX_QUERY) return refusal(badQuery)
      // Through bytes, because half a surrogate pair cannot be encoded.
      const words = encodeURIComponent(Buffer.from(query).toString())
      const url = new URL(options.endpoint.replaceAll('{query}', words))
      const host = hostOf(url)
      const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
      return {
        access: [{ kind: 'net', host, port }],
        preview: { kind: 'text', text: `Search at ${host}: ${query}` },
        basis: [hashOf(url.href)],
        async run({ signal }) {
          if (signal.aborted) return failure(INTERRUPTED)
          const answer = await ask({ url, host, options, resolve, signal })
          return 'problem' in answer ? failure(answer.problem) : resultOf(answer, { host, query, options })
        },
      }
    },
  }
}

const badQuery: Diagnostic = {
  code: 'bad-arguments',
  message: `A query has at least one and at most ${MAX_QUERY} characters.`,
  hint: 'Search for a few words.',
}

interface Asking {
  readonly url: URL
  readonly host: string
  readonly options: WebSearchOptions
  readonly resolve: Resolve
  readonly signal: AbortSignal
}

async function ask({ url, host, options, resolve, signal }: Asking): Promise<Answer | Problem> {
  const { environment, header, timeoutMs = TIMEOUT_MS } = options
  const deadline = startDeadline(signal, timeoutMs)
  try {
    const route = await unlessAborted(findWay(url, environment, resolve), deadline.signal)
    const headers = {
      'user-agent': 'Maru-WebSearch/1.0',
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(header && { [header.name]: header.value }),
    }
    const answer = await httpGet({
      url,
      route,
      headers,
      signal: deadline.signal,
      wantsBody: (status) => status === 200,
    })
    const stop = stopOf(deadline, timeoutMs)
    return stop === undefined ? answer : { problem: stop }
  } catch (error) {
    return { problem: stopOf(deadline, timeoutMs) ?? unreachable(`${host}: ${reasonOf(error)}.`).problem }
  } finally {
    deadline.close()
  }
}

// The user wrote this address, so that it is not judged: a search service at home is the usual case.
async function findWay(url: URL, environment: Environment, resolve: Resolve): Promise<Route> {
  const exit = findExit(url, environment)
  if (exit.kind === 'broken') throw new Error(exit.why)
  if (exit.kind === 'proxy') return exit
  return { kind: 'direct', addresses: await resolve(hostOf(url)) }
}

interface Search {
  readonly host: string
  readonly query: string
  readonly options: WebSearchOptions
}

function resultOf({ status, bytes, ending }: Answer, { host, query, options }: Search): ToolResult {
  if (status >= 300 && status < 400) return failed(`${host} wants to send the search elsewhere, which is not done.`)
  if (status !== 200) return failed(`${host} answered ${status}.`)
  const found = ending === 'whole' ? readSearchResults(parse(decodeBody(bytes, undefined))) : undefined
  if (found === undefined) return failed(`${host} did not answer with search results in a form that is known.`)
  if (found.length === 0) {
    const hint = 'Try fewer or other words.'
    return { ok: true, data: { query }, diagnostics: [{ code: 'nothing-found', message: 'Nothing was found.', hint }] }
  }
  const text = renderAll(found)
  const key = options.header?.value
  // A service that repeats what it was sent shall not show the key to the model.
  const shown = key ? text.replaceAll(key, '[key]') : text
  return { ok: true, data: { query }, stdout: markUntrusted(`a search at ${host}`, shown) }
}

// Leaves room for the query and the line that says whose text this is.
const SHOWN = TEXT_LIMIT - MAX_QUERY - 400

function renderAll(found: readonly Found[]): string {
  let text = ''
  for (const [index, each] of found.entries()) {
    const next = `${renderFound(each, index)}\n`
    if (text.length + next.length > SHOWN) return `${text}[${found.length - index} more do not fit here]\n`
    text += next
  }
  return text
}

function renderFound({ title, url, snippet }: Found, index: number): string {
  const lines = [
    `${index + 1}. ${title === '' ? url : title}`,
    `   ${url}`,
    ...(snippet === '' ? [] : [`   ${snippet}`]),
  ]
  return lines.join('\n')
}

function failed(message: string): ToolResult {
  const hint = 'Tell the user that the search endpoint in the settings does not work as it is.'
  return failure({ code: 'search-failed', message, hint })
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
