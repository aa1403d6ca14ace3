import { expect, test } from 'vitest'
import { failureOfAnswer, failureOfError } from '../src/failure.ts'

const to = { host: 'vendor.test', keyName: 'KEY', urlName: 'URL', model: 'm' }
const answer = (status: number, error: object) =>
  failureOfAnswer({ status, type: 'application/json', text: JSON.stringify({ error }) }, to).code

test.each([
  ['Anthropic', { type: 'invalid_request_error', message: 'prompt is too long: 212303 tokens > 200000 maximum' }],
  [
    'Anthropic with output',
    {
      type: 'invalid_request_error',
      message: 'input length and `max_tokens` exceed context limit: 190000 + 64000 > 200000',
    },
  ],
  [
    'OpenAI',
    {
      type: 'invalid_request_error',
      code: 'context_length_exceeded',
      message: 'Your input exceeds the context window of this model.',
    },
  ],
  [
    'OpenAI, older',
    {
      type: 'invalid_request_error',
      message: "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
    },
  ],
  [
    'llama.cpp',
    { type: 'exceed_context_size_error', message: 'the request exceeds the available context size, try increasing it' },
  ],
  [
    'Gemini',
    {
      status: 'INVALID_ARGUMENT',
      message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    },
  ],
])('%s says that a conversation is too long', (_vendor, error) => {
  expect(answer(400, error)).toBe('context-too-long')
  expect(failureOfError(error as never).code).toBe('context-too-long')
})

test('a body that is too large is too long as well', () => {
  expect(answer(413, { type: 'request_too_large', message: 'Request exceeds the maximum size' })).toBe(
    'context-too-long',
  )
})

test.each([
  [
    'another refusal',
    400,
    { type: 'invalid_request_error', message: 'messages: at least one message is required' },
    'refused',
  ],
  [
    'a rate limit on tokens',
    429,
    { type: 'tokens', code: 'rate_limit_exceeded', message: 'Request too large: too many tokens per min' },
    'rate-limit',
  ],
  ['a wrong key', 401, { type: 'authentication_error', message: 'invalid x-api-key' }, 'refused'],
  ['a server that is down', 500, { message: 'maximum context length lookup failed' }, 'server'],
] as const)('%s is not taken for it', (_what, status, error, code) => {
  expect(answer(status, error)).toBe(code)
})
