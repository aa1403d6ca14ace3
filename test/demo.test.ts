import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const maru = join(import.meta.dirname, '../packages/cli/bin/maru.cjs')

// The built program.
test.each([
  ['en', 'Fixed: sum now adds'],
  ['ko', '고쳤습니다'],
])('the tour mends its repository with the real engine, and its log verifies (%s)', async (lang, said) => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [maru, 'demo', '--lang', lang])
  expect(stdout).toContain(said)
  const log = /maru replay (.+)\n/.exec(stderr)?.[1] ?? ''
  expect(await readFile(join(dirname(log), 'repo/sum.mjs'), 'utf8')).toContain('a + b')
  const verified = await promisify(execFile)(process.execPath, [maru, 'replay', log, '--verify', '--json'])
  expect(JSON.parse(verified.stdout)).toEqual({ type: 'verified', requests: 3, adapted: 3 })
})
