import { expect, test } from 'vitest'
import { showSetting } from '../src/config/mask.ts'
import { resolveSettings } from '../src/config/settings.ts'

const none = { flags: {}, env: {}, user: {}, project: {} }

test('without any wish the defaults hold', () => {
  expect(resolveSettings(none)).toEqual({
    settings: { provider: 'anthropic', mode: 'ask', maxTurns: 20, idleTimeout: 120, keys: {} },
    sources: { provider: 'default', mode: 'default', maxTurns: 'default', idleTimeout: 'default' },
    problems: [],
  })
})

test('a flag beats the environment, which beats the user file', () => {
  const { settings, sources } = resolveSettings({
    flags: { model: 'flag', 'max-turns': '3', yes: true },
    env: { MARU_MODEL: 'env', MARU_PROVIDER: 'openai', MARU_IDLE_TIMEOUT: '9', OPENAI_API_KEY: 'sk-env' },
    user: {
      model: 'user',
      provider: 'anthropic',
      mode: 'auto',
      effort: 'high',
      keys: { openai: 'sk-user' },
      lang: 'ko',
    },
    project: { test: 'npm test' },
  })
  expect(settings).toEqual({
    model: 'flag',
    provider: 'openai',
    mode: 'yes',
    effort: 'high',
    maxTurns: 3,
    idleTimeout: 9,
    keys: { openai: 'sk-env', 'openai-chat': 'sk-env' },
    test: 'npm test',
  })
  expect(sources).toEqual({
    model: 'flag',
    provider: 'environment',
    mode: 'flag',
    effort: 'user',
    maxTurns: 'flag',
    idleTimeout: 'environment',
    'keys.openai': 'environment',
    'keys.openai-chat': 'environment',
    test: 'project',
  })
})

test('the only provider with a key is the one that is used', () => {
  expect(resolveSettings({ ...none, env: { OPENAI_API_KEY: 'sk' } }).settings.provider).toBe('openai')
})

test('an address is used only for the vendor it was written for', () => {
  const user = { provider: 'openai', baseUrl: 'https://mine.example' } as const
  expect(resolveSettings({ ...none, user }).settings.baseUrl).toBe('https://mine.example')
  expect(resolveSettings({ ...none, user, env: { MARU_PROVIDER: 'anthropic' } }).settings.baseUrl).toBe(undefined)
  const env = { OPENAI_BASE_URL: 'https://env.example', ANTHROPIC_BASE_URL: 'https://other.example' }
  expect(resolveSettings({ ...none, user, env }).settings.baseUrl).toBe('https://env.example')
  const flags = { 'base-url': 'https://flag.example' }
  expect(resolveSettings({ ...none, user, env, flags }).settings.baseUrl).toBe('https://flag.example')
})

test('a wrong variable is a problem, an empty one is none', () => {
  const env = { MARU_PROVIDER: 'antropic', MARU_IDLE_TIMEOUT: 'soon', ANTHROPIC_BASE_URL: 'ftp://x' }
  expect(resolveSettings({ ...none, env }).problems).toEqual([
    {
      fault: {
        kind: 'wrong-choice',
        key: 'MARU_PROVIDER',
        choices: ['anthropic', 'openai', 'openai-chat'],
        meant: 'anthropic',
      },
    },
    { fault: { kind: 'wrong-value', key: 'MARU_IDLE_TIMEOUT', must: 'config.must.count' } },
    { fault: { kind: 'wrong-value', key: 'ANTHROPIC_BASE_URL', must: 'config.must.url' } },
  ])
  expect(resolveSettings({ ...none, env: { MARU_PROVIDER: '', MARU_IDLE_TIMEOUT: '' } }).problems).toEqual([])
})

test('what is shown of settings has no secret in it', () => {
  const settings = {
    keys: { anthropic: 'sk-ant-0123456789', openai: 'short', 'openai-chat': { command: 'echo sk-0123456789' } },
    models: { 'gpt-4.1': { headers: { authorization: 'Bearer 0123456789' }, window: 8 } },
    baseUrl: 'https://user:0123456789@host/v1',
    ignore: ['a\x1b[2J'],
  }
  expect(Object.entries(settings).flatMap(([name, value]) => showSetting([name], value))).toEqual([
    { key: 'keys.anthropic', value: 'sk-•••' },
    { key: 'keys.openai', value: '•••' },
    { key: 'keys.openai-chat', value: '{"command": •••}' },
    { key: 'models."gpt-4.1".headers.authorization', value: '•••' },
    { key: 'models."gpt-4.1".window', value: 8 },
    { key: 'baseUrl', value: 'https://…@host/v1' },
    { key: 'ignore', value: ['a\\x1b[2J'] },
  ])
})
