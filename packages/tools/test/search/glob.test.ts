import { describe, expect, test } from 'vitest'
import { compileGlob, expandBraces } from '../../src/search/glob.ts'
import { readIgnoreRules } from '../../src/search/ignore-rules.ts'
import { readPathFilter } from '../../src/search/path-filter.ts'
import { ownSeconds } from '../own-seconds.ts'

const fits = (glob: string, path: string) => compileGlob(glob)?.(path.split('/'))

describe('a glob', () => {
  test.each<[glob: string, fitting: string[], others: string[]]>([
    ['a', ['a'], ['b', 'a/b', 'b/a', 'aa']],
    ['*.ts', ['a.ts', '.ts', '.a.ts'], ['a.tsx', 'a/b.ts']],
    ['a*', ['a', 'ab'], ['ba']],
    ['*a*b*', ['ab', 'xaybz'], ['ba']],
    ['a?c', ['abc'], ['ac', 'abbc']],
    ['[a-c]x', ['ax', 'cx'], ['dx']],
    ['[!a]x', ['bx'], ['ax', 'x']],
    ['[]a]', [']', 'a'], ['b']],
    ['**/a', ['a', 'x/a', 'x/y/a'], ['a/x']],
    ['a/**', ['a/x', 'a/x/y'], ['a', 'b/a/x']],
    ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['a', 'ab']],
    ['**', ['a', 'a/b'], []],
    ['\\*', ['*'], ['a']],
    ['a/**/**/b/*.c', ['a/b/x.c', 'a/q/b/x.c'], ['a/b/c/x.c']],
  ])('%s', (glob, fitting, others) => {
    expect(fitting.filter((path) => !fits(glob, path))).toEqual([])
    expect(others.filter((path) => fits(glob, path))).toEqual([])
  })

  test.each(['[a', 'a\\', '[b-a]'])('%s is not well formed', (glob) => {
    expect(compileGlob(glob)).toBeUndefined()
  })

  test('no pattern takes long, as hostile as it may be', () => {
    const start = ownSeconds()
    const name = 'a'.repeat(255)
    expect(fits(`${'*a'.repeat(100)}b`, name)).toBe(false)
    expect(fits(`${'**/a/'.repeat(100)}b`, `${'a/'.repeat(2_000)}a`)).toBe(false)
    expect(readIgnoreRules(`${'*a'.repeat(100)}b`)([name], false)).toBeUndefined()
    expect(expandBraces('{a,b}'.repeat(30))).toBeUndefined()
    expect(ownSeconds() - start).toBeLessThan(1)
  })

  test('braces stand for alternatives', () => {
    expect(expandBraces('x.{a,b{c,d}}')).toEqual(['x.a', 'x.bc', 'x.a', 'x.bd'])
    expect(expandBraces('*.{ts}')).toEqual(['*.ts'])
  })
})

describe('what is included and excluded', () => {
  const paths = ['a.ts', 'src/b.ts', 'src/deep/c.tsx', 'docs/d.md', 'src2/e.ts', '.github/f.yml', 'lib/src/g.ts']
  const accepted = (globs: { include?: string; exclude?: string }) => {
    const filter = readPathFilter(globs)
    if ('problem' in filter) throw new Error(filter.problem)
    return paths.filter((path) => filter.accepts(path))
  }

  test.each<[globs: { include?: string; exclude?: string }, accepted: string[]]>([
    [{}, paths],
    [{ include: '*.ts' }, ['a.ts', 'src/b.ts', 'src2/e.ts', 'lib/src/g.ts']],
    [{ include: '*.{md,tsx}' }, ['src/deep/c.tsx', 'docs/d.md']],
    [{ include: 'src' }, ['src/b.ts', 'src/deep/c.tsx', 'lib/src/g.ts']],
    [{ include: 'src/' }, ['src/b.ts', 'src/deep/c.tsx', 'lib/src/g.ts']],
    [{ include: '/src' }, ['src/b.ts', 'src/deep/c.tsx']],
    [{ include: './src/**' }, ['src/b.ts', 'src/deep/c.tsx']],
    [{ include: 'src/*' }, ['src/b.ts']],
    [{ include: 'src/deep' }, ['src/deep/c.tsx']],
    [{ include: 'docs/**, *.tsx' }, ['src/deep/c.tsx', 'docs/d.md']],
    [{ include: '*.ts', exclude: 'src' }, ['a.ts', 'src2/e.ts']],
    [{ include: '*.ts, !src2' }, ['a.ts', 'src/b.ts', 'lib/src/g.ts']],
    [{ exclude: 'src*, .github' }, ['a.ts', 'docs/d.md']],
    [{ exclude: '**/deep/**' }, ['a.ts', 'src/b.ts', 'docs/d.md', 'src2/e.ts', '.github/f.yml', 'lib/src/g.ts']],
    [{ include: '*.yml' }, ['.github/f.yml']],
  ])('%j', (globs, expected) => {
    expect(accepted(globs)).toEqual(expected)
    // What only spares an engine work must leave out nothing that is asked for.
    const filter = readPathFilter(globs)
    if ('problem' in filter) throw new Error(filter.problem)
    const rules = readIgnoreRules(filter.rules)
    const isLeftOut = (path: string) =>
      path
        .split('/')
        .some((_, index, parts) => rules(parts.slice(0, index + 1), index < parts.length - 1) === 'ignored')
    expect(expected.filter(isLeftOut)).toEqual([])
    const names = filter.names.flatMap((name) => compileGlob(name) ?? [])
    expect(
      expected.filter((path) => names.length > 0 && !names.some((fitting) => fitting([path.split('/').at(-1) ?? '']))),
    ).toEqual([])
  })

  test.each(['[a', '{a,b}'.repeat(20), 'x'.repeat(2_000)])('%s cannot be used', (include) => {
    expect(readPathFilter({ include })).toHaveProperty('problem')
  })
})
