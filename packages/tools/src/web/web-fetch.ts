import type { IncomingHttpHeaders } from 'node:http'
import { beginning, RESULT_LIMIT, renderResult } from '@maru/agent'
import type { Diagnostic, Tool, ToolContext, ToolResult } from '@maru/protocol'
import { keepOutput } from '../command/keep-output.ts'
import { hashOf } from '../hash.ts'
import { readArguments } from '../read-arguments.ts'
import { failure, INTERRUPTED, refusal } from '../refusal.ts'
import { readAllowedHosts } from './allowed-hosts.ts'
import { fetchPage, type Page } from './fetch-page.ts'
import { isPackedStrangely, MAX_BODY } from './http-get.ts'
import type { Environment } from './proxy.ts'
import { isOwnAddress, isPublicAddress } from './public-address.ts'
import { canBeText, mediaTypeOf, readBody } from './read-body.ts'
import { exitProblem, type Resolve, type RouteRules, resolveBySystem } from './route.ts'
import { webSpecs } from './specs.ts'
import { accessOf, readTarget } from './target.ts'
import { markUntrusted } from './untrusted.ts'

export interface WebFetchOptions {
  /** For `HTTP_PROXY` and its kin: `process.env`. */
  readonly environment: Environment
  /** `host` or `host:port`: may be fetched although they are private, or at a port that is none of the web. */
  readonly allowHosts?: readonly string[]
  /** Without it, nothing is fetched where a proxy is set: only the proxy could keep private addresses out. */
  readonly proxyIsTrusted?: boolean
  readonly timeoutMs?: number
}

/** What the tool needs of the world beside sockets. */
export interface WebEdges {
  readonly resolve: Resolve
  isPublic(address: string): boolean
}

const realEdges: WebEdges = {
  resolve: resolveBySystem,
  isPublic: (address) => isPublicAddress(address) && !isOwnAddress(address),
}

/** What is shown at most; of an error page, less. */
const SHOWN = 9_000
const SHOWN_OF_ERROR = 2_000

// What a rendered result keeps free to name its outputs.
const OUTPUT_NAMES = 20
const TIMEOUT_MS = 20_000

/**
 * The tool that reads a page of the public web. Whatever name, redirect or spelling leads there, it connects to no
 * address inside this machine or its networks, unless the user has named the host.
 */
export function createWebFetch(options: WebFetchOptions, edges: WebEdges = realEdges): Tool {
  const { environment, allowHosts = [], proxyIsTrusted = false, timeoutMs = TIMEOUT_MS } = options
  const rules: RouteRules = { ...edges, environment, proxyIsTrusted, isNamed: readAllowedHosts(allowHosts) }
  return {
    spec: webSpecs.WebFetch,
    // Nothing is resolved here: a name alone can carry a secret away, so it is asked for first.
    async prepare(args) {
      const read = readArguments<{ url: string }>(webSpecs.WebFetch.schema, args)
      if (!read.ok) return refusal(read.diagnostic)
      const target = readTarget(read.args.url, rules)
      if ('problem' in target) return refusal(target.problem)
      const closed = exitProblem(target, rules)
      if (closed) return refusal(closed.problem)
      return {
        access: accessOf(target),
        preview: { kind: 'text', text: `GET ${target.url.href}` },
        basis: [hashOf(target.url.href)],
        async run(context) {
          const { signal } = context
          if (signal.aborted) return failure(INTERRUPTED)
          const page = await fetchPage(target, { rules, signal, timeoutMs, wantsBody })
          return 'problem' in page ? failure(page.problem) : resultOf(page, context)
        },
      }
    },
  }
}

function wantsBody(headers: IncomingHttpHeaders): boolean {
  return canBeText(headers['content-type']) && !isPackedStrangely(headers)
}

async function resultOf(page: Page, context: ToolContext): Promise<ToolResult> {
  const { url, status, headers, bytes, shortfall } = page
  const contentType = headers['content-type']
  const isGood = status >= 200 && status < 300
  const diagnostics: Diagnostic[] = []
  if (!isGood) diagnostics.push({ code: 'http-status', message: `The server answered ${status}.` })
  const type = mediaTypeOf(contentType)
  const data = { url: url.href, status, ...(type !== undefined && { type }) }
  if (isPackedStrangely(headers)) {
    return { ok: false, data, diagnostics: [...diagnostics, described('is packed in a way that is not known here')] }
  }
  const content = readBody(bytes, { contentType, url })
  if (content.kind === 'other') {
    const size = sizeOf(page)
    return { ok: isGood, data, diagnostics: [...diagnostics, described(`is no text: ${content.name}, ${size}`)] }
  }
  if (shortfall) diagnostics.push(shortfall)
  if (page.ending === 'limit') {
    const message = `Only the first ${MAX_BODY / 1024 / 1024} MB of it were read.`
    diagnostics.push({ code: 'too-large', message })
  }
  const whole = content.text.trim()
  if (whole === '') {
    const hint = 'It may be made by a script, which is never run here; look for another address of the same content.'
    diagnostics.push({ code: 'no-text', message: 'There is no text in it.', hint })
    return { ok: isGood && shortfall === undefined, data, diagnostics }
  }
  const text = { whole, source: url.href, limit: isGood ? SHOWN : SHOWN_OF_ERROR }
  return show({ ok: isGood, data, diagnostics }, text, context)
}

function described(what: string): Diagnostic {
  return { code: 'described', message: `The content ${what}. It is not shown.` }
}

function sizeOf({ headers, bytes, ending }: Page): string {
  if (ending === 'whole') return `${bytes.length} bytes`
  const declared = headers['content-length']
  return declared !== undefined && /^\d{1,15}$/.test(declared) ? `${declared} bytes` : 'of unknown size'
}

interface Text {
  readonly whole: string
  readonly source: string
  readonly limit: number
}

/** Puts as much of the text into a result as fits; the whole is kept, and can be read page by page. */
async function show(
  result: ToolResult & { diagnostics: Diagnostic[] },
  { whole, source, limit }: Text,
  context: ToolContext,
): Promise<ToolResult> {
  const { diagnostics, ...rest } = result
  const room = Math.min(
    limit,
    roomIn({ ...result, diagnostics: [...diagnostics, cut(whole.length, whole.length)] }, source) - SAID_OF_KEPT,
  )
  if (whole.length <= room) {
    return { ...rest, ...(diagnostics.length > 0 && { diagnostics }), stdout: markUntrusted(source, whole) }
  }
  const shown = beginning(whole, room)
  const kept = await keepOutput(whole, context)
  return {
    ...rest,
    diagnostics: [...diagnostics, cut(shown.length, whole.length), kept.diagnostic],
    stdout: markUntrusted(source, shown),
    parts: [kept.part],
  }
}

// What is said of where the rest is.
const SAID_OF_KEPT = 300

function roomIn(result: ToolResult, source: string): number {
  return RESULT_LIMIT - renderResult({ ...result, stdout: markUntrusted(source, '') }).length - OUTPUT_NAMES
}

function cut(shown: number, all: number): Diagnostic {
  return { code: 'cut', message: `Shown are the first ${shown} of ${all} characters.` }
}
