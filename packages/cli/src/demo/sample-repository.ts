import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const FILES = {
  'sum.mjs': 'export function sum(a, b) {\n  return a - b\n}\n',
  'sum.test.mjs': [
    "import assert from 'node:assert/strict'",
    "import { test } from 'node:test'",
    "import { sum } from './sum.mjs'",
    '',
    "test('adds', () => assert.equal(sum(2, 3), 5))",
    '',
  ].join('\n'),
}

/** The mended file, as the scripted model writes it. */
export const MENDED = FILES['sum.mjs'].replace('a - b', 'a + b')

/** A small repository with a failing test, in a place of its own. */
export async function makeSampleRepository(): Promise<{ home: string; repo: string }> {
  const home = await mkdtemp(join(tmpdir(), 'maru-demo-'))
  const repo = join(home, 'repo')
  await mkdir(repo)
  for (const [name, text] of Object.entries(FILES)) await writeFile(join(repo, name), text)
  return { home, repo }
}
