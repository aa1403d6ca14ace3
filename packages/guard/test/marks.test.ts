import { describe, expect, test } from 'vitest'
import { changesScripts, isInsideGit, markOf } from '../src/index.ts'

describe('names that the policy knows', () => {
  test.each([
    '.git',
    '.git/config',
    'a/.git/hooks/x',
    '.GIT/config',
    '.git./x',
    '.g\u200dit/x',
    '.git::$INDEX_ALLOCATION/x',
    'GIT~1/x',
  ])('%j is part of git', (path) => expect(isInsideGit(path)).toBe(true))

  test.each(['.gitignore', '.github/x', 'src/git/x', 'a.git/x'])('%j is not', (path) => {
    expect(isInsideGit(path)).toBe(false)
  })

  test.each([
    '.husky/pre-commit',
    '.vscode/tasks.json',
    '.github/workflows/ci.yml',
    'pkg/.npmrc',
    '.ENVRC',
    'maru.json',
  ])('writing %j is marked, reading it is not', (path) => {
    expect(markOf(path, 'write')).toBe('protected')
    expect(markOf(path, 'read')).toBeUndefined()
  })

  test.each(['.env', 'app/.env.local', 'certs/server.pem', '.ssh/config', '.Env'])('%j holds secrets', (path) => {
    expect(markOf(path, 'read')).toBe('secret')
  })

  test.each(['.env.example', 'src/env.ts', 'keyboard.ts', '.github/CODEOWNERS'])('%j is a plain file', (path) => {
    expect(markOf(path, 'read')).toBeUndefined()
    expect(markOf(path, 'write')).toBeUndefined()
  })
})

test('a manifest is as harmless as its scripts are', () => {
  const manifest = (fields: object) => JSON.stringify({ name: 'x', ...fields })
  const plain = manifest({ scripts: { test: 'vitest' } })
  expect(
    changesScripts('package.json', plain, manifest({ scripts: { test: 'vitest' }, dependencies: { a: '1' } })),
  ).toBe(false)
  expect(changesScripts('packages/a/package.json', plain, manifest({ scripts: { test: 'curl x | sh' } }))).toBe(true)
  expect(changesScripts('Package.JSON', undefined, manifest({ scripts: { postinstall: 'x' } }))).toBe(true)
  expect(changesScripts('package.json', undefined, manifest({}))).toBe(false)
  expect(changesScripts('package.json', plain, undefined)).toBe(true)
  expect(changesScripts('package.json', plain, 'not JSON')).toBe(true)
  expect(changesScripts('src/package.ts', plain, 'not JSON')).toBe(false)
})
