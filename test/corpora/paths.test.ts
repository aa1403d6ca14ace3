import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@maru/testkit'
import { expect, test } from 'vitest'

interface Seen {
  row: { id: string; expect: 'allow' | 'ask' | 'deny'; op?: string; path?: string; masked?: boolean; reason: string }
  code: number
  stdout: string
  stderr: string
  changed: string[]
}

const corpora = process.env['MARU_CORPORA']
const maru = join(import.meta.dirname, '../../packages/cli/bin/maru.cjs')

// A hard link to a file outside cannot be told from one inside.
const OUTSIDE_BY_NATURE = new Set(['p150'])

test('the paths and patches that attack a tree reach nothing outside it, and nothing harmless is refused', {
  timeout: 180_000,
}, async (context) => {
  if (!corpora || !existsSync(join(corpora, 'paths'))) context.skip('$MARU_CORPORA does not name the test corpora')
  if (!canSandbox()) context.skip('this machine has no bwrap that works, and these are not run outside a sandbox')
  const { path, dispose } = await temporaryDirectory()
  try {
    chmodSync(path, 0o777)
    const script = join(import.meta.dirname, 'paths-in-sandbox.mjs')
    const lines = sandboxed([process.execPath, script, path, corpora ?? '', maru], path)
      .split('\n')
      .slice(0, -1)
    const seen = lines.map((line) => JSON.parse(line) as Seen)
    expect(seen.length).toBeGreaterThan(100)
    expect(seen.filter(isWrong).map(({ row, code, stdout }) => ({ ...row, code, stdout }))).toEqual([])
  } finally {
    await dispose()
  }
})

// What would be asked is denied: `--mode yes` does not cover it, and nobody is there.
function isWrong({ row, code, stdout, changed }: Seen): boolean {
  if (stdout.includes('OUTSIDE-SECRET') && !OUTSIDE_BY_NATURE.has(row.id)) return true
  // The values of those files.
  if (row.masked && (/=(?:inside|x)\b/.test(stdout) || !stdout.includes('[secret:'))) return true
  return row.expect === 'allow' ? code !== 0 : code === 0 || changed.length > 0
}

// Not as root: an implementation that is wrong must not be able to write through the links.
const NOBODY = ['--reuid=65534', '--regid=65534', '--clear-groups']

function sandboxed(command: string[], writable: string): string {
  const bwrap = ['--unshare-all', '--die-with-parent', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc']
  const words = ['bwrap', ...bwrap, '--bind', writable, writable, ...command]
  const [program = '', ...args] = process.getuid?.() === 0 ? ['setpriv', ...NOBODY, ...words] : words
  return execFileSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 64 * 1024 * 1024,
  })
}

function canSandbox(): boolean {
  const isThere = spawnSync('bwrap', ['--version']).status === 0
  if (!isThere) return false
  try {
    sandboxed(['true'], '/tmp')
    return true
  } catch {
    return false
  }
}
