import { createTranslator } from '@maru/i18n'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ConfigError } from '../src/config/config-error.ts'
import { parseConfig } from '../src/config/parse-config.ts'
import { projectShape, type Shape, userShape } from '../src/config/schema.ts'

const t = createTranslator('en')

function problems<T>(content: string | Uint8Array, shape: Shape<T>): readonly string[] {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  const parsed = parseConfig(bytes, 'config.json', shape)
  return 'problems' in parsed ? new ConfigError(parsed.problems, t).details : []
}

const whole = {
  provider: 'anthropic',
  model: 'claude',
  baseUrl: 'https://proxy.example/v1',
  keys: { anthropic: 'sk-ant-0123456789', openai: { command: 'pass show openai' } },
  models: {
    'gpt-4.1': {
      window: 1_000_000,
      outputLimit: 32_768,
      price: { input: 2, output: 8, cacheRead: 0.5 },
      headers: { 'x-team': 'a' },
      effort: 'high',
      vision: true,
    },
  },
  mode: 'ask',
  lang: 'ko',
  effort: 'low',
  maxTurns: 30,
  limits: { tokens: 1000, seconds: 60, money: 2.5 },
  disk: { maxMegabytes: 500 },
}

test('a whole config is read as it stands, with comments, last commas and a byte order mark', () => {
  const text = `\ufeff// mine\n${JSON.stringify(whole, null, 2).replace(/\n\}$/, ', /* last */\n}')}\r\n`
  expect(parseConfig(new TextEncoder().encode(text), 'config.json', userShape)).toEqual({ config: whole })
  expect(problems('{ "test": "npm test", "ignore": ["dist/**"] }', projectShape)).toEqual([])
  expect(problems('{ "test": { "command": "make", "cwd": "core" } }', projectShape)).toEqual([])
})

test.each([
  ['{ "modle": "x" }', '1:3 unknown key "modle"; did you mean "model"?'],
  ['{\n  "max_turns": 3\n}', '2:3 unknown key "max_turns"; did you mean "maxTurns"?'],
  ['{ "limits": { "token": 3 } }', '1:15 unknown key "limits.token"; did you mean "tokens"?'],
  ['{ "keys": { "gemini": "x" } }', '1:13 unknown key "keys.gemini"; known here: anthropic, openai, openai-chat'],
  ['{ "mode": "readonly" }', '1:11 "mode" must be one of: ask, auto, read-only, yes; did you mean "read-only"?'],
  ['{ "mode": 3 }', '1:11 "mode" must be one of: ask, auto, read-only, yes'],
  ['{ "maxTurns": "20" }', '1:15 "maxTurns" must be a whole number above 0'],
  ['{ "maxTurns": 0 }', '1:15 "maxTurns" must be a whole number above 0'],
  ['{ "limits": { "money": -1 } }', '1:24 "limits.money" must be a number, 0 or more'],
  ['{ "limits": { "money": 1e999 } }', '1:24 "limits.money" must be a number, 0 or more'],
  ['{ "limits": [] }', '1:13 "limits" must be an object in braces'],
  ['{ "model": "" }', '1:12 "model" must be a text in quotes, and not empty'],
  ['{ "model": null }', '1:12 "model" must be a text in quotes, and not empty'],
  [
    '{ "keys": { "openai": 3 } }',
    '1:23 "keys.openai" must be the key in quotes, or an object with the "command" that prints it',
  ],
  [
    '{ "provider": "openai", "baseUrl": "https://me:secret@host" }',
    '1:36 "baseUrl" must be an http or https address without a password in it',
  ],
  [
    '{ "baseUrl": "https://host" }',
    '1:14 "baseUrl" needs "provider" beside it, so that no other vendor\'s key is sent there',
  ],
  ['{ "models": { "m": { "price": { "input": 1 } } } }', '1:31 "models.m.price.output" must be a number, 0 or more'],
  ['{ "lang": "ko", "lang": "en" }', '1:17 "lang" stands here a second time; keep one of them'],
  ['{ "__proto__": { "model": "x" } }', '1:3 "__proto__" cannot be a key; choose another name'],
  ['{ "models": { "__proto__": {} } }', '1:15 "models.__proto__" cannot be a key; choose another name'],
  ['{ "test": "npm test" }', '1:3 "test" belongs into the maru.json of a repository'],
  ['[]', '1:1 "" must be an object in braces'],
  ['', '1:1 a value is expected here'],
  ['{ model: "x" }', '1:3 a word that JSON does not know; texts need double quotes'],
  ['{ "model": "x', '1:12 the closing quote of this text is missing'],
  ['{\r\n"model": "x"\r\n"lang": "ko" }', '3:1 a comma is missing here'],
  ['{ "model": "a\u0001b" }', '1:12 a control character inside a text; write it as an escape'],
  ['{} {}', '1:4 the config ended before this; remove what follows'],
  ['/* {}', '1:1 this comment has no end'],
])('%s is refused with place and likely fix', (text, expected) => {
  expect(problems(text, userShape)[0]).toBe(`config.json:${expected}`)
})

test.each(['provider', 'model', 'baseUrl', 'keys', 'mode', 'models'])('a repository may not choose "%s"', (key) => {
  const line = `config.json:1:3 "${key}" belongs into your own config.json; a repository may not choose it`
  expect(problems(`{ "${key}": "x" }`, projectShape)).toEqual([line])
})

test('all problems are told, in the order of the file', () => {
  const text = '{\n  "modle": 1,\n  "mode": "x",\n  "maxTurns": 0\n}'
  expect(problems(text, userShape).map((line) => line.split(' ')[0])).toEqual([
    'config.json:2:3',
    'config.json:3:11',
    'config.json:4:15',
  ])
  const parsed = parseConfig(new TextEncoder().encode(text), 'c', userShape)
  const message = 'problems' in parsed ? new ConfigError(parsed.problems, t).message : ''
  expect(message).toBe('c:2:3 unknown key "modle"; did you mean "model"? (and 2 more problems; see "maru doctor")')
})

test('bytes that are no UTF-8 are found where they stand', () => {
  const bytes = Buffer.concat([Buffer.from('{\n "model": "한'), Buffer.from([0xff]), Buffer.from('"}')])
  expect(problems(bytes, userShape)).toEqual(['config.json:2:13 is not UTF-8 from here on; save the file as UTF-8'])
})

test('a file that is far too long or too deep is refused, not parsed', () => {
  expect(problems(' '.repeat(300_000), userShape)).toEqual([
    'config.json:1:1 is longer than 256 KB; this is no config file',
  ])
  expect(problems('['.repeat(200_000), userShape)).toEqual(['config.json:1:33 too many brackets inside each other'])
})

test('a secret at the wrong place is not repeated by the error', () => {
  const secret = 'sk-ant-REAL0123456789SECRET'
  const places = [`{ "keys": { "${secret}": "anthropic" } }`, `{ "${secret}": 1 }`, `{ "mode": "${secret}" }`]
  const more = [`{ "keys": "${secret}" }`, `{ "keys": { "openai": ["${secret}"] } }`, `{ "model": ${secret} }`]
  for (const text of [...places, ...more]) {
    expect(problems(text, userShape).length).toBeGreaterThan(0)
    expect(problems(text, userShape).join()).not.toContain('REAL')
  }
})

const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value))
const key = fc.oneof(
  fc.constantFrom(...Object.keys(whole), 'test', '__proto__', 'constructor', 'toString'),
  fc.string(),
)
const printed = JSON.stringify(whole, null, 2)

const mutated = fc.oneof(
  fc.tuple(key, json).map(([name, value]) => Buffer.from(`{ ${JSON.stringify(name)}: ${value} }`)),
  fc.tuple(key, key, json).map(([a, b, value]) => Buffer.from(JSON.stringify({ [a]: { [b]: JSON.parse(value) } }))),
  fc.nat(printed.length).map((length) => Buffer.from(printed).subarray(0, length)),
  fc.tuple(fc.nat(printed.length), fc.uint8Array({ maxLength: 6 })).map(([at, bytes]) => {
    return Buffer.concat([Buffer.from(printed.slice(0, at)), bytes, Buffer.from(printed.slice(at + 1))])
  }),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
)

test('whatever is in the file, it is read or refused with file and line, and nothing else happens', () => {
  fc.assert(
    fc.property(mutated, fc.constantFrom(userShape, projectShape), (bytes, shape: Shape<object>) => {
      const parsed = parseConfig(bytes, 'config.json', shape)
      if ('config' in parsed) return
      const error = new ConfigError(parsed.problems, t)
      expect(error.details.length).toBeGreaterThan(0)
      for (const line of error.details) expect(line).toMatch(/^config\.json:\d+:\d+ [^\n]+$/)
    }),
    { numRuns: 2000 },
  )
})
