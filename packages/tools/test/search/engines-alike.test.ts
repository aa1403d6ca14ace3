import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Encoding } from '../../src/text/read-text.ts'
import { encoded, engines, inScope, list, openTree, search, type Tree } from './tree.ts'

describe('both engines', () => {
  const name = fc.constantFrom('a', 'b', 'ab', '.a', 'a.b', 'c d', 'build', 'src', 'A', '한')
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'))
  const piece = fc.constantFrom(
    ...[
      'a',
      'b',
      '*',
      '**',
      '?',
      'ab',
      '[ab]',
      '[!a]',
      'a*',
      '*b',
      '.a',
      '**a',
      'src',
      'build',
      'a.b',
      '*.*',
      '\\a',
      'c d',
    ],
    ...['[a-c]', '[^b]', '{a,b}', '*a*b*', '한', '[', 'a\\ '],
  )
  const rule = fc
    .tuple(
      fc.constantFrom('', '', '!', '#', '\\!'),
      fc.constantFrom('', '/'),
      fc.array(piece, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '/', ' ', '\r', '/ '),
    )
    .map(([sign, slash, pieces, end]) => `${sign}${slash}${pieces.join('/')}${end}`)
  const rules = fc.array(rule, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'))
  const ignoreFile = fc.tuple(
    fc.oneof(fc.constant('.'), path),
    fc.constantFrom('.gitignore', '.gitignore', '.ignore', '.rgignore'),
    rules,
  )

  // A name cannot be a file and a folder: what does not fit any more is left out.
  const plant = async (tree: Tree, files: [path: string, content: string | Uint8Array][]) => {
    for (const [at, content] of files) await tree.put({ [at]: content }).catch(() => undefined)
  }

  test('list the same files under any rules', async () => {
    const sample = fc.record({
      paths: fc.array(path, { minLength: 1, maxLength: 12 }),
      ignores: fc.array(ignoreFile, { minLength: 1, maxLength: 3 }),
      last: fc.oneof(fc.constant(''), rules),
    })
    await fc.assert(
      fc.asyncProperty(sample, async ({ paths, ignores, last }) => {
        const tree = await openTree()
        await plant(
          tree,
          ignores.map(([folder, file, text]) => [join(folder, file), text]),
        )
        await plant(
          tree,
          paths.map((own) => [own, '']),
        )
        const answers = await Promise.all(engines.map(([, engine]) => list(engine, tree.root, { rules: last })))
        await tree.dispose()
        expect(answers[1]).toEqual(answers[0])
      }),
      { numRuns: 50 },
    )
  })

  test('see the same lines in any files', async () => {
    const word = fc.constantFrom('a', 'b', 'ab', '가', '나', ' ', '\t', '.', '_', '1', '\n', '\r\n', 'A')
    const text = fc.array(word, { maxLength: 30 }).map((words) => words.join(''))
    const content = fc.oneof(
      text,
      fc
        .tuple(text, fc.constantFrom<Encoding>('utf-8', 'utf-16le', 'utf-16be'))
        .map(([own, encoding]) => encoded(own, encoding, true)),
      text.map((own) => Buffer.from(`${own}\0`)),
    )
    const question = fc.oneof(
      fc.record({
        query: fc.constantFrom('a', 'ab', '가', 'a b', '.', '_1', '가나', 'A'),
        isRegex: fc.constant(false),
      }),
      fc.record({
        query: fc.constantFrom(
          'a+',
          '^a',
          'b$',
          '\\bab\\b',
          '[가-힣]',
          '\\w\\s',
          '(?i)a',
          'a|b',
          '\\d',
          '[^a]b',
          '가.',
          '^ ',
          'a?b',
          '\\S+$',
        ),
        isRegex: fc.constant(true),
      }),
    )
    const sample = fc.record({ contents: fc.array(content, { minLength: 1, maxLength: 6 }), question })
    await fc.assert(
      fc.asyncProperty(sample, async ({ contents, question: own }) => {
        const tree = await openTree()
        await plant(
          tree,
          contents.map((bytes, index) => [`${index}.txt`, bytes]),
        )
        const answers = await Promise.all(engines.map(([, engine]) => search(engine, tree.root, own)))
        await tree.dispose()
        expect(answers[1]).toEqual(answers[0])
      }),
      { numRuns: 60 },
    )
  })

  test.each(engines)('a name that is no text is counted, by %s', async (_, engine) => {
    const tree = await openTree({ 'a.txt': 'needle' })
    await writeFile(Buffer.concat([Buffer.from(`${tree.root}/bad-`), Buffer.from([0xff])]), 'needle')
    const listed = await inScope(tree.root, (scope) => engine.list(scope))
    expect(listed).toMatchObject({ paths: './a.txt\0', unreadable: 1 })
    const { answer, files } = await search(engine, tree.root, { query: 'needle', isRegex: false })
    expect([answer.unreadable, Object.keys(files)]).toEqual([1, ['a.txt']])
    await tree.dispose()
  })

  test.each(engines)('a folder that may not be read is counted, by %s', async (_, engine) => {
    const tree = await openTree({ 'a.txt': 'needle', 'locked/b.txt': 'needle' })
    await chmod(join(tree.root, 'locked'), 0)
    const { answer, files } = await search(engine, tree.root, { query: 'needle', isRegex: false })
    // Root may read everything.
    const isRoot = process.getuid?.() === 0
    expect([answer.unreadable, Object.keys(files)]).toEqual(isRoot ? [0, ['a.txt', 'locked/b.txt']] : [1, ['a.txt']])
    await chmod(join(tree.root, 'locked'), 0o700)
    await tree.dispose()
  })
})
