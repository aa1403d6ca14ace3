import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseProblems } from '../../src/verify/parse-problems.ts'
import { parseReport } from '../../src/verify/parse-report.ts'
import type { OutputFormat } from '../../src/verify/profile.ts'
import { type Output, plainText } from '../../src/verify/report.ts'

function outputOf(files: { stdout?: string; stderr?: string }): Output {
  const read = (name: string | undefined) => (name === undefined ? '' : plainText(fixture(name)))
  return { stdout: read(files.stdout), stderr: read(files.stderr), isCut: false }
}

function fixture(name: string): string {
  return readFileSync(join(import.meta.dirname, 'fixtures', name), 'utf8')
}

type Place = [name: string, place: string, message: string | RegExp]
type Row = [format: OutputFormat, files: { stdout?: string; stderr?: string }, counts: number[], failures: Place[]]

// passed, failed, skipped; then each failure with its place and how its message begins
const ROWS: Record<string, Row> = {
  vitest: [
    'jest-json',
    { stdout: 'vitest.stdout.txt', stderr: 'vitest.stderr.txt' },
    [1, 2, 2],
    [
      ['the file could not be run', '/repo/broken.test.ts', 'Cannot find module'],
      ['math > subtracts', '/repo/math.test.ts:6', 'AssertionError: expected { a: 1, b: [ 1, 2 ] } to deeply equal'],
    ],
  ],
  'vitest for people': [
    'any',
    { stderr: 'vitest.stderr.txt', stdout: 'vitest-text.stdout.txt' },
    [1, 2, 2],
    [
      ['the file could not be run', 'broken.test.ts:2', 'Error: Cannot find module'],
      ['math > subtracts', 'math.test.ts:6', 'AssertionError: expected'],
    ],
  ],
  jest: [
    'jest-json',
    { stdout: 'jest.stdout.txt' },
    [1, 2, 1],
    [
      ['cart > sums prices', '/repo/src/cart.test.js:8', 'Error: expect(received).toBe(expected)\n\nExpected: 4'],
      ['the file could not be run', '/repo/src/gone.test.js', /Cannot find module/],
    ],
  ],
  'jest for people': [
    'any',
    { stderr: 'jest-text.txt' },
    [1, 1, 1],
    [['cart > sums prices', 'src/cart.test.js:8', 'expect(received).toBe(expected)']],
  ],
  mocha: ['mocha-json', { stdout: 'mocha.stdout.txt' }, [1, 1, 1], [['cart sums', 'test/cart.js:7', '3 == 4']]],
  'mocha for people': [
    'any',
    { stdout: 'mocha-text.txt' },
    [1, 1, 1],
    [['cart > sums', 'test/cart.js:7', 'AssertionError']],
  ],
  'node in TAP': [
    'tap',
    { stdout: 'node-tap.txt' },
    [1, 2, 2],
    [
      ['fails', '/repo/a.test.mjs:3', '1 == 2\nexpected: 2\nactual: 1'],
      ['top', '/repo/a.test.mjs:4', 'boom\nsecond line'],
    ],
  ],
  'node for people': [
    'any',
    { stdout: 'node-spec.txt' },
    [1, 2, 2],
    [
      ['fails', 'a.test.mjs:3', 'AssertionError [ERR_ASSERTION]: 1 == 2'],
      ['top', 'a.test.mjs:4', 'Error: boom\n  second line'],
    ],
  ],
  pytest: [
    'pytest',
    { stdout: 'pytest.txt' },
    [1, 4, 2],
    [
      ['test_a.py::test_bad', 'test_a.py:4', 'AssertionError: not two\nassert 1 == 2'],
      ['test_a.py::TestC::test_p[1]', 'test_a.py:14', 'ValueError: bad n'],
      ['test_a.py::TestC::test_p[2]', 'test_a.py:14', 'ValueError: bad n'],
      ['test_a.py::test_err', 'test_a.py:16', 'RuntimeError: fixture'],
    ],
  ],
  'pytest with a file that cannot be imported': [
    'pytest',
    { stdout: 'pytest-broken.txt' },
    [0, 1, 0],
    [['test_c.py', 'test_c.py:1', "ModuleNotFoundError: No module named 'nothing_here'"]],
  ],
  'pytest without a test': ['pytest', { stdout: 'pytest-none.txt' }, [0, 0, 0], []],
  unittest: [
    'unittest',
    { stderr: 'unittest.txt' },
    [1, 2, 1],
    [
      ['test_err (test_b.T.test_err)', '/repo/test_b.py:5', 'ValueError: x'],
      ['test_bad (test_b.T.test_bad)', '/repo/test_b.py:4', 'AssertionError: 1 != 2'],
    ],
  ],
  go: [
    'go-json',
    { stdout: 'go.stdout.txt' },
    [1, 2, 1],
    [
      ['TestSum/two (example.com/shop/cart)', 'cart_test.go:12', 'cart_test.go:12: sum([1 2]) = 4, want 3'],
      [
        'package example.com/shop/pay could not be tested',
        'pay/pay_test.go:6',
        'pay/pay_test.go:6:2: undefined: nothing',
      ],
    ],
  ],
  cargo: [
    'cargo',
    { stdout: 'cargo.txt' },
    [1, 1, 1],
    [
      [
        'tests::bad',
        'src/lib.rs:9',
        'some output\n\nassertion `left == right` failed: sums differ\n  left: 2\n right: 3',
      ],
    ],
  ],
  'cargo where it does not compile': [
    'cargo',
    { stderr: 'cargo-broken.stderr.txt' },
    [0, 1, 0],
    [['it does not compile', 'src/lib.rs:13', 'error[E0308]: mismatched types']],
  ],
  dotnet: [
    'dotnet',
    { stdout: 'dotnet.txt' },
    [2, 1, 1],
    [
      [
        'Shop.Tests.CartTests.Sums',
        '/repo/Shop.Tests/CartTests.cs:14',
        'Assert.Equal() Failure: Values differ\nExpected: 4',
      ],
    ],
  ],
  maven: [
    'maven',
    { stdout: 'maven.txt' },
    [1, 2, 1],
    [
      ['CartTest.sums', 'CartTest.java:14', 'expected: <4> but was: <3>'],
      ['PayTest.pays', 'PayTest.java:9', '» NullPointer'],
    ],
  ],
  gradle: [
    'gradle',
    { stdout: 'gradle.txt' },
    [2, 2, 1],
    [
      ['CartTest > sums()', 'CartTest.java:14', 'org.opentest4j.AssertionFailedError: expected: <4> but was: <3>'],
      ['PayTest > pays', 'PayTest.java:9', 'java.lang.NullPointerException at PayTest.java:9'],
    ],
  ],
  bun: ['any', { stderr: 'bun.txt' }, [1, 1, 1], [['subtracts', '', '']]],
  deno: [
    'any',
    { stdout: 'deno.txt' },
    [1, 1, 0],
    [['sums', './cart_test.ts:3', 'AssertionError: Values are not equal.']],
  ],
}

describe.each(Object.entries(ROWS))('%s', (_, [format, files, counts, expected]) => {
  // Also when nobody says which program it was.
  test.each([format, 'any'] as const)('is read as %s', (as) => {
    const report = parseReport(as, outputOf(files))
    expect([report?.passed, report?.failed, report?.skipped]).toEqual(counts)
    const found = report?.failures.map(({ name, file, line }) => [name, [file, line].filter(Boolean).join(':')])
    expect(found).toEqual(expected.map(([name, place]) => [name, place]))
    for (const [at, [, , message]] of expected.entries()) {
      if (typeof message === 'string') expect(report?.failures[at]?.message.slice(0, message.length)).toBe(message)
      else expect(report?.failures[at]?.message).toMatch(message)
    }
  })

  test('is not believed by halves', () => {
    const { stdout, stderr } = outputOf(files)
    const half = {
      stdout: stdout.slice(0, stdout.length / 3),
      stderr: stderr.slice(0, stderr.length / 3),
      isCut: false,
    }
    const report = parseReport(format, half)
    const [passed = 0] = counts
    if (report !== undefined) expect(report.passed).toBeLessThanOrEqual(passed)
  })
})

test('groups in TAP are not counted, with or without a word about them', () => {
  const stdout =
    'TAP version 13\n    ok 1 - inner # SKIP later\n    not ok 2 - other\n    1..2\nnot ok 1 - group\nok 2 - alone\n1..2\n'
  const report = parseReport('tap', { stdout, stderr: '', isCut: false })
  expect(report).toEqual({ passed: 1, failed: 1, skipped: 1, failures: [{ name: 'other', message: '' }] })
  expect(parseReport('tap', { stdout, stderr: '', isCut: true })).toBeUndefined()
})

test('what says nothing of tests is not taken for a report', () => {
  const texts = [
    '',
    'done',
    'ok',
    'All good!\n',
    'error: 1 failed',
    '{"a":1}',
    '[]',
    'BUILD SUCCESSFUL in 3s\n',
    'Tests: none',
  ]
  for (const stdout of texts)
    expect([stdout, parseReport('any', { stdout, stderr: '', isCut: false })]).toEqual([stdout, undefined])
})

test('a report that a test prints itself is not taken for the real one', () => {
  const real = plainText(fixture('vitest.stdout.txt'))
  const fake = '{"numTotalTests":9,"testResults":[{"assertionResults":[{"status":"passed"}],"status":"passed"}]}\n'
  const report = parseReport('jest-json', { stdout: fake + real, stderr: '', isCut: false })
  expect([report?.passed, report?.failed]).toEqual([1, 1])
})

// Each over and over: a pattern that looks back and forth in one of them would take minutes.
const SLOW = [
  String.raw` |\n|\t\n|ok |not ok 1 |(|at |1 a, |1 passed, |  1) |  1) a\n|\nFAIL  a|=|_|\n___ |\nE   |\ntest at |{"|\n{\n`,
  String.raw`\n{"num|[{"filePath"|a:1:|\na.b:1:1: |\n---- |\nerror: |━|# SKIP |\n  Failed a|\n[ERROR]   a|\nTests run: 1`,
  String.raw`\na > b FAILED| > |\n  ● |\n    at a (|\n  ---\n|\n  a: x|❯ |ℹ `,
].flatMap((row) => row.replaceAll('\\n', '\n').replaceAll('\\t', '\t').split('|'))

test('output that is made to be slow to read is read in time', () => {
  for (const piece of SLOW) {
    const text = `1 passed ${piece.repeat(100_000 / piece.length)}x`
    const started = performance.now()
    parseReport('any', { stdout: text, stderr: text, isCut: false })
    parseProblems({ stdout: text, stderr: text, isCut: false })
    expect([piece, performance.now() - started < 2_000]).toEqual([piece, true])
  }
})

describe('problems', () => {
  const places = (stdout: string) =>
    parseProblems({ stdout, stderr: '', isCut: false }).map(({ isError, file, line, message }) => {
      return `${isError ? 'error' : 'warning'} ${file}:${line} ${message}`
    })

  test.each([
    ['tsc', "a/b.ts(1,7): error TS2322: Type 'number' is not …", "error a/b.ts:1 TS2322: Type 'number' is not …"],
    [
      'tsc for people',
      "src/a.ts:3:5 - error TS2304: Cannot find name 'x'.",
      "error src/a.ts:3 TS2304: Cannot find name 'x'.",
    ],
    [
      'mypy',
      'app/x.py:12: error: Incompatible types  [assignment]',
      'error app/x.py:12 Incompatible types  [assignment]',
    ],
    ['pyright', '  /repo/app/x.py:12:5 - error: "y" is not defined', 'error /repo/app/x.py:12 "y" is not defined'],
    ['ruff', 'app/x.py:1:8: F401 [*] `os` imported but unused', 'error app/x.py:1 F401 [*] `os` imported but unused'],
    ['go vet', 'vet: ./main.go:7:2: undefined: x', 'error ./main.go:7 undefined: x'],
    [
      'golangci-lint',
      'cmd/main.go:10:2: ineffectual assignment (ineffassign)',
      'error cmd/main.go:10 ineffectual assignment (ineffassign)',
    ],
    ['clippy', 'src/lib.rs:3:5: warning: unused variable: `x`', 'warning src/lib.rs:3 unused variable: `x`'],
    ['rustc', 'src/lib.rs:13:26: error[E0308]: mismatched types', 'error src/lib.rs:13 mismatched types'],
    ['msbuild', '/repo/A.cs(3,9): warning CS0168: unused [/repo/A.csproj]', 'warning /repo/A.cs:3 CS0168: unused'],
    ['GitHub', '::error title=lint/x,file=a.ts,line=3,endLine=3,col=1::Bad thing', 'error a.ts:3 Bad thing'],
    ['maven', '[ERROR] /repo/src/A.java:[14,9] cannot find symbol', 'error /repo/src/A.java:14 cannot find symbol'],
    [
      'eslint',
      '/repo/a.js\n  3:5  error  Unexpected debugger  no-debugger\n',
      'error /repo/a.js:3 Unexpected debugger (no-debugger)',
    ],
    [
      'eslint for machines',
      '[{"filePath":"/repo/a.js","messages":[{"ruleId":"semi","severity":1,"message":"Missing","line":2}]}]',
      'warning /repo/a.js:2 Missing (semi)',
    ],
    [
      'oxlint',
      '  ! eslint(no-debugger): not allowed\n   ,-[a.ts:3:1]\n',
      'warning a.ts:3 eslint(no-debugger): not allowed',
    ],
  ])('of %s are found', (_, stdout, expected) => {
    expect(places(stdout)).toEqual([expected])
  })

  test('of biome are found', () => {
    expect(places(fixture('biome.txt'))).toEqual([
      'warning a.ts:4 Unexpected any. Specify a different type. (lint/suspicious/noExplicitAny)',
      'warning a.ts:4 This let declares a variable that is only assigned once. (lint/style/useConst)',
      'error a.ts:3 This is an unexpected use of the debugger statement. (lint/suspicious/noDebugger)',
      'error a.ts:5 Using == may be unsafe if you are relying on type coercion. (lint/suspicious/noDoubleEquals)',
      'error a.ts:undefined Formatter would have printed the following content: (format)',
    ])
  })

  test('are not seen where there are none', () => {
    expect(
      places('Success: no issues found in 3 source files\nhttp://localhost:3000: up\n  12:30 lunch\nDone in 1.2s.\n'),
    ).toEqual([])
  })
})
