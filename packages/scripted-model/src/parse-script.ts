import { type Fields, isFields } from './json.ts'
import type { Step } from './script.ts'

/** A script that cannot be played; the message says where and what is allowed there. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
}

/** Checks a script read from JSON, or written by hand, and gives it its type. */
export function parseScript(value: unknown): readonly Step[] {
  if (!Array.isArray(value)) throw new ScriptError('script: must be a list of steps')
  return value.map((step, at) => parseStep(step, `script[${at}]`))
}

/** Checks one step; `path` is where it stands, for the message. */
export function parseStep(value: unknown, path: string): Step {
  const kinds = ['reply', 'error', 'raw'] as const
  const step = isFields(value) ? value : fail(path, 'must be an object')
  const kind = kinds.filter((one) => one in step)
  if (kind.length !== 1) fail(path, `must have exactly one of ${kinds.join(', ')}`)
  shapes[kind[0] ?? 'reply'](step, path)
  // Checked field by field above.
  return step as unknown as Step
}

type Check = (value: unknown, path: string) => void

function fail(path: string, message: string): never {
  throw new ScriptError(`${path}: ${message}`)
}

const text: Check = (value, path) => typeof value === 'string' || fail(path, 'must be a string')
const flag: Check = (value, path) => typeof value === 'boolean' || fail(path, 'must be true or false')
const count: Check = (value, path) =>
  (typeof value === 'number' && Number.isInteger(value) && value >= 0) ||
  fail(path, 'must be a whole number, 0 or more')
const positive: Check = (value, path) =>
  (typeof value === 'number' && Number.isInteger(value) && value >= 1) ||
  fail(path, 'must be a whole number, 1 or more')
const status: Check = (value, path) =>
  (typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599) ||
  fail(path, 'must be an HTTP status from 200 to 599')
const any: Check = (value, path) => value !== undefined || fail(path, 'must be a JSON value')

function oneOf(...words: readonly string[]): Check {
  return (value, path) => words.includes(String(value)) || fail(path, `must be one of ${words.join(', ')}`)
}

function listOf(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return fail(path, 'must be a list')
    for (const [at, one] of value.entries()) check(one, `${path}[${at}]`)
  }
}

/** An object with these fields and no others; a name that ends in `?` may be missing. */
function object(fields: Readonly<Record<string, Check>>): Check {
  const names = Object.keys(fields).map((name) => name.replace('?', ''))
  return (value, path) => {
    if (!isFields(value)) return fail(path, 'must be an object')
    for (const key of Object.keys(value)) {
      if (!names.includes(key)) fail(path, `unknown key "${key}"; known: ${names.join(', ')}`)
    }
    for (const [name, check] of Object.entries(fields)) {
      const key = name.replace('?', '')
      if (value[key] !== undefined) check(value[key], `${path}.${key}`)
      else if (key === name) fail(path, `"${key}" is missing`)
    }
  }
}

const headers: Check = (value, path) => {
  if (!isFields(value)) return fail(path, 'must be an object of strings')
  for (const [name, one] of Object.entries(value)) text(one, `${path}.${name}`)
}
const regex: Check = (value, path) => {
  text(value, path)
  try {
    new RegExp(String(value), 'u')
  } catch (error) {
    if (error instanceof SyntaxError) fail(path, error.message)
    throw error
  }
}
const chunk: Check = (value, path) =>
  typeof value === 'number' ? positive(value, path) : oneOf('none', 'every-event', 'every-byte')(value, path)

const expect = object({
  'text?': text,
  'lacks?': text,
  'matches?': regex,
  'toolResult?': text,
  'image?': flag,
  'tool?': text,
  'model?': text,
})

const usageFields = object({
  input: count,
  output: count,
  'cacheRead?': count,
  'cacheWrite?': count,
  'reasoning?': count,
})
const usage: Check = (value, path) => {
  usageFields(value, path)
  const { input, output, cacheRead = 0, cacheWrite = 0, reasoning = 0 } = value as Readonly<Record<string, number>>
  if (cacheRead + cacheWrite > (input ?? 0)) fail(path, 'input includes cacheRead and cacheWrite, so it cannot be less')
  if (reasoning > (output ?? 0)) fail(path, 'output includes reasoning, so it cannot be less')
}

const stops = oneOf('end', 'calls', 'length', 'stop-sequence', 'pause', 'refusal', 'filter', 'context-full')
const stop: Check = (value, path) => (isFields(value) ? object({ other: text })(value, path) : stops(value, path))

/** The options of a delivery, for a step or for a whole script. */
export const checkDelivery: Check = object({
  'deltaSize?': positive,
  'firstDelayMs?': count,
  'deltaDelayMs?': count,
  'chunk?': chunk,
  'crlf?': flag,
  'noise?': listOf(oneOf('ping', 'comment', 'unknown-event')),
  'noiseEvery?': positive,
  'interleaveCalls?': flag,
})

const parts: Readonly<Record<string, Check>> = {
  text: object({ text }),
  thinking: object({ thinking: (value, path) => (Array.isArray(value) ? listOf(text) : text)(value, path) }),
  redacted: object({ redacted: text }),
  refusal: object({ refusal: text }),
}
const call: Check = (value, path) =>
  'rawArgs' in (value as Fields)
    ? object({ call: text, rawArgs: text, 'id?': text })(value, path)
    : object({ call: text, args: any, 'id?': text })(value, path)

const part: Check = (value, path) => {
  if (!isFields(value)) return fail(path, 'must be an object')
  if ('call' in value) return call(value, path)
  const kind = Object.keys(parts).find((one) => one in value)
  if (kind === undefined) return fail(path, `must have one of ${Object.keys(parts).join(', ')}, call`)
  parts[kind]?.(value, path)
}

const shapes = {
  reply: object({
    reply: listOf(part),
    'usage?': usage,
    'stop?': stop,
    'delivery?': checkDelivery,
    'failure?': object({ afterDeltas: count, 'type?': text, 'message?': text, 'failedOnly?': flag }),
    'fault?': object({ afterBytes: count, kind: oneOf('end', 'close', 'reset', 'stall') }),
    'expect?': expect,
  }),
  error: object({
    error: object({
      status,
      'message?': text,
      'type?': text,
      'code?': text,
      'retryAfter?': (value, path) => (typeof value === 'number' ? count : text)(value, path),
      'retryAfterMs?': count,
      'headers?': headers,
    }),
    'expect?': expect,
  }),
  raw: object({
    raw: object({
      status,
      'headers?': headers,
      body: (value, path) => value instanceof Uint8Array || text(value, path),
      'chunk?': chunk,
      'delayMs?': count,
      'end?': oneOf('close', 'reset', 'stall'),
    }),
    'expect?': expect,
  }),
} satisfies Record<string, Check>
