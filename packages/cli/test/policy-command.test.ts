import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { WHY } from '@maru/guard'
import { allMessages } from '@maru/i18n'
import { expect, test } from 'vitest'
import { makeDirectory, run } from './run.ts'

const rows = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, string>)

test('lines are judged one by one, in order, each with its decision, rule and reason', async () => {
  const stdin = [
    '{"cmd":"ls","cwd":"/w"}',
    '',
    '{"cmd":"rm -rf /","cwd":"/w"}',
    '{"cmd":"touch a","cwd":"/w","shell":"bash"}',
  ].join('\n')
  const { stdout, code } = await run(['policy', 'check', '--json'], { stdin })
  expect(code).toBe(0)
  expect(rows(stdout)).toEqual([
    { cmd: 'ls', decision: 'allow', rule: 'built-in/read-only-command', reason: 'it only reads' },
    { cmd: 'rm -rf /', decision: 'deny', rule: 'built-in/catastrophe', reason: 'rm could destroy /' },
    { cmd: 'touch a', decision: 'ask', rule: 'built-in/command', reason: 'touch changes a' },
  ])
})

test('mode and sandbox are those that are named', async () => {
  const stdin = '{"cmd":"npm test","cwd":"/w"}\n{"cmd":"touch a","cwd":"/w"}\n'
  const decisions = async (...options: string[]) =>
    rows((await run(['policy', 'check', ...options], { stdin })).stdout).map(({ decision }) => decision)
  expect(await decisions()).toEqual(['ask', 'ask'])
  expect(await decisions('--sandbox', 'full')).toEqual(['allow', 'ask'])
  expect(await decisions('--sandbox', 'full', '--mode', 'auto')).toEqual(['allow', 'allow'])
  expect(await decisions('--mode', 'read-only')).toEqual(['deny', 'deny'])
})

test('a line that is none is told, the others are judged, and the end is a failure', async () => {
  const { stdout, code } = await run(['policy', 'check'], { stdin: 'x\n{"cmd":1}\n[]\n{"cmd":"ls","cwd":"/w"}' })
  expect(code).toBe(1)
  const told = rows(stdout)
  expect(told.map(({ line, decision }) => line ?? decision)).toEqual([1, 2, 3, 'allow'])
  for (const { error } of told.slice(0, 3)) expect(error).toMatch(/line \d.*"cmd"/)
})

test('where the directory is there, links are followed', async () => {
  const repo = await makeDirectory({ 'a.txt': 'x' })
  await symlink('/etc', join(repo, 'out'))
  const stdin = `${JSON.stringify({ cmd: 'cat out/hostname', cwd: repo })}\n${JSON.stringify({ cmd: 'cat a.txt', cwd: repo })}\n`
  expect(rows((await run(['policy', 'check'], { stdin })).stdout).map(({ decision }) => decision)).toEqual([
    'deny',
    'allow',
  ])
})

test('explain shows the tree, what is touched, and what decided, in both languages', async () => {
  const repo = await makeDirectory()
  const line = 'cat a.txt | tee "b\u202e.txt"'
  const english = await run(['policy', 'explain', line, '--repo', repo, '--no-color'])
  expect(english.code).toBe(0)
  expect(english.stdout).toContain('asked first')
  expect(english.stdout).toContain('built-in/command')
  expect(english.stdout).toContain('cat a.txt  [read-only]')
  expect(english.stdout).toContain('write  b\\u202e.txt  [inside]')
  expect(english.stdout).not.toContain('\u202e')
  const korean = await run(['policy', 'explain', 'rm -rf /', '--repo', repo, '--lang', 'ko'])
  expect(korean.stdout).toContain('거부')
  const [told] = rows((await run(['policy', 'explain', 'rm x', '--repo', repo, '--json'])).stdout)
  expect(told).toMatchObject({ cmd: 'rm x', decision: 'ask', rule: 'built-in/irreversible' })
})

test('a wrong call says what is missing or too much', async () => {
  expect((await run(['policy', 'explain'])).code).toBe(2)
  expect((await run(['policy', 'check', 'ls'])).code).toBe(2)
  expect((await run(['policy'])).code).toBe(2)
})

test('every reason of the guard is said in English as the guard says it, and in Korean', () => {
  const messages: Record<string, { en: string; ko: string }> = allMessages()
  for (const [code, words] of Object.entries(WHY)) expect(messages[`why.${code}`]?.en).toBe(words)
})
