import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Bench, codesOf, openBench } from '../bench-of-tools.ts'
import { isRunning, runningWith } from './processes.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.dispose())

const run = (args: Parameters<Bench['call']>[1], context?: Parameters<Bench['call']>[2]) =>
  bench.call('RunCommand', args, context)

/** Runs a command whose time is over once it has said something, however slow the machine is. */
async function runOutOfTime(command: string) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const progress = () => {
    if (vi.isFakeTimers()) vi.advanceTimersByTime(1_000)
    vi.useRealTimers()
  }
  try {
    return await run({ command, timeoutSec: 1 }, { progress })
  } finally {
    vi.useRealTimers()
  }
}

const pidsIn = async (file: string) => (await readFile(join(bench.root, file), 'utf8')).trim().split('\n')

async function expectGone(pids: string[]): Promise<void> {
  expect(pids).not.toEqual([])
  for (const pid of pids) expect(await isRunning(pid)).toBe(false)
}

// Forked twice, in a session of its own, with nothing of the command's input and output: a daemon as in the book.
const daemon = (file: string, what = 'exec sleep 300') =>
  `( ( setsid bash -c 'echo $$ >> ${file}; ${what}' </dev/null >/dev/null 2>&1 & ) & ); until test -s ${file}; do sleep 0.01; done`

// Its mark can only be read there.
describe.runIf(process.platform === 'linux')('whatever a command starts', () => {
  test('one of which all is known to only read, but which leaves the group of its command, ends with it', async () => {
    const seconds = `9${String(process.pid).padStart(8, '0')}`
    const result = await run({ command: `timeout ${seconds} sleep ${seconds} & echo done` })
    expect(codesOf(result)).toEqual(['left-processes'])
    expect(await runningWith(seconds)).toEqual([])
  })

  test('a daemon ends with it', async () => {
    const result = await run({ command: `${daemon('daemon')}; echo done` })
    expect(result).toMatchObject({ ok: true, exit: 0, stdout: 'done\n' })
    expect(codesOf(result)).toEqual(['left-processes'])
    await expectGone(await pidsIn('daemon'))
  })

  test('a daemon that does not listen ends with it, soon', async () => {
    let startedAt = 0
    const progress = () => {
      startedAt = performance.now()
    }
    const deaf = daemon('deaf', 'trap "" TERM HUP INT; while :; do sleep 1; done')
    const result = await run({ command: `${deaf}; echo ready` }, { progress })
    expect(codesOf(result)).toEqual(['left-processes'])
    await expectGone(await pidsIn('deaf'))
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  test('a daemon ends at the timeout and at an interrupt', async () => {
    expect(codesOf(await runOutOfTime(`${daemon('late')}; echo ready; sleep 300`))).toEqual(['timeout'])
    await expectGone(await pidsIn('late'))
    const controller = new AbortController()
    const context = { signal: controller.signal, progress: () => controller.abort() }
    const interrupted = await run({ command: `${daemon('broken')}; echo ready; sleep 300` }, context)
    expect(codesOf(interrupted)).toEqual(['interrupted'])
    await expectGone(await pidsIn('broken'))
  })

  test('a child without any environment ends with its parent', async () => {
    const isBare = 'test "$(cat /proc/$!/comm)" = sleep'
    const command = `env -i setsid sleep 300 & echo $! > bare; until ${isBare}; do :; done; echo ready; wait`
    expect(codesOf(await runOutOfTime(command))).toEqual(['timeout'])
    await expectGone(await pidsIn('bare'))
  })

  test('one that takes flight when it is told to end is caught, though nothing of it is left to know it by', async () => {
    const flight = 'trap "exec env -i setsid sleep 300" TERM; echo $$ > flight; while :; do sleep 0.01; done'
    const command = `bash -c '${flight}' & until test -s flight; do sleep 0.01; done; echo ready; wait`
    expect(codesOf(await runOutOfTime(command))).toEqual(['timeout'])
    await expectGone(await pidsIn('flight'))
  })

  test('hundreds of processes, in their group or not, end with it', async () => {
    const word = `3600.${Math.random().toString().slice(2, 12)}`
    const command = `for n in $(seq 150); do sleep ${word} & setsid sleep ${word} & done; wait`
    const result = await run({ command, timeoutSec: 1 })
    expect(codesOf(result)).toEqual(['timeout'])
    expect(await runningWith(word)).toEqual([])
  })

  test('one that goes on as another again and again is caught', async () => {
    const word = randomUUID()
    // Should it escape, it ends with the directory.
    await bench.put('going', '')
    const chase = `test -e going && setsid bash -c "$CHASE" ${word} &`
    const result = await run({ command: `export CHASE='${chase}'; setsid bash -c "$CHASE" ${word} & sleep 0.1` })
    expect(codesOf(result)).toEqual(['left-processes'])
    for (let look = 0; look < 10; look++) {
      await wait(5)
      expect(await runningWith(word)).toEqual([])
    }
  })

  test('who holds its output and cannot be found is not waited for', async () => {
    const pipes = () => process.getActiveResourcesInfo().filter((name) => name === 'PipeWrap').length
    const before = pipes()
    // Lost from sight only when it is what it is to be, in a session of its own.
    const isLost = 'test "$(cat /proc/$pid/comm)" = sleep'
    const command = `(env -i setsid sleep 300 & echo $! > lost); pid=$(cat lost); until ${isLost}; do :; done; echo $pid`
    const result = await run({ command })
    expect(pipes()).toBe(before)
    expect(await isRunning((result.stdout ?? '').trim())).toBe(true)
    process.kill(Number(result.stdout), 'SIGKILL')
    expect(result).toMatchObject({ ok: true, exit: 0 })
  })

  test('nobody else is touched, not even another command', async () => {
    const stranger = spawn('sleep', ['30'], { env: { ...process.env, MARU_COMMAND: 'another' }, detached: true })
    const other = bench.call('RunCommand', { command: 'sleep 0.5; echo alive' })
    await run({ command: `${daemon('mine')}; sleep 0.1` })
    expect(await isRunning(String(stranger.pid))).toBe(true)
    stranger.kill('SIGKILL')
    expect(await other).toEqual({ ok: true, exit: 0, stdout: 'alive\n' })
  })

  test('a command inside a command belongs to both', async () => {
    const inner = await openBench({ ...process.env, MARU_COMMAND: 'outer' })
    const { stdout } = await inner.call('RunCommand', { command: 'echo $MARU_COMMAND' })
    expect(stdout).toMatch(/^outer [0-9a-f]{24}\n$/)
    await inner.dispose()
  })
})
