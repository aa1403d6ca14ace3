import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory, run } from './run.ts'

test('the tools are listed with their schemas, as the model gets them', async () => {
  const { stdout, code } = await run(['tools', '--json'])
  expect(code).toBe(0)
  const specs = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { name: string; schema: object })
  const names = specs.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['ListFiles', 'ReadFile', 'SearchText', 'ApplyPatch', 'RunCommand']))
  // Off unless they are configured.
  expect(names).not.toContain('WebFetch')
  for (const { schema } of specs) expect(schema).toMatchObject({ type: 'object' })
  // All of them go with every request.
  expect(stdout.length).toBeLessThan(6_500)
})

test('a person reads them as a table, and is told what is missing to run one', async () => {
  const { stdout } = await run(['tools', '--lang', 'ko'])
  const starts = stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.search(/\p{Script=Hangul}|git/u))
  expect(new Set(starts).size).toBe(1)
  const { code, stderr } = await run(['tools', 'call'])
  expect([code, stderr]).toEqual([2, 'maru: NAME is missing; see "maru tools -h"\n'])
})

test('a tool is run by hand under the same policy', async () => {
  const repo = await makeDirectory({ 'a.txt': 'hello\n' })
  const call = (name: string, args: object, ...more: string[]) =>
    run(['tools', 'call', name, JSON.stringify(args), '--repo', repo, ...more])
  expect(await call('ReadFile', { path: 'a.txt' })).toMatchObject({ code: 0, stdout: expect.stringContaining('hello') })
  expect(await call('RunCommand', { command: 'touch b' })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('touch changes b'),
  })
  expect(await call('RunCommand', { command: 'echo hi > b' }, '--yes')).toMatchObject({ code: 0 })
  expect(await readFile(join(repo, 'b'), 'utf8')).toBe('hi\n')
  expect(await call('ReadFile', { path: '../outside' }, '--yes')).toMatchObject({ code: 3 })
  expect(await call('ReadFile', { wrong: 1 })).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('invalid-arguments'),
  })
  expect(await call('Nope', {})).toMatchObject({ code: 2, stderr: expect.stringContaining('ReadFile') })
  expect((await run(['tools', 'call', 'ReadFile', '{bad', '--repo', repo])).code).toBe(2)
})
