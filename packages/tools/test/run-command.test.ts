import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderResult } from '@maru/agent'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { type Bench, codesOf, contextOf, openBench } from './bench-of-tools.ts'

const KEY = 'sk-live-0123456789'
let bench: Bench
beforeAll(async () => {
  bench = await openBench({
    ...process.env,
    ANTHROPIC_API_KEY: KEY,
    GITHUB_TOKEN: KEY,
    AWS_SECRET_ACCESS_KEY: KEY,
    MY_HARMLESS_LOOKING_NAME: KEY,
    DATABASE_URL: `postgres://u:${KEY}@h/db`,
    HTTPS_PROXY: `http://user:${KEY}@proxy:8080`,
    SSH_AUTH_SOCK: `/tmp/${KEY}`,
    BASH_ENV: '/tmp/evil.sh',
    LC_ALL: 'C.UTF-8',
  })
  await bench.put('src/a.txt', 'a\n')
})
afterAll(() => bench.dispose())

const run = (args: Parameters<Bench['call']>[1], context?: Parameters<Bench['call']>[2]) =>
  bench.call('RunCommand', args, context)

describe('RunCommand', () => {
  test('gives back both outputs and the exit code', async () => {
    expect(await run({ command: 'echo out; echo err >&2; exit 3' })).toEqual({
      ok: false,
      exit: 3,
      stdout: 'out\n',
      stderr: 'err\n',
    })
    expect(await run({ exe: 'printf', args: ['%s|', 'a b', '$HOME'] })).toEqual({
      ok: true,
      exit: 0,
      stdout: 'a b|$HOME|',
    })
  })

  test('says what it would run, where, and that nothing is known about it', async () => {
    const prepared = await bench.prepare('RunCommand', { exe: 'ls', args: ['-l', "it's"], cwd: 'src/' })
    expect(prepared.access).toEqual([{ kind: 'run', program: 'ls', argv: ['-l', "it's"], proven: 'unknown' }])
    expect(prepared.preview).toEqual({ kind: 'command', command: `ls -l 'it'\\''s'`, cwd: 'src' })
    const other = await bench.prepare('RunCommand', { exe: 'ls', args: ['-l', "it's"] })
    expect(other.basis).not.toEqual(prepared.basis)
  })

  test('runs in the directory it is given, by its real name', async () => {
    expect((await run({ command: 'pwd', cwd: 'src' })).stdout).toBe(`${join(bench.root, 'src')}\n`)
    expect((await run({ command: 'pwd' })).stdout).toBe(`${bench.root}\n`)
  })

  test('a command inherits no key, token, password or start-up file', async () => {
    const { stdout = '' } = await run({ command: 'env; cat /proc/self/environ | tr "\\0" "\\n"' })
    expect(stdout).not.toContain(KEY)
    expect(stdout).not.toContain('BASH_ENV')
    expect(stdout).toContain('LC_ALL=C.UTF-8')
    expect(stdout).toContain('PATH=')
  })

  test('has no input to wait for and no terminal', async () => {
    expect(await run({ command: 'cat; read line; echo "$?"; test -t 0 || echo none' })).toMatchObject({
      stdout: '1\nnone\n',
    })
  })

  test('at the timeout the whole tree ends, also what ignores a polite word', async () => {
    const command = `trap '' TERM; (trap '' TERM; echo $BASHPID > pids; sleep 300 & echo $! >> pids; wait) & echo started; wait`
    const result = await run({ command, timeoutSec: 1 })
    expect(result).toMatchObject({ ok: false, stdout: 'started\n' })
    expect(codesOf(result)).toEqual(['timeout'])
    const pids = (await readFile(join(bench.root, 'pids'), 'utf8')).trim().split('\n')
    expect(pids).toHaveLength(2)
    for (const pid of pids) expect(await isRunning(pid)).toBe(false)
  })

  test('an interrupt ends the tree and keeps what was said', async () => {
    const controller = new AbortController()
    const result = await run(
      { command: 'echo $$; sleep 300 & wait' },
      { signal: controller.signal, progress: () => controller.abort() },
    )
    expect(codesOf(result)).toEqual(['interrupted'])
    expect(await isRunning((result.stdout ?? '').trim())).toBe(false)
    expect(codesOf(await run({ command: 'echo x > made' }, { signal: AbortSignal.abort() }))).toEqual(['interrupted'])
    await expect(access(join(bench.root, 'made'))).rejects.toThrow()
  })

  test('does not wait for what a command leaves running, and does not leave it', async () => {
    const result = await run({ command: 'sleep 300 & echo $!' })
    expect(codesOf(result)).toEqual(['left-processes'])
    expect(result.exit).toBe(0)
    expect(await isRunning((result.stdout ?? '').trim())).toBe(false)
  })

  test('does not wait for a stranger that holds its output', async () => {
    const result = await run({ command: 'setsid sleep 20 & echo $!' })
    // In a session of its own it is out of reach until there is a sandbox: the test ends it.
    process.kill(Number(result.stdout), 'SIGKILL')
    expect(result).toMatchObject({ ok: true, exit: 0 })
  })

  test('keeps the beginning and the end of a flood, and says what was cut', async () => {
    const result = await run({ command: 'echo first; yes 0123456789 | head -c 20000000; echo last; echo oops >&2' })
    const text = renderResult(result)
    expect(text.length).toBeLessThanOrEqual(10_000)
    expect(text.match(/\[… \d+ characters cut …\]/g)).toHaveLength(1)
    expect(result.stdout).toMatch(/^first\n.*\[… 199\d{5} characters cut …\]\n.*last\n$/s)
    expect(result.stderr).toBe('oops\n')
  })

  test('shows output while it comes, up to a limit', async () => {
    const chunks: string[] = []
    await run(
      { command: 'echo 하나; head -c 1000000 /dev/zero | tr "\\0" x' },
      { progress: (text) => chunks.push(text) },
    )
    const live = chunks.join('')
    expect(live).toMatch(/^하나\nx/)
    expect(live.length).toBeLessThan(201_000)
    expect(live).toMatch(/not shown live\]\n$/)
  })

  test('a command that was killed says by what', async () => {
    const result = await run({ command: 'kill -SEGV $$' })
    expect(result).toMatchObject({ ok: false, exit: 139 })
    expect(codesOf(result)).toEqual(['killed'])
  })

  test.each([
    ['neither command nor exe', {}, 'bad-arguments'],
    ['both', { command: 'ls', exe: 'ls' }, 'bad-arguments'],
    ['arguments of a line', { command: 'ls', args: ['-l'] }, 'bad-arguments'],
    ['a NUL', { command: 'ls\0' }, 'bad-arguments'],
    ['too long a time', { command: 'ls', timeoutSec: 601 }, 'bad-arguments'],
    ['background', { command: 'ls', background: true }, 'not-available'],
    ['a program that is not there', { exe: 'no-such-program' }, 'no-program'],
    ['a program that is none', { exe: './src/a.txt' }, 'not-started'],
    ['a line that is too long', { command: `: ${'x'.repeat(300_000)}` }, 'too-long'],
    ['a directory that is not there', { command: 'ls', cwd: 'nope' }, 'not-found'],
    ['a file as a directory', { command: 'ls', cwd: 'src/a.txt' }, 'not-a-directory'],
  ])('%s is a result with a reason', async (_, args, code) => {
    const result = await run(args)
    expect([result.ok, ...codesOf(result)]).toEqual([false, code])
  })

  test('a directory outside is told to the policy and refused', async () => {
    const prepared = await bench.prepare('RunCommand', { command: 'ls', cwd: '..' })
    expect(prepared.access).toContainEqual({ kind: 'read', path: '..', where: 'outside' })
    expect(codesOf(await prepared.run(contextOf()))).toEqual(['outside-workspace'])
  })
})

async function isRunning(pid: string): Promise<boolean> {
  expect(pid).toMatch(/^\d+$/)
  if (process.platform === 'linux') {
    // A dead process may wait to be collected; it does not run any more.
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    return stat !== '' && !/\) [ZX] /.test(stat)
  }
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}
