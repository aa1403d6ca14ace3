import type { Failure } from '@maru/protocol'
import { countOf, type Fields, fieldsOf, isFields, parseJson, textOf } from './json.ts'
import { ProxyError } from './proxy.ts'

type Code = Failure['code']

/** Whether the same request may do better later. Anything the vendor judged and refused will not. */
export function isRetriable({ code }: Failure): boolean {
  return code !== 'refused' && code !== 'context-too-long' && code !== 'aborted'
}

// By the words of both vendors, in `type` or in `code`.
const codes: { readonly [word: string]: Code } = {
  overloaded_error: 'overloaded',
  server_is_overloaded: 'overloaded',
  slow_down: 'overloaded',
  engine_overloaded: 'overloaded',
  rate_limit_error: 'rate-limit',
  rate_limit_exceeded: 'rate-limit',
  requests: 'rate-limit',
  tokens: 'rate-limit',
  timeout_error: 'timeout',
  api_error: 'server',
  server_error: 'server',
  internal_error: 'server',
  invalid_request_error: 'refused',
  authentication_error: 'refused',
  permission_error: 'refused',
  not_found_error: 'refused',
  request_too_large: 'context-too-long',
  billing_error: 'refused',
  invalid_prompt: 'refused',
  context_length_exceeded: 'context-too-long',
  exceed_context_size_error: 'context-too-long',
}

// Most say it in words alone, under a name that also stands for other refusals.
const tooLong =
  /prompt is too long|input is too long|exceeds? (?:the |its )?(?:available |maximum |model'?s? )*context|context[ _](?:length|window|size)[ _]?(?:limit )?(?:is |was )?exceeded|maximum (?:context|prompt|input|sequence) length|exceed(?:s|ed)? (?:the )?(?:maximum|max) (?:number of )?(?:input )?tokens|input token count .*exceeds|exceed context limit|too many (?:input )?tokens/i

function isTooLong(error: Fields): boolean {
  const named = ['code', 'type'].map((name) => codes[textOf(error[name])]).filter((code) => code !== undefined)
  if (named.includes('context-too-long')) return true
  return named.every((code) => code === 'refused') && tooLong.test(textOf(error['message']))
}

// A limit on money or quota: waiting does not lift it.
const spent = new Set([
  'insufficient_quota',
  'billing_hard_limit_reached',
  'billing_not_active',
  'enforced_spend_limit_reached',
])

/** The failure an error object inside a stream stands for. */
export function failureOfError(error: Fields): Failure {
  const status = countOf(error['code']) ?? countOf(error['status'])
  const said = textOf(error['message'])
  const message = said === '' ? `the vendor reported an error (${nameOf(error)})` : `the vendor reported: ${said}`
  return { code: codeOf(error, status), message, ...(isStatus(status) ? { status } : {}) }
}

function nameOf(error: Fields): string {
  return textOf(error['code']) || textOf(error['type']) || 'no name given'
}

function isStatus(status: number | undefined): status is number {
  return status !== undefined && status >= 300 && status <= 599
}

function codeOf(error: Fields, status: number | undefined): Code {
  if (isSpent(error)) return 'refused'
  if (isTooLong(error)) return 'context-too-long'
  for (const name of ['code', 'type']) {
    const code = codes[textOf(error[name])]
    if (code !== undefined) return code
  }
  return isStatus(status) ? codeOfStatus(status) : 'server'
}

function codeOfStatus(status: number): Code {
  if (status === 429) return 'rate-limit'
  if (status === 529) return 'overloaded'
  if (status === 408 || status === 504) return 'timeout'
  return status === 409 || status >= 500 ? 'server' : 'refused'
}

/** Whom a message is about: what to check when the vendor says no. */
export interface Addressee {
  /** Host and port, as a person would know it. */
  host: string
  /** Where the key comes from. */
  keyName: string
  /** Where the address comes from. */
  urlName: string
  model: string
}

/** An answer that is no stream: an HTTP error, a redirect, or a page in place of the vendor. */
export interface BadAnswer {
  status: number
  type: string
  location?: string
  /** The beginning of its body. */
  text: string
}

/** What a bad answer means: what, where, and what next. */
export function failureOfAnswer(answer: BadAnswer, to: Addressee): Failure {
  const { status } = answer
  if (status >= 300 && status < 400) {
    const target = hostOf(answer.location)
    const message = `${to.host} sent a redirect${target} (HTTP ${status}); a key is never sent after one: set ${to.urlName} to the final address`
    return { code: 'refused', message, status }
  }
  const body = parseJson(answer.text)
  const error = errorIn(body)
  if (status < 300 && error === undefined) {
    const what = answer.type === '' ? 'something that is no event stream' : answer.type
    return {
      code: 'protocol',
      message: `${to.host} answered with ${what} in place of an event stream: check ${to.urlName}`,
    }
  }
  const said = error ?? {}
  const code = status < 300 ? codeOf(said, undefined) : codeOfAnswer(said, status)
  return { code, message: messageOf(said, status, to), ...(status < 300 ? {} : { status }) }
}

/** The status rules where there is one, but for two things that a status hides. */
function codeOfAnswer(error: Fields, status: number): Code {
  if (isSpent(error)) return 'refused'
  if (status === 413 || (status < 429 && isTooLong(error))) return 'context-too-long'
  return status >= 500 && codeOf(error, undefined) === 'overloaded' ? 'overloaded' : codeOfStatus(status)
}

function isSpent(error: Fields): boolean {
  return spent.has(textOf(error['code'])) || spent.has(textOf(error['type']))
}

function errorIn(body: unknown): Fields | undefined {
  if (!isFields(body)) return undefined
  const error = body['error']
  if (isFields(error)) return error
  if (typeof error === 'string') return { message: error }
  return body['type'] === 'error' || 'detail' in body ? { message: body['message'] ?? body['detail'] } : undefined
}

function hostOf(location: string | undefined): string {
  if (location === undefined || !URL.canParse(location)) return ''
  return ` to ${new URL(location).host}`
}

function messageOf(error: Fields, status: number, to: Addressee): string {
  const said = textOf(fieldsOf(error)['message'])
  const tail = said === '' ? '' : `: ${said.slice(0, 500)}`
  const http = status < 300 ? '' : ` (HTTP ${status})`
  if (status === 401) return `${to.host} refused the key${http}: check ${to.keyName}${tail}`
  if (status === 402 || isSpent(error)) {
    return `${to.host} says the account has no credit left or its limit is reached${http}: check the billing there${tail}`
  }
  if (status === 403) return `the key may not do this at ${to.host}${http}: check the rights of ${to.keyName}${tail}`
  if (status === 404)
    return `${to.host} knows no model "${to.model}" at this address${http}: check the model and ${to.urlName}${tail}`
  if (status === 413)
    return `the request is too large for ${to.host}${http}: start a new conversation or compact this one${tail}`
  if (status === 429) return `${to.host} limits the rate${http}: wait a moment${tail}`
  if (status === 529) return `${to.host} is overloaded${http}: try again later${tail}`
  if (status >= 500 || status === 408) return `${to.host} failed${http}: try again later${tail}`
  return `${to.host} refused the request${http}${tail}`
}

/** What broke a connection, from the error node gives it. */
export function failureOfConnection(error: unknown, to: Addressee): Failure {
  const { code } = error as { code?: unknown }
  const why = textOf(code) || (error instanceof Error ? error.message : String(error))
  if (error instanceof ProxyError) return { code: 'refused', message: why }
  if (why.startsWith('ERR_INVALID') || why.startsWith('ERR_UNESCAPED')) {
    return {
      code: 'refused',
      message: `the request to ${to.host} cannot be sent (${why}): check ${to.keyName} and the headers`,
    }
  }
  if (certificate.test(why)) {
    const message = `the certificate of ${to.host} is not trusted (${why}): name its authority in NODE_EXTRA_CA_CERTS`
    return { code: 'refused', message }
  }
  const next = hints[why] ?? 'check the network'
  return { code: 'network', message: `no connection to ${to.host} (${why}): ${next}` }
}

const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS/

const hints: { readonly [why: string]: string } = {
  ECONNREFUSED: 'is the server running there?',
  ENOTFOUND: 'check the address and the network',
  EAI_AGAIN: 'the name could not be looked up; check the network',
  ECONNRESET: 'the other side hung up',
  EPIPE: 'the other side hung up',
}
