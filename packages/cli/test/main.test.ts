import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeDirectory } from './run.ts'

const main = join(import.meta.dirname, '../src/main.ts')

async function start(args: readonly string[]) {
  const home = await makeDirectory()
  const env = { PATH: process.env['PATH'], MARU_HOME: home, MARU_LANG: 'en' }
  return spawn(process.execPath, ['--import', 'tsx', main, ...args], { env, stdio: 'pipe' })
}

test('the real process prints, and its exit code tells', async () => {
  for (const [args, stdout, stderr, expected] of [
    [['--version'], 'maru 0.1.0\n', '', 0],
    [['--bogus'], '', 'maru: unknown option "--bogus"; see "maru -h"\n', 2],
  ] as const) {
    const child = await start(args)
    const [out, err, [code]] = await Promise.all([
      child.stdout.toArray(),
      child.stderr.toArray(),
      once(child, 'close') as Promise<[number]>,
    ])
    expect([Buffer.concat(out).toString(), Buffer.concat(err).toString(), code]).toEqual([stdout, stderr, expected])
  }
})

test('a reader that goes away is no error', async () => {
  const child = await start(['-h'])
  child.stdout.destroy()
  const [err, [code]] = await Promise.all([child.stderr.toArray(), once(child, 'close') as Promise<[number]>])
  expect([Buffer.concat(err).toString(), code]).toEqual(['', 0])
})

test('an interrupt ends a command that waits for input', async () => {
  const child = await start(['config', 'set', 'model', '-'])
  // More than a pipe holds: once it is taken, the command is there and reading.
  await new Promise<void>((resolve) => child.stdin.write('x'.repeat(1_000_000), () => resolve()))
  child.kill('SIGINT')
  const [err, [code]] = await Promise.all([child.stderr.toArray(), once(child, 'close') as Promise<[number]>])
  expect([Buffer.concat(err).toString(), code]).toEqual(['', 130])
})
