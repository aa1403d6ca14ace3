import { expect, test } from 'vitest'
import { createFileCompletion, rankPaths } from '../../src/agent/file-completion.ts'

const paths = ['src/main.ts', 'src/agent/main-door.ts', 'docs/maintenance.md', 'README.md', 'src/ma/i/n.ts', 'a b.txt']

test('what is typed is found in names first, then in paths, then letter by letter', () => {
  expect(rankPaths(paths, 'main')).toEqual([
    ...['src/main.ts', 'docs/maintenance.md', 'src/agent/main-door.ts', 'src/ma/i/n.ts'],
  ])
  expect(rankPaths(paths, 'agent')).toEqual(['src/agent/main-door.ts'])
  expect(rankPaths(paths, 'srcmd')).toEqual(['src/agent/main-door.ts'])
  expect(rankPaths(paths, 'zzz')).toEqual([])
})

test('capitals count only where they were typed', () => {
  expect(rankPaths(paths, 'readme')).toEqual(['README.md'])
  expect(rankPaths(paths, 'README')).toEqual(['README.md'])
  expect(rankPaths(paths, 'Readme')).toEqual([])
})

test('without a word the files nearest to the root come first', () => {
  expect(rankPaths(paths, '').slice(0, 2)).toEqual(['a b.txt', 'README.md'])
})

test('a path with a blank is put in quotes, and control characters of names are seen', async () => {
  const files = createFileCompletion({ list: async () => ['a b.txt', 'x\x1b[2J.ts'], now: () => 0 })
  expect(await files.complete('', new AbortController().signal)).toEqual([
    { label: 'a b.txt', insert: '@"a b.txt" ' },
    { label: 'x\\x1b[2J.ts', insert: '@x\x1b[2J.ts ' },
  ])
})

test('an old list answers at once while a new one is made', async () => {
  let now = 0
  let lists = 0
  const files = createFileCompletion({ list: async () => [`list-${++lists}`], now: () => now })
  const ask = async () => (await files.complete('', new AbortController().signal)).map(({ label }) => label)
  expect(await ask()).toEqual(['list-1'])
  now = 5_000
  expect(await ask()).toEqual(['list-1'])
  now = 20_000
  expect(await ask()).toEqual(['list-1'])
  expect(await ask()).toEqual(['list-2'])
  expect(lists).toBe(2)
})

test('a list that cannot be made again leaves the old one', async () => {
  let now = 0
  const answers = [Promise.resolve(['kept']), Promise.reject(new Error('gone'))]
  const files = createFileCompletion({ list: () => answers.shift() ?? Promise.resolve([]), now: () => now })
  const ask = async () => (await files.complete('', new AbortController().signal)).map(({ label }) => label)
  expect(await ask()).toEqual(['kept'])
  now = 20_000
  expect(await ask()).toEqual(['kept'])
  expect(await ask()).toEqual(['kept'])
})
