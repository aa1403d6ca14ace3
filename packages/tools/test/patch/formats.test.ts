import { describe, expect, test } from 'vitest'
import { codes, type Files, patched, plan, text } from './trees.ts'

const before = text(
  'function add(a, b) {',
  '  const sum = a + b',
  '',
  '  return sum',
  '}',
  '',
  'module.exports = { add }',
)
const after = before.replace('const sum', 'let sum')
const files: Files = { 'src/add.js': before }
const expected: Files = { 'src/add.js': after }

const hunk = text(
  '@@ -1,4 +1,4 @@',
  ' function add(a, b) {',
  '-  const sum = a + b',
  '+  let sum = a + b',
  ' ',
  '   return sum',
)

describe('unified diffs', () => {
  test.each([
    [
      'a git header',
      'diff --git a/src/add.js b/src/add.js\nindex 1234567..89abcde 100644\n--- a/src/add.js\n+++ b/src/add.js\n',
    ],
    ['only the two names', '--- a/src/add.js\n+++ b/src/add.js\n'],
    ['names without prefixes', '--- src/add.js\n+++ src/add.js\n'],
    ['times behind the names', '--- src/add.js\t2024-01-01 10:00:00.000 +0000\n+++ src/add.js 2024-01-01 10:00:01\n'],
    ['an Index line', 'Index: src/add.js\n===================\n'],
    ['only the new name', '+++ b/src/add.js\n'],
    ['one prefix forgotten', '--- src/add.js\n+++ b/src/add.js\n'],
    ['quoted names', '--- "a/src/add.js"\n+++ "b/src/add.js"\n'],
    ['another file that is gone', '--- src/add.js.orig\n+++ src/add.js\n'],
    ['prose before', 'Here is the change:\n\n--- a/src/add.js\n+++ b/src/add.js\n'],
  ])('with %s', async (_, header) => {
    expect(await patched(header + hunk, files)).toEqual(expected)
  })

  const whole = `diff --git a/src/add.js b/src/add.js\n--- a/src/add.js\n+++ b/src/add.js\n${hunk}`

  test.each([
    ['quoted as in a mail', `They wrote:\n\n${whole.replaceAll(/^/gm, '> ').replace(/> $/, '')}`],
    ['quoted, with blank lines cut short', whole.replaceAll(/^/gm, '> ').replaceAll(/^> +$/gm, '>')],
    ['indented as a whole', whole.replaceAll(/^(?=.)/gm, '    ')],
    ['in a fence of a list', `1. Apply:\n\n   \`\`\`diff\n${whole.replaceAll(/^(?=.)/gm, '   ')}   \`\`\`\n`],
    ['between the lines of an envelope', `*** Begin Patch\n${whole}*** End Patch\n`],
    ['with only the old name below the line of git', whole.replace(/^\+\+\+ .*\n/m, '')],
    ['with only the new name below the line of git', whole.replace(/^--- .*\n/m, '')],
  ])('%s', async (_, patch) => {
    expect(await patched(patch, files)).toEqual(expected)
  })

  test('only the old name of each of several files', async () => {
    const other = '--- a/b.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+zwei\n'
    const done = await patched(`--- a/src/add.js\n${hunk}${other}`, { ...files, 'b.txt': 'one\ntwo\n' })
    expect(done).toEqual({ ...expected, 'b.txt': 'one\nzwei\n' })
  })

  test('with the numbers of lines before them, if they count on', async () => {
    const lines = (separator: string) =>
      hunk.replaceAll(/^([ +-])(.*)$/gm, (_, sign, line) => {
        const row = before.split('\n').indexOf(line) + 1 || 2
        return `${sign}${row}${separator}${line}`
      })
    const named = '--- a/src/add.js\n+++ b/src/add.js\n'
    for (const separator of ['\t', ': ', '|', ' | '])
      expect(await patched(named + lines(separator), files)).toEqual(expected)
    const onlyOld = lines('\t').replace(/^\+2\t/m, '+')
    expect(await patched(named + onlyOld, files)).toEqual(expected)
    expect(await codes(named + lines('\t').replace('-2\t', '-7\t'), files)).toEqual(['not-found'])
  })

  test('in a fence, with prose around it', async () => {
    const patch = `Sure!\n\n\`\`\`diff\n--- a/src/add.js\n+++ b/src/add.js\n${hunk}\`\`\`\n\nThat does it:\n- add\n- more\n`
    expect(await patched(patch, files)).toEqual(expected)
  })

  test('without any header, if the file is given', async () => {
    expect(await patched(hunk, files, { path: 'src/add.js' })).toEqual(expected)
    const bare = text('-  const sum = a + b', '+  let sum = a + b')
    expect(await patched(bare, files, { path: 'src/add.js' })).toEqual(expected)
    expect(await codes(hunk, files)).toEqual(['no-path'])
  })

  test('with names and no @@ line', async () => {
    expect(await patched(`--- a/src/add.js\n+++ b/src/add.js\n${hunk.slice(hunk.indexOf('\n') + 1)}`, files)).toEqual(
      expected,
    )
  })

  test.each(['@@ @@', '@@', '@@ ... @@', '@@ -1 +1 @@', '@@ -90,4 +90,4 @@', '@@ -1,9 +1,2 @@ function add(a, b) {'])(
    'with the hunk header %s',
    async (header) => {
      const patch = hunk.replace(/^@@.*$/m, header)
      expect(await patched(`--- a/src/add.js\n+++ b/src/add.js\n${patch}`, files)).toEqual(expected)
    },
  )

  test('a name in octal escapes is the name in its letters', async () => {
    const patch = `--- "a/src/\\353\\215\\247\\354\\205\\210.js"\n+++ "b/src/\\353\\215\\247\\354\\205\\210.js"\n${hunk}`
    expect(await patched(patch, { 'src/덧셈.js': before })).toEqual({ 'src/덧셈.js': after })
  })

  test('a folder that is called a is not taken for a prefix', async () => {
    const named = { 'a/add.js': before }
    expect(await patched(`--- a/add.js\n+++ a/add.js\n${hunk}`, named)).toEqual({ 'a/add.js': after })
  })

  test('removed and added lines that look like headers are lines', async () => {
    const patch = text(
      '--- a/x.sql',
      '+++ b/x.sql',
      '@@ -1,3 +1,3 @@',
      ' select 1',
      '--- old note',
      '+++ new note',
      ' select 2',
    )
    const done = await patched(patch, { 'x.sql': text('select 1', '-- old note', 'select 2') })
    expect(done).toEqual({ 'x.sql': text('select 1', '++ new note', 'select 2') })
  })

  test('what git format-patch writes below a patch is no part of it', async () => {
    const patch = `--- a/src/add.js\n+++ b/src/add.js\n${hunk}-- \n2.39.5\n`
    expect(await patched(patch, files)).toEqual(expected)
  })

  test('several files, a new one, a deleted one and a renamed one at once', async () => {
    const patch = [
      `--- a/src/add.js\n+++ b/src/add.js\n${hunk}`,
      'diff --git a/run.sh b/run.sh\nnew file mode 100755\n--- /dev/null\n+++ b/run.sh\n@@ -0,0 +1,2 @@\n+#!/bin/sh\n+node .\n',
      'diff --git a/old.txt b/old.txt\ndeleted file mode 100644\n--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n',
      'diff --git a/a.md b/b.md\nsimilarity index 50%\nrename from a.md\nrename to b.md\n--- a/a.md\n+++ b/b.md\n@@ -1 +1 @@\n-# A\n+# B\n',
    ].join('')
    const tree = { ...files, 'old.txt': 'old\n', 'a.md': '# A\n' }
    expect(await patched(patch, tree)).toEqual({ ...expected, 'run.sh': '#!/bin/sh\nnode .\n', 'b.md': '# B\n' })
    const planned = await plan(patch, tree)
    expect(planned.ok && planned.changes.map(({ kind, path }) => [kind, path])).toEqual([
      ['update', 'src/add.js'],
      ['create', 'run.sh'],
      ['delete', 'old.txt'],
      ['rename', 'a.md'],
    ])
    expect(planned.ok && planned.changes[1]).toMatchObject({ isExecutable: true })
  })

  test('a rename alone, an empty new file, and a deletion without its lines', async () => {
    const patch = [
      'diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n',
      'diff --git a/new b/new\nnew file mode 100644\nindex 0000000..e69de29\n',
      'diff --git a/gone b/gone\ndeleted file mode 100644\n',
    ].join('')
    expect(await patched(patch, { a: 'x\n', gone: 'y\n' })).toEqual({ b: 'x\n', new: '' })
  })

  test('the header of a file may be repeated for each hunk', async () => {
    const second = text(
      '--- a/src/add.js',
      '+++ b/src/add.js',
      '@@ -7 +7 @@',
      '-module.exports = { add }',
      '+export { add }',
    )
    const done = await patched(`--- a/src/add.js\n+++ b/src/add.js\n${hunk}${second}`, files)
    expect(done['src/add.js']).toBe(after.replace('module.exports = { add }', 'export { add }'))
  })
})

describe('the *** Begin Patch envelope', () => {
  const envelope = (...lines: string[]) => text('*** Begin Patch', ...lines, '*** End Patch')

  test('adds, updates, moves and deletes', async () => {
    const patch = envelope(
      '*** Add File: docs/new.md',
      '+# New',
      '+',
      '+text',
      '*** Update File: src/add.js',
      '*** Move to: lib/add.js',
      '@@ function add(a, b) {',
      '-  const sum = a + b',
      '+  let sum = a + b',
      '*** Delete File: old.txt',
    )
    const done = await patched(patch, { ...files, 'old.txt': 'x\n' })
    expect(done).toEqual({ 'docs/new.md': '# New\n\ntext\n', 'lib/add.js': after })
  })

  test('an anchor chooses among equal places, by the block that it begins', async () => {
    const twice = text(
      'class A {',
      '  run() {',
      '    go(1)',
      '  }',
      '}',
      '',
      'class B {',
      '  run() {',
      '    go(1)',
      '  }',
      '}',
    )
    const body = ['   run() {', '-    go(1)', '+    go(2)', '   }']
    const first = await patched(envelope('*** Update File: x.js', '@@ class A {', ...body), { 'x.js': twice })
    expect(first['x.js']).toBe(twice.replace('go(1)', 'go(2)'))
    const second = await patched(envelope('*** Update File: x.js', '@@ class B {', ...body), { 'x.js': twice })
    expect(second['x.js']?.split('go(2)')[0]).toContain('class B')
    expect(await codes(envelope('*** Update File: x.js', '@@ class C {', ...body), { 'x.js': twice })).toEqual([
      'ambiguous',
    ])
    expect(await codes(envelope('*** Update File: x.js', '@@', ...body), { 'x.js': twice })).toEqual(['ambiguous'])
  })

  test('*** End of File chooses the last of equal places, and is where bare lines go', async () => {
    const list = { list: text('a', 'x', 'a', 'x') }
    const last = envelope('*** Update File: list', '@@', ' a', '-x', '+y', '*** End of File')
    expect(await patched(last, list)).toEqual({ list: text('a', 'x', 'a', 'y') })
    const bare = envelope('*** Update File: list', '@@', '+z', '*** End of File')
    expect(await patched(bare, list)).toEqual({ list: text('a', 'x', 'a', 'x', 'z') })
    expect(await codes(envelope('*** Update File: list', '@@', '+z'), list)).toEqual(['no-context'])
  })

  test('a new file whose lines have no + is taken as it is', async () => {
    expect(await patched(envelope('*** Add File: a.txt', 'one', ' two'), {})).toEqual({ 'a.txt': 'one\n two\n' })
    expect(await codes(envelope('*** Add File: a.txt', '+one', 'two', '+three'), {})).toEqual(['malformed'])
  })

  test('with the two names of a diff below the name of the file', async () => {
    const patch = envelope(
      '*** Update File: src/add.js',
      '--- a/src/add.js',
      '+++ b/src/add.js',
      ...hunk.trimEnd().split('\n'),
    )
    expect(await patched(patch, files)).toEqual(expected)
  })

  test('inside a shell command, as some models send it', async () => {
    const inner = envelope('*** Update File: src/add.js', '@@', '-  const sum = a + b', '+  let sum = a + b')
    expect(await patched(`apply_patch <<'EOF'\n${inner}EOF\n`, files)).toEqual(expected)
  })
})

describe('search and replace blocks', () => {
  const block = (search: string, replace: string) => `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`
  const change = block('  const sum = a + b\n\n', '  let sum = a + b\n\n')

  test.each([
    ['the path above', `src/add.js\n${change}`],
    ['the path in Markdown', `**src/add.js**\n\`\`\`js\n${change}\`\`\`\n`],
    ['the path inside the fence', `\`\`\`js\nsrc/add.js\n${change}\`\`\`\n`],
    ['the path in the fence', `\`\`\`js src/add.js\n${change}\`\`\`\n`],
    ['words before the path', `### File: \`src/add.js\`\n\n${change}`],
    ['longer signs', `src/add.js\n${change.replaceAll(/([<=>])\1{6}/g, '$1$1$1$1$1$1$1$1$1')}`],
    ['the signs of another tool', `src/add.js\n${change.replace('<<<<<<<', '-------').replace('>>>>>>>', '+++++++')}`],
  ])('with %s', async (_, patch) => {
    expect(await patched(patch, files)).toEqual(expected)
  })

  test('several blocks of one file need its path once, in any order', async () => {
    const patch = `src/add.js\n${block('module.exports = { add }\n', 'export { add }\n')}\n${change}`
    const done = await patched(patch, files)
    expect(done['src/add.js']).toBe(after.replace('module.exports = { add }', 'export { add }'))
  })

  test('an empty search makes a new file, and nothing else', async () => {
    expect(await patched(`new.js\n${block('', 'x\n')}`, {})).toEqual({ 'new.js': 'x\n' })
    expect(await codes(`src/add.js\n${block('', 'x\n')}`, files)).toEqual(['no-context'])
  })

  test('lines of ======= in the text need longer signs around them', async () => {
    const heading = { 'x.md': text('Title', '=======', 'old') }
    const inner = 'Title\n=======\nold\n'
    expect(await codes(`x.md\n${block(inner, inner.replace('old', 'new'))}`, heading)).toEqual(['malformed'])
    const longer = `x.md\n<<<<<<<<< SEARCH\n${inner}=========\n${inner.replace('old', 'new')}>>>>>>>>> REPLACE\n`
    expect(await patched(longer, heading)).toEqual({ 'x.md': text('Title', '=======', 'new') })
  })
})

test('two formats in one text are refused, for one of them would be lost', async () => {
  const unified = `--- a/src/add.js\n+++ b/src/add.js\n${hunk}`
  const envelope = text('*** Begin Patch', '*** Delete File: src/add.js', '*** End Patch')
  expect(await codes(`${envelope}diff --git a/x b/x\n`, files)).toEqual(['malformed'])
  expect(await codes(`\`\`\`diff\n${unified}\`\`\`\n${envelope}`, files)).toEqual(['malformed'])
})
