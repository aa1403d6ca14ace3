import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCandidates } from '../../src/search/candidates.ts'
import { createSecretCheck } from '../../src/search/secret-files.ts'

const FILES = Array.from({ length: 5_000 }, (_, index) => ({
  path: index % 1_000 === 7 ? `d/make-tree-${index}.ts` : `d${index % 13}/f${index}.ts`,
  lines: 1 + ((index * 7_919) % 3),
}))

function bestOf(files: readonly { path: string; lines: number }[]): { paths: string[]; total: object } {
  const candidates = createCandidates('makeTree', () => true)
  for (const { path, lines } of files) {
    if (candidates.see(path, lines * 2, lines)) candidates.keep({ path, matches: lines * 2, lines, places: () => [] })
  }
  return { paths: candidates.best(30).map(({ path }) => path), total: candidates.total }
}

test('the same files are looked into in whatever order an engine sees them, and all are counted', () => {
  const expected = bestOf(FILES)
  const lines = FILES.reduce((sum, file) => sum + file.lines, 0)
  expect(expected.total).toEqual({ matches: lines * 2, lines, files: 5_000 })
  const named = FILES.filter(({ path }) => path.includes('make-tree'))
  expect(expected.paths.slice(0, 5).sort()).toEqual(named.map(({ path }) => path).sort())
  const most = FILES.filter((file) => file.lines === 3 && !named.includes(file)).map(({ path }) => path)
  expect(expected.paths.slice(5)).toEqual(most.sort().slice(0, 25))
  fc.assert(
    fc.property(fc.shuffledSubarray(FILES, { minLength: FILES.length }), (files) => {
      expect(bestOf(files)).toEqual(expected)
    }),
    { numRuns: 20 },
  )
})

test('a secret is known among very many files', () => {
  const isSecret = createSecretCheck()
  const paths = FILES.flatMap(({ path }) => [path, path.replace(/[^/]+$/, '.env')])
  expect(paths.filter(isSecret)).toEqual(paths.filter((path) => path.endsWith('.env')))
  for (const path of [
    'credentials.json',
    'a/id_rsa',
    '.ssh/config.ts',
    'a/.aws/x.json',
    'key.pem',
    'Credentials.JSON',
    'a/.ENV.ts',
  ]) {
    expect([path, isSecret(path)]).toEqual([path, true])
  }
})
