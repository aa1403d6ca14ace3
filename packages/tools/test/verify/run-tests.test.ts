import { execFileSync } from 'node:child_process'
import { readdir, realpath } from 'node:fs/promises'
import type { Json } from '@maru/protocol'
import { temporaryDirectory } from '@maru/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createRunTests, type RunTestsOptions } from '../../src/verify/run-tests.ts'
import { createWorkspace } from '../../src/workspace.ts'
import { codesOf, contextOf } from '../bench-of-tools.ts'
import { put } from '../git/repositories.ts'

let root: string
let dispose: () => Promise<void>
beforeAll(async () => {
  const made = await temporaryDirectory()
  dispose = made.dispose
  root = await realpath(made.path)
})
afterAll(() => dispose())

function tool(options: Partial<RunTestsOptions> = {}) {
  return createRunTests({ workspace: createWorkspace(root), root, environment: process.env, ...options })
}

async function call(args: Json, options: Partial<RunTestsOptions> = {}) {
  return (await tool(options).prepare(args, contextOf())).run(contextOf())
}

const hasPytest = (() => {
  try {
    execFileSync('python3', ['-c', 'import pytest'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

const PASSES = "import test from 'node:test'\ntest('passes', () => {})\n"
const FAILS = "import test from 'node:test'\n\ntest('fails', () => { throw new Error('boom') })\n"

describe('RunTests', () => {
  test('runs what the repository has, and tells the counts and the failures with their places', async () => {
    await put(root, 'pkg/package.json', '{"type":"module"}')
    await put(
      root,
      'pkg/test/a.test.js',
      PASSES + FAILS.replace('import test', 'import again').replace('test(', 'again('),
    )
    const result = await call({ path: 'pkg' })
    expect(result).toEqual({
      ok: false,
      exit: 1,
      data: { by: 'node --test', passed: 1, failed: 1, skipped: 0 },
      stdout: 'node --test: 1 passed, 1 failed, 0 skipped\nFAILED fails (pkg/test/a.test.js:5)\n  boom',
    })
    const narrowed = await call({ path: 'pkg', filter: 'passes' })
    expect(narrowed).toMatchObject({ ok: true, data: { passed: 1, failed: 0 } })
    // A file named from the root is found in its package.
    const { preview } = await tool().prepare({ filter: 'pkg/test/a.test.js' }, contextOf())
    expect(preview).toMatchObject({ command: 'node --test --test-reporter=tap test/a.test.js', cwd: 'pkg' })
  })

  test('says what it would run, as a check of the project', async () => {
    const prepared = await tool().prepare({ path: 'pkg', filter: "it's" }, contextOf())
    const argv = ['--test', '--test-reporter=tap', "--test-name-pattern=it's"]
    expect(prepared.access).toEqual([{ kind: 'run', program: 'node', argv, proven: 'check' }])
    expect(prepared.preview).toEqual({
      kind: 'command',
      command: `node --test --test-reporter=tap '--test-name-pattern=it'\\''s'`,
      cwd: 'pkg',
    })
  })

  test('never calls it passed when nothing ran, or nothing was counted', async () => {
    await put(root, 'empty/package.json', '{}')
    await put(root, 'empty/test/a.test.mjs', '')
    const none = await call(
      {},
      { testCommand: 'node --test --test-reporter=tap empty/no-such-directory 2>/dev/null; echo 1..0; exit 0' },
    )
    expect([none.ok, ...codesOf(none)]).toEqual([false, 'no-tests-ran'])
    const silent = await call({}, { testCommand: 'echo all good' })
    expect(silent).toMatchObject({ ok: true, exit: 0, stdout: 'all good' })
    expect(codesOf(silent)).toEqual(['not-counted'])
    const odd = await call(
      {},
      { testCommand: 'printf "TAP version 13\\nok 1 - a\\n1..1\\n"; echo teardown broke >&2; exit 3' },
    )
    expect([odd.ok, odd.exit, ...codesOf(odd)]).toEqual([false, 3, 'exit-disagrees'])
    expect(odd.stdout).toContain('teardown broke')
    const lying = await call({}, { testCommand: 'printf "TAP version 13\\nnot ok 1 - a\\n1..1\\n"' })
    expect([lying.ok, ...codesOf(lying)]).toEqual([false, 'exit-disagrees'])
  })

  test('a configured command is run instead, with the filter as one word', async () => {
    const testCommand = `printf 'TAP version 13\\nok 1 - %s\\n1..1\\n' {filter}`
    for (const filter of ["it's; touch hacked", '$(touch hacked)', '`touch hacked`', "'; touch hacked; '"]) {
      expect(await call({ filter }, { testCommand })).toMatchObject({ ok: true, data: { passed: 1 } })
    }
    expect(await readdir(root)).not.toContain('hacked')
    expect(codesOf(await call({ filter: 'x' }, { testCommand: 'make test' }))).toEqual(['no-filter'])
    const prepared = await tool({ testCommand: 'make test' }).prepare({}, contextOf())
    expect(prepared.access).toEqual([
      { kind: 'run', program: '/bin/bash', argv: ['--noprofile', '--norc', '-c', 'make test'], proven: 'check' },
    ])
    const hostile = await tool({ testCommand: 'rm -rf / ; make test' }).prepare({}, contextOf())
    expect(hostile.access).toContainEqual(expect.objectContaining({ program: 'rm', proven: 'catastrophe' }))
  })

  test('inherits no key, and lets nobody watch for changes', async () => {
    const environment = { ...process.env, OPENAI_API_KEY: 'sk-secret', CI: '' }
    const result = await call({}, { environment, testCommand: 'env | grep -c sk-secret; echo "CI=$CI"' })
    expect(result.stdout).toBe('0\nCI=1')
  })

  test('lint and types are told as problems with their places', async () => {
    await put(
      root,
      'typed/package.json',
      '{"scripts":{"lint":"echo \\"a.ts:3:1: error: bad\\"; exit 1","typecheck":"true"}}',
    )
    expect(await call({ path: 'typed', kind: 'lint' })).toMatchObject({
      ok: false,
      exit: 1,
      data: { errors: 1, warnings: 0 },
      stdout: 'npm run lint: 1 errors, 0 warnings\ntyped/a.ts:3 error: bad',
    })
    expect(await call({ path: 'typed', kind: 'types' })).toMatchObject({ ok: true, data: { errors: 0, warnings: 0 } })
  })

  test.each<[string, Json, Partial<RunTestsOptions>, string]>([
    ['nothing to run', { path: '.', kind: 'lint' }, {}, 'no-profile'],
    ['a directory outside', { path: '..' }, {}, 'outside-workspace'],
    ['arguments nobody knows', { grep: 'x' }, {}, 'bad-arguments'],
    ['a run that does not end', { timeoutSec: 1 }, { testCommand: 'echo started; sleep 60' }, 'timeout'],
    ['a run that is killed', {}, { testCommand: 'kill -KILL $$' }, 'killed'],
  ])('%s is a result with a reason', async (_, args, options, code) => {
    const result = await call(args, options)
    expect([result.ok, ...codesOf(result)]).toEqual([false, code])
  })

  test('a program that is not there is said', async () => {
    await put(root, 'gone/go.mod', 'module x')
    const result = await call({ path: 'gone' }, { environment: { PATH: '/nowhere' } })
    expect(codesOf(result)).toEqual(['no-program'])
  })

  test('an interrupt ends it', async () => {
    const controller = new AbortController()
    const prepared = await tool({ testCommand: 'echo started; sleep 60' }).prepare({}, contextOf())
    const context = contextOf({ signal: controller.signal, progress: () => controller.abort() })
    expect(codesOf(await prepared.run(context))).toEqual(['interrupted'])
  })

  test('reads a real pytest', async (context) => {
    if (!hasPytest) context.skip('no pytest on this machine')
    await put(root, 'py/pytest.ini', '[pytest]\n')
    await put(root, 'py/test_a.py', 'def test_ok(): pass\ndef test_bad():\n    assert 1 == 2\n')
    const result = await call({ path: 'py' })
    expect(result).toMatchObject({ ok: false, exit: 1, data: { by: 'pytest', passed: 1, failed: 1, skipped: 0 } })
    expect(result.stdout).toContain('FAILED test_a.py::test_bad (py/test_a.py:3)\n  assert 1 == 2')
  })
})
