import { access, chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderResult } from '@maru/agent'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import { createTools } from '../src/index.ts'
import { type Bench, codesOf, contextOf, openBench } from './bench-of-tools.ts'
import { isRunning } from './command/processes.ts'

const KEY = 'sk-live-0123456789'
const listeners = process.listenerCount('exit')
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

  test('says what it would run and touch, and where', async () => {
    const prepared = await bench.prepare('RunCommand', { exe: 'ls', args: ['-l', "it's"], cwd: 'src/' })
    expect(prepared.access).toEqual([
      { kind: 'read', path: "src/it's", where: 'inside' },
      { kind: 'run', program: 'ls', argv: ['-l', "it's"], proven: 'read-only' },
    ])
    const unknown = await bench.prepare('RunCommand', { command: 'frobnicate' })
    expect(unknown.access).toMatchObject([{ kind: 'run', program: 'frobnicate', proven: 'unknown' }])
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

  test('a command that passes as harmless is no program of the workspace', async () => {
    await bench.put('bin/ls', '#!/bin/sh\necho hijacked\n')
    await chmod(join(bench.root, 'bin/ls'), 0o755)
    const environment = { PATH: `${bench.root}/bin:bin::${process.env['PATH']}` }
    const tools = createTools({ root: bench.root, environment })
    const tool = tools.list().find(({ spec }) => spec.name === 'RunCommand')
    const run = async (command: string) => (await tool?.prepare({ command }, contextOf()))?.run(contextOf())
    expect((await run('ls'))?.stdout).not.toContain('hijacked')
    // The trap works: for what is not proven, the path is the person's.
    expect((await run('ls; touch other'))?.stdout).toContain('hijacked')
    await tools.close()
  })

  test('a command knows that nobody sits at a terminal', async () => {
    const { stdout = '' } = await run({ command: 'env' })
    const expected = ['TERM=dumb', 'NO_COLOR=1', 'PAGER=cat', 'GIT_PAGER=cat', 'GIT_TERMINAL_PROMPT=0']
    expect(stdout.split('\n')).toEqual(expect.arrayContaining([...expected, 'DEBIAN_FRONTEND=noninteractive']))
  })

  test('has no input to wait for and no terminal', async () => {
    const command = 'cat; read line; echo "$?"; test -t 0 || echo none; : < /dev/tty || echo no tty'
    expect(await run({ command })).toMatchObject({ stdout: '1\nnone\nno tty\n' })
  })

  test('at the timeout the whole tree ends, also what ignores a polite word', async () => {
    const both = 'until test "$(cat pids 2>/dev/null | wc -l)" = 2; do sleep 0.01; done'
    const command = `trap '' TERM; (trap '' TERM; echo $BASHPID > pids; sleep 300 & echo $! >> pids; wait) & ${both}; echo started; wait`
    // The time is over once all of it runs, however slow the machine is.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const progress = () => {
      if (vi.isFakeTimers()) vi.advanceTimersByTime(1_000)
      vi.useRealTimers()
    }
    const result = await run({ command, timeoutSec: 1 }, { progress }).finally(() => vi.useRealTimers())
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
    // Nor does it remember them: their numbers may be somebody else's by the time that we exit.
    expect(process.listenerCount('exit')).toBe(listeners)
    expect(await isRunning((result.stdout ?? '').trim())).toBe(false)
  })

  test('keeps the beginning and the end of a flood, and says what was cut', async () => {
    const result = await run({ command: 'echo first; yes 0123456789 | head -c 20000000; echo last; echo oops >&2' })
    const text = renderResult(result)
    expect(text.length).toBeLessThanOrEqual(10_000)
    expect(text.match(/\[… \d+ bytes cut …\]/g)).toHaveLength(1)
    const [, start = '', cut, end = ''] =
      /^(first\n.*)\n\[… (\d+) bytes cut …\]\n(.*last\n)$/s.exec(result.stdout ?? '') ?? []
    expect(start.length + Number(cut) + end.length).toBe('first\n'.length + 20_000_000 + 'last\n'.length)
    expect(result.stderr).toBe('oops\n')
  })

  test('keeps the whole of a long output, and says how it can be read', async () => {
    const kept: { content: string | Uint8Array; name: string }[] = []
    const context = {
      callId: 'call-7',
      async keep(content: string | Uint8Array, name: string) {
        kept.push({ content, name })
        return { hash: 'a'.repeat(64), bytes: content.length }
      },
    }
    const command = 'for n in $(seq 3000); do echo "line $n"; done; echo oops >&2; printf "\\033[1mend\\033[0m"'
    const result = await run({ command }, context)
    const lines = Array.from({ length: 3_000 }, (_, index) => `line ${index + 1}\n`)
    // Both outputs as they came, line by line; which of two comes first is up to the system.
    expect(kept.map(({ name }) => name)).toEqual(['output.txt'])
    expect(kept[0]?.content.toString().replace('oops\n', '')).toBe(`${lines.join('')}end`)
    const blob = { hash: 'a'.repeat(64), bytes: kept[0]?.content.length }
    expect(result.parts).toEqual([{ type: 'file', name: 'output.txt', mediaType: 'text/plain', blob }])
    expect(renderResult(result)).toMatch(/3002 lines.* ReadFile path="output:call-7", startLine and endLine\./)
    expect(renderResult(result).match(/ cut …\]/g)).toHaveLength(1)
    expect((result.stdout ?? '').length + (result.stderr ?? '').length).toBeLessThanOrEqual(9_400)

    const short = await run({ command: 'for n in $(seq 500); do echo "line $n"; done' }, context)
    expect([short.stdout, short.parts, kept.length]).toEqual([lines.slice(0, 500).join(''), undefined, 1])
  })

  test('shows output without what is meant for a terminal, and what is no UTF-8 as such', async () => {
    const command = `printf '\\033[32mgreen\\033[0m\\n10%%\\r100%%\\n\\377\\n'; printf 'a\\r\\nb\\n' >&2`
    expect(await run({ command })).toEqual({ ok: true, exit: 0, stdout: 'green\n100%\n\uFFFD\n', stderr: 'a\nb\n' })
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
    ['a program that is not there, in the background', { exe: 'no-such-program', background: true }, 'no-program'],
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
