import { describe, expect, test } from 'vitest'
import { isInsideGit, markOf } from '../src/index.ts'

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
