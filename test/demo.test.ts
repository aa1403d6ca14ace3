import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const maru = join(import.meta.dirname, '../packages/cli/bin/maru.cjs')

// The built program, as `npm start` runs it.
test('the tour writes a real log, kills its writer, loses nothing, and leaves the log to look at', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [maru, 'demo', '--lang', 'en'])
  expect(stdout).toContain('terminal said "allow" → stored: "allow" as fact 9')
  expect(stdout).toContain('web app said "deny" → stored: "allow" as fact 9')
  expect(stdout).toMatch(/killed after \d+ acknowledged facts/)
  expect(stdout).toContain(': 0 of the acknowledged ones lost')
  const path = /maru replay (.+)\n/.exec(stdout)?.[1] ?? ''
  const seqs = (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { seq: number }).seq)
  expect(seqs).toEqual(seqs.map((_, index) => index + 1))
})
