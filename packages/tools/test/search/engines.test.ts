import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encoded, engines, type Files, list, openTree, search, type Tree } from './tree.ts'

describe.each(engines)('%s', (_, engine) => {
  const listing = async (files: Files, rules = '') => {
    const tree = await openTree(files)
    try {
      return await list(engine, tree.root, { rules })
    } finally {
      await tree.dispose()
    }
  }

  describe('leaves out what git ignores', () => {
    test.each<[name: string, files: Files, listed: string[]]>([
      [
        'by name, at any depth',
        { '.gitignore': '*.log', 'a.log': '', 'b/c.log': '', 'b/c.txt': '' },
        ['.gitignore', 'b/c.txt'],
      ],
      ['from the root only, with a slash', { '.gitignore': '/a', a: '', 'b/a': '' }, ['.gitignore', 'b/a']],
      [
        'a folder with all that is in it',
        { '.gitignore': 'build/', 'build/x/y': '', 'b/build': '' },
        ['.gitignore', 'b/build'],
      ],
      [
        'but not what is taken back',
        { '.gitignore': '*.log\n!keep.log', 'a.log': '', 'keep.log': '' },
        ['.gitignore', 'keep.log'],
      ],
      ['nothing is taken back from an ignored folder', { '.gitignore': 'a/\n!a/b', 'a/b': '' }, ['.gitignore']],
      [
        'by rules further down',
        { 'a/.gitignore': 'x\n/y', x: '', 'a/x': '', 'a/b/x': '', 'a/y': '', 'a/b/y': '' },
        ['a/.gitignore', 'a/b/y', 'x'],
      ],
      [
        'where rules further down overrule',
        { '.gitignore': '*.txt', 'a/.gitignore': '!b.txt', 'a/b.txt': '', 'b.txt': '' },
        ['.gitignore', 'a/.gitignore', 'a/b.txt'],
      ],
      [
        '.ignore decides before .gitignore',
        { '.gitignore': 'dist/', '.ignore': '!dist/', 'dist/a': '' },
        ['.gitignore', '.ignore', 'dist/a'],
      ],
      ['.ignore alone', { '.ignore': 'secret', secret: '', a: '' }, ['.ignore', 'a']],
      ['two stars', { '.gitignore': 'a/**/z', 'a/z': '', 'a/b/c/z': '', 'b/z': '' }, ['.gitignore', 'b/z']],
      [
        'comments, blanks and escapes',
        { '.gitignore': '# a\n\n\\#b\nc  \n\\!d', '# a': '', '#b': '', c: '', '!d': '' },
        ['# a', '.gitignore'],
      ],
      ['CRLF and a byte-order mark', { '.gitignore': '\uFEFFa\r\nb\r\n', a: '', b: '', c: '' }, ['.gitignore', 'c']],
      [
        'hidden files are listed, .git is not',
        { '.a/b': '', '.git/config': '', 'sub/.git/HEAD': '', 'sub/.gitkeep': '' },
        ['.a/b', 'sub/.gitkeep'],
      ],
    ])('%s', async (_name, files, listed) => {
      expect(await listing(files)).toEqual(listed)
    })

    test('rules for the whole tree decide last', async () => {
      expect(await listing({ '.gitignore': '!a.log', 'a.log': '', 'b.log': '' }, '*.log')).toEqual([
        '.gitignore',
        'a.log',
      ])
    })

    test('rules above the root are none of ours', async () => {
      const tree = await openTree({ 'inner/.gitignore': '', 'inner/a.txt': '', '.gitignore': '*.txt' })
      expect(await list(engine, join(tree.root, 'inner'))).toEqual(['.gitignore', 'a.txt'])
      await tree.dispose()
    })
  })

  describe('finds', () => {
    let tree: Tree
    beforeAll(async () => {
      tree = await openTree({
        'plain.txt': 'one needle\ntwo\nneedle needle\n',
        'crlf.txt': 'needle\r\nx\r\nneedle',
        'bom.txt': '\uFEFFneedle 한글\n',
        'utf16le.txt': encoded('x\nneedle 한글\n', 'utf-16le', true),
        'utf16be.txt': encoded('needle 한글', 'utf-16be', true),
        'korean.txt': encoded('한글 needle\n뷁 한글\n', 'cp949'),
        'latin.txt': encoded('déjà needle\n', 'windows-1252'),
        'image.png': Buffer.from('\x89PNG\0needle\n', 'latin1'),
        'late.bin': Buffer.from(`needle\n${'x'.repeat(100_000)}\n\0`, 'latin1'),
        'other.bin': Buffer.from(`needle\n${'x'.repeat(1_000)}\n\0`, 'latin1'),
        'a b/new\nline.txt': 'needle\n',
        '.hidden/x': 'needle',
      })
    })
    afterAll(() => tree.dispose())

    test('a word in every encoding, and counts matches and lines', async () => {
      const { files, answer } = await search(engine, tree.root, { query: 'needle', isRegex: false })
      expect(files).toEqual({
        '.hidden/x': { matches: 1, lines: [1] },
        'a b/new\nline.txt': { matches: 1, lines: [1] },
        'bom.txt': { matches: 1, lines: [1] },
        'crlf.txt': { matches: 2, lines: [1, 3] },
        'korean.txt': { matches: 1, lines: [1] },
        'latin.txt': { matches: 1, lines: [1] },
        'plain.txt': { matches: 3, lines: [1, 3] },
        'utf16be.txt': { matches: 1, lines: [1] },
        'utf16le.txt': { matches: 1, lines: [2] },
      })
      // One of them has its first NUL byte far behind; the others are known at once, and passed over.
      expect(answer).toMatchObject({ binary: 1, large: 0, unreadable: 0 })
    })

    test('a Korean word, also in CP949, by literal and by regex', async () => {
      const expected = {
        'bom.txt': { matches: 1, lines: [1] },
        'korean.txt': { matches: 2, lines: [1, 2] },
        'utf16be.txt': { matches: 1, lines: [1] },
        'utf16le.txt': { matches: 1, lines: [2] },
      }
      expect((await search(engine, tree.root, { query: '한글', isRegex: false })).files).toEqual(expected)
      expect((await search(engine, tree.root, { query: '한글|^없다$', isRegex: true })).files).toEqual(expected)
    })

    test('only files whose names fit', async () => {
      const { files } = await search(
        engine,
        tree.root,
        { query: 'needle', isRegex: false },
        { names: ['*.bin', 'p*.txt'] },
      )
      expect(Object.keys(files)).toEqual(['plain.txt'])
    })

    test('nothing', async () => {
      expect((await search(engine, tree.root, { query: 'nowhere', isRegex: false })).files).toEqual({})
    })

    test.each([['-x'], ['--files'], ['$(x)'], ['a.c'], ['\\d'], ['[x'], ["it's"], ['한.']])(
      '%j as it is written',
      async (query) => {
        const own = await openTree({ 'a.txt': `before\n${query}\nabc 5 xx한글\n` })
        const { files } = await search(engine, own.root, { query, isRegex: false })
        expect(files).toEqual({ 'a.txt': { matches: 1, lines: [2] } })
        await own.dispose()
      },
    )
  })

  describe('reads a regex alike', () => {
    let tree: Tree
    const lines = [
      'foo(bar)',
      'Foo bar',
      'foobar',
      'x = 12',
      '한글 변수',
      'a.b]c',
      'foo',
      '  tab',
      'naïve_x',
      '{1}',
      'aa bb',
      '\u0663',
    ]
    beforeAll(async () => {
      tree = await openTree({ 'a.txt': `${lines.join('\n')}\n`, 'b.txt': `${lines.join('\r\n')}\r\n` })
    })
    afterAll(() => tree.dispose())

    test.each<[regex: string, lines: number[]]>([
      ['foo', [1, 3, 7]],
      ['^foo$', [7]],
      ['(?i)^foo', [1, 2, 3, 7]],
      ['foo\\(', [1]],
      ['\\bbar\\b', [1, 2]],
      ['\\Bbar', [3]],
      ['\\d+', [4, 10, 12]],
      ['[0-9]', [4, 10]],
      ['[[:digit:]]{2}', [4]],
      ['^\\w+$', [3, 7, 9, 12]],
      ['\\p{Hangul}{2}', [5]],
      ['\\p{Lu}', [2]],
      ['[^\\x00-\\x7f]', [5, 9, 12]],
      ['^\\s', [8]],
      ['a\\.b\\]c', [6]],
      ['[.\\]]', [6]],
      ['[]x]', [4, 6, 9]],
      ['foo(?=bar)', [3]],
      ['(?<![fF])oo|x\\b', [4, 9]],
      ['(a)\\1', [11]],
      ['(?P<n>a)a (?<m>b)', [11]],
      ['fo{2}b|\\{1', [3, 10]],
      ['^.{3}$', [7, 10]],
      ['\\<bar\\>', [1, 2]],
      ['[\\W\\d]', [1, 2, 4, 5, 6, 8, 10, 11, 12]],
      ['r\\)|ba[rz]$', [1, 2, 3]],
      ['\\x66oo\\u{62}', [3]],
      ['a|b|=', [1, 2, 3, 4, 6, 8, 9, 11]],
    ])('%s', async (regex, expected) => {
      const { files } = await search(engine, tree.root, { query: regex, isRegex: true })
      expect(files['a.txt']?.lines).toEqual(expected)
      expect(files['b.txt']?.lines).toEqual(expected)
    })

    test.each(['foo(', '[a', 'a{2', '*a', '\\p{Nope}', '(?<n', 'a)'])('%s is refused', async (regex) => {
      await expect(search(engine, tree.root, { query: regex, isRegex: true })).rejects.toThrow(/\w/)
    })
  })

  test('links are neither listed nor searched', async () => {
    const tree = await openTree({ 'a/b.txt': 'needle' })
    await symlink(tree.outside, join(tree.root, 'dir'))
    await symlink(join(tree.outside, 'secret.txt'), join(tree.root, 'file'))
    await symlink('a', join(tree.root, 'inside'))
    expect(await list(engine, tree.root)).toEqual(['a/b.txt'])
    expect(Object.keys((await search(engine, tree.root, { query: 'needle', isRegex: false })).files)).toEqual([
      'a/b.txt',
    ])
    await tree.dispose()
  })
})
