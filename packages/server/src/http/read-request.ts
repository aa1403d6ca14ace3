import type { IncomingMessage } from 'node:http'
import { misfit, type ObjectShape, type Shape } from '@maru/protocol'
import { refusal } from './problem.ts'

export interface Target {
  segments: string[]
  query: URLSearchParams
}

const SECRETS: ReadonlySet<string> = new Set([
  'token',
  'access_token',
  'id_token',
  'api_key',
  'apikey',
  'authorization',
])

/** What a request asks for. Addresses end up in logs and referrers, so no secret may stand in one. */
export function readTarget(url: string): Target {
  const [path = '', ...rest] = url.split('?')
  if (!path.startsWith('/') || url.length > 8_192) throw refusal('bad-request', 'the address cannot be read')
  const query = new URLSearchParams(rest.join('?'))
  for (const name of query.keys()) {
    if (SECRETS.has(name.toLowerCase())) throw refusal('token-in-url', 'send it in the Authorization header')
  }
  return {
    segments: path
      .split('/')
      .filter((segment) => segment !== '')
      .map(decoded),
    query,
  }
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw refusal('bad-request', 'the address is not percent-encoded UTF-8')
  }
}

/** A query as its shape wants it: numbers and booleans are read from their text. */
export function readQuery(shape: ObjectShape | undefined, query: URLSearchParams): unknown {
  const values: { [name: string]: unknown } = {}
  for (const [name, field] of Object.entries(shape?.fields ?? {})) {
    const given = query.getAll(name)
    if (given.length > 1) throw refusal('bad-query', `"${name}" is given more than once`, { at: name })
    const [text] = given
    if (text !== undefined) values[name] = fromText('optional' in field ? field.optional : field, text)
  }
  const wrong = shape && misfit(shape, values)
  if (wrong) throw refusal('bad-query', `"${wrong[0]}" is missing or does not fit`, { at: wrong.join('.') })
  return values
}

/** The names in a path. One that cannot be a name of anything is as missing as any other. */
export function readParams(shape: ObjectShape | undefined, params: { [name: string]: string }): unknown {
  const values: { [name: string]: unknown } = {}
  for (const [name, field] of Object.entries(shape?.fields ?? {})) {
    const text = params[name] ?? ''
    values[name] = fromText('optional' in field ? field.optional : field, text)
  }
  if (shape && misfit(shape, values)) throw refusal('not-found')
  return values
}

function fromText(shape: Shape, text: string): unknown {
  if (shape.kind === 'number') return /^-?\d{1,16}(\.\d{1,9})?$/.test(text) ? Number(text) : text
  if (shape.kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

const BODY_MS = 30_000
const MOST_DEEP = 100

/** A JSON body of a shape. */
export async function readJson(request: IncomingMessage, shape: Shape, most: number): Promise<unknown> {
  expectJson(request)
  const value = parse(await collect(request, most))
  const wrong = misfit(shape, value)
  if (wrong) throw refusal('bad-body', `"${wrong.join('.')}" is missing or does not fit`, { at: wrong.join('.') })
  return value
}

function expectJson({ headers }: IncomingMessage): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';')
  const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='))
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset)
  const encoding = headers['content-encoding'] ?? 'identity'
  if (type.trim() === 'application/json' && isUtf8 && encoding === 'identity') return
  throw refusal('wrong-type', 'send application/json in UTF-8, not compressed')
}

async function collect(request: IncomingMessage, most: number): Promise<Buffer> {
  expectLength(request, most)
  const pieces: Buffer[] = []
  let bytes = 0
  const timer = setTimeout(() => request.destroy(refusal('timeout')), BODY_MS)
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length
      if (bytes > most) throw refusal('too-large', `at most ${most} bytes`)
      pieces.push(piece)
    }
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(pieces)
}

/** Refuses at once what says of itself that it is too long. */
export function expectLength(request: IncomingMessage, most: number): void {
  if (Number(request.headers['content-length'] ?? 0) > most) throw refusal('too-large', `at most ${most} bytes`)
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) throw refusal('bad-json', 'the body is empty')
  // Deeper than anybody needs, and soon deeper than what it goes through can follow.
  if (isTooDeep(bytes)) throw refusal('bad-json', `it is nested more than ${MOST_DEEP} deep`)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)) as unknown
  } catch {
    throw refusal('bad-json', 'it cannot be parsed')
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]

function isTooDeep(bytes: Buffer): boolean {
  let depth = 0
  let isText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (isText) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) isText = false
    } else if (byte === QUOTE) isText = true
    else if (byte === 0x5b || byte === 0x7b) depth++
    else if (byte === 0x5d || byte === 0x7d) depth--
    if (depth > MOST_DEEP) return true
  }
  return false
}

const IDLE_MS = 60_000

/** A body as it comes, up to a length. A sender that falls silent is cut off. */
export function readBytes(
  request: IncomingMessage,
  most: number,
): AsyncIterable<Uint8Array> & { readonly length: number | undefined } {
  const length = request.headers['content-length']
  return {
    length: length === undefined ? undefined : Number(length),
    async *[Symbol.asyncIterator]() {
      let bytes = 0
      let timer: NodeJS.Timeout | undefined
      const wait = () => {
        clearTimeout(timer)
        timer = setTimeout(() => request.destroy(refusal('timeout')), IDLE_MS)
      }
      try {
        wait()
        for await (const piece of request as AsyncIterable<Buffer>) {
          bytes += piece.length
          if (bytes > most) throw refusal('too-large', `at most ${most} bytes`)
          yield piece
          wait()
        }
      } finally {
        clearTimeout(timer)
      }
    },
  }
}
