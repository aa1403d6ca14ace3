import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { Json, ToolContext, ToolResult } from '@maru/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Background, createBackground } from '../../src/command/background.ts'
import { createCommandOutput } from '../../src/command/command-output.ts'
import { createRunCommand } from '../../src/run-command.ts'
import { createWorkspace } from '../../src/workspace.ts'
import { type Bench, codesOf, contextOf, openBench } from '../bench-of-tools.ts'
import { isRunning } from './processes.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.dispose())

const start = (command: string, more: { [name: string]: Json } = {}) =>
  bench.call('RunCommand', { command, background: true, ...more })
const read = (args: Json) => bench.call('CommandOutput', args)
const dataOf = (result: ToolResult) => result.data as { id: string; state: string; seconds: number; next: number }

/** What it has said, or else what it says next: a slow machine may need longer than a first look. */
async function withWords(told: ToolResult): Promise<ToolResult> {
  let now = told
  while (now.stdout === undefined && dataOf(now).state === 'running') now = await read({ id: dataOf(now).id })
  return now
}

/** A first look at a command that lasts until it ends, however slow the machine is. */
function patient(background: Background): Background {
  return {
    ...background,
    add(running, output) {
      const command = background.add(running, output)
      const { news } = command
      return Object.assign(command, {
        news: (offset: number, _ms: number, signal: AbortSignal) => news(offset, 60_000, signal),
      })
    },
  }
}

/** The tools over commands that are known to the test. */
function toolsOver(background: Background) {
  const { root } = bench
  const place = { workspace: createWorkspace(root), root, environment: process.env }
  const tools = { run: createRunCommand({ ...place, background }), output: createCommandOutput(background) }
  return async (name: keyof typeof tools, args: Json, context?: Partial<ToolContext>) =>
    (await tools[name].prepare(args, contextOf(context))).run(contextOf(context))
}

const SERVER = `
  const server = require('node:http').createServer((request, response) => {
    console.log('asked for', request.url)
    response.end('hello from the background')
  })
  server.listen(0, '127.0.0.1', () => console.log('port', server.address().port))
`

describe('a command in the background', () => {
  test('is a server that can be used, read and stopped', async () => {
    await bench.put('server.cjs', SERVER)
    const started = await start(`exec '${process.execPath}' server.cjs`)
    expect(started.ok).toBe(true)
    expect(dataOf(started)).toMatchObject({ id: 'bg1', state: 'running' })
    const { stdout: said = '' } = await withWords(started)
    const port = Number(/port (\d+)/.exec(said)?.[1])

    expect(await ask(port)).toContain('hello from the background')
    const answered = await withWords(await read({ id: 'bg1' }))
    expect(answered).toMatchObject({ ok: true, stdout: 'asked for /a\n' })
    expect(dataOf(answered).state).toBe('running')

    const stopped = await read({ id: 'bg1', stop: true })
    expect(dataOf(stopped)).toMatchObject({ id: 'bg1', state: 'stopped' })
    await expect(ask(port)).rejects.toThrow('ECONNREFUSED')
    expect(await read({ id: 'bg1', stop: true })).toEqual(stopped)
  })

  test('says what it is before it starts, and reading touches nothing', async () => {
    const prepared = await bench.prepare('RunCommand', { command: 'npm start', background: true })
    expect(prepared.preview).toEqual({ kind: 'command', command: 'npm start &', cwd: '.' })
    const waiting = await bench.prepare('RunCommand', { command: 'npm start' })
    expect(prepared.basis).not.toEqual(waiting.basis)
    expect((await bench.prepare('CommandOutput', { id: 'bg1', stop: true })).access).toEqual([])
  })

  test('gives what is new since the last time, or since an offset', async () => {
    const step = (n: number) => `until test -e go${n}; do sleep 0.01; done; echo 줄 ${n};`
    const first = await withWords(await start(`echo 줄 0; ${step(1)} ${step(2)} exit 3`))
    expect(first.stdout).toBe('줄 0\n')
    await bench.put('go1', '')
    const second = await withWords(await read({ id: 'bg1' }))
    expect(second).toMatchObject({ ok: true, stdout: '줄 1\n' })
    await bench.put('go2', '')
    let third = await withWords(await read({ id: 'bg1' }))
    const words = third.stdout
    while (dataOf(third).state === 'running') third = await read({ id: 'bg1' })
    expect(words).toBe('줄 2\n')
    expect(third).toMatchObject({ ok: true, exit: 3, data: { id: 'bg1', state: 'ended with exit code 3' } })

    expect((await read({ id: 'bg1' })).stdout).toBe(undefined)
    expect((await read({ id: 'bg1', since: dataOf(first).next })).stdout).toBe('줄 1\n줄 2\n')
    expect((await read({ id: 'bg1', since: 0 })).stdout).toBe('줄 0\n줄 1\n줄 2\n')
    expect(codesOf(await read({ id: 'bg1', since: 1_000 }))).toEqual(['bad-arguments'])
  })

  test('is not waited for, and a line without an end is shown', async () => {
    const result = await start('printf "Continue? "; sleep 300')
    expect(dataOf(result).state).toBe('running')
    expect((await withWords(result)).stdout).toBe('Continue? ')
  })

  test('that ends at once is told like any other', async () => {
    const call = toolsOver(patient(createBackground()))
    const result = await call('run', { command: 'echo out; echo err >&2; exit 3', background: true })
    expect(result).toMatchObject({ ok: false, exit: 3, stdout: 'out\n', stderr: 'err\n' })
    expect(dataOf(result)).toMatchObject({ id: 'bg1', state: 'ended with exit code 3' })
    const left = await call('run', { command: 'sleep 300 & echo $!', background: true })
    expect(codesOf(left)).toEqual(['left-processes'])
    expect(await isRunning((left.stdout ?? '').trim())).toBe(false)
  })

  test('ends with its whole tree when it is stopped, and when the tools are closed', async () => {
    const tree = (file: string) =>
      `echo $$ >> ${file}; setsid sleep 300 & echo $! >> ${file}; sleep 300 & echo $! >> ${file}; echo up; wait`
    await withWords(await start(`trap '' TERM; ${tree('first')}`))
    await withWords(await start(tree('second')))
    await read({ id: 'bg1', stop: true })
    for (const pid of await pidsIn('first')) expect(await isRunning(pid)).toBe(false)
    for (const pid of await pidsIn('second')) expect(await isRunning(pid)).toBe(true)
    const pids = await pidsIn('second')
    await bench.dispose()
    for (const pid of pids) expect(await isRunning(pid)).toBe(false)
  })

  test('runs as long as it likes, or up to its own timeout', async () => {
    await start('sleep 300', { timeoutSec: 1 })
    let result = await read({ id: 'bg1' })
    while (dataOf(result).state === 'running') result = await read({ id: 'bg1' })
    expect(dataOf(result).state).toBe('ended at its timeoutSec')
  })

  test('is ended when the user stops the call that starts it, and not later', async () => {
    const controller = new AbortController()
    const call = toolsOver(patient(createBackground()))
    const starting = call(
      'run',
      { command: 'echo $$ > pid; exec sleep 300', background: true },
      { signal: controller.signal },
    )
    while ((await readFile(join(bench.root, 'pid'), 'utf8').catch(() => '')) === '');
    controller.abort()
    expect(codesOf(await starting)).toEqual(['interrupted'])
    expect(await isRunning((await pidsIn('pid'))[0] ?? '')).toBe(false)

    const later = new AbortController()
    await bench.call('RunCommand', { command: 'sleep 300', background: true }, { signal: later.signal })
    later.abort()
    expect(dataOf(await bench.call('CommandOutput', { id: 'bg1' }, { signal: later.signal })).state).toBe('running')
  })

  test('there may be many, but not without end', async () => {
    const background = createBackground()
    const [untilEnd, call] = [toolsOver(patient(background)), toolsOver(background)]
    for (let n = 1; n <= 16; n++) await untilEnd('run', { command: 'exit 0', background: true })
    expect(codesOf(await call('run', { command: 'sleep 300', background: true }))).toEqual([])
    expect(codesOf(await call('output', { id: 'bg1' }))).toEqual(['no-command'])
    expect(dataOf(await call('output', { id: 'bg2' })).state).toBe('ended with exit code 0')
    await background.close()
  })

  test('what was never started is not there', async () => {
    const result = await read({ id: 'bg7' })
    expect(codesOf(result)).toEqual(['no-command'])
    expect(codesOf(await read({}))).toEqual(['bad-arguments'])
  })
})

async function pidsIn(file: string): Promise<string[]> {
  const pids = (await readFile(join(bench.root, file), 'utf8')).trim().split('\n')
  expect(pids.length).toBeGreaterThan(0)
  return pids
}

async function ask(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.end('GET /a HTTP/1.0\r\n\r\n')
  let text = ''
  for await (const chunk of socket) text += chunk
  return text
}
