import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@maru/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTools } from '../../src/index.ts'
import { createSandbox } from '../../src/sandbox/create-sandbox.ts'
import { probeSandbox } from '../../src/sandbox/probe-sandbox.ts'
import type { SandboxNotice } from '../../src/sandbox/sandbox.ts'
import { trySandbox } from '../../src/sandbox/try-sandbox.ts'
import { codesOf, contextOf } from '../bench-of-tools.ts'
import { whyNoSandbox } from './held.ts'

const missing = await whyNoSandbox()
let place: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  place = await temporaryDirectory()
})
afterAll(() => place.dispose())

describe('without a bubblewrap of the system', () => {
  test('there is none, said once, and a command is run as it would be anyway', async () => {
    const state = await probeSandbox({
      roots: [],
      maruHome: join(place.path, 'a'),
      directories: [join(place.path, 'none')],
    })
    expect(state).toEqual({ level: 'none', reason: 'missing' })
    const notices: SandboxNotice[] = []
    const onNotice = (notice: SandboxNotice) => void notices.push(notice)
    // Everything is writable there: nothing could be held.
    const sandbox = createSandbox({
      roots: ['/'],
      home: '/',
      maruHome: join(place.path, 'a'),
      environment: {},
      onNotice,
    })
    expect(await sandbox.holds()).toBe(false)
    const command = { program: '/bin/true', argv: [], cwd: '/', env: {}, hosts: [] }
    expect(await sandbox.confine(command)).toEqual({ kind: 'none' })
    expect(await sandbox.holds()).toBe(false)
    expect(notices).toEqual([{ kind: 'none', state: { level: 'none', reason: 'root-too-wide' } }])
    await sandbox.close()
  })
})

describe('what the probe finds', () => {
  beforeEach((context) => {
    if (missing !== undefined) context.skip(missing)
  })

  test('is remembered for this start of the machine, for us alone, and asked again for another', async () => {
    const maruHome = join(place.path, 'b')
    const state = await probeSandbox({ roots: [], maruHome })
    expect(state.level).toBe('full')
    const file = join(maruHome, 'sandbox.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const memory = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...memory, level: 'shared-proc' }))
    expect((await probeSandbox({ roots: [], maruHome })).level).toBe('shared-proc')
    expect((await probeSandbox({ roots: [], maruHome, isFresh: true })).level).toBe('full')
    writeFileSync(file, JSON.stringify({ ...memory, key: 'another', level: 'shared-proc' }))
    expect((await probeSandbox({ roots: [], maruHome })).level).toBe('full')
    writeFileSync(file, '{"key":')
    expect((await probeSandbox({ roots: [], maruHome })).level).toBe('full')
  })

  test('a sandbox that fails at its work runs nothing, is looked at anew, and works again', async () => {
    const root = join(place.path, 'repo')
    mkdirSync(root)
    const sandbox = createSandbox({ roots: [root], home: place.path, maruHome: join(place.path, 'c'), environment: {} })
    const tools = createTools({ root, environment: process.env, sandbox })
    const run = async (command: string) => {
      const tool = tools.list().find(({ spec }) => spec.name === 'RunCommand')
      const result = await (await tool?.prepare({ command }, contextOf()))?.run(contextOf())
      if (!result) throw new Error('no result')
      return result
    }
    expect((await run('echo one')).stdout).toBe('one\n')
    // A root that is gone cannot be mounted.
    const { renameSync } = await import('node:fs')
    const confine = await sandbox.confine({ program: '/bin/true', argv: [], cwd: root, env: {}, hosts: ['*'] })
    expect(confine.kind).toBe('confined')
    if (confine.kind === 'confined') {
      expect(await confine.settle({ isForced: false })).toMatchObject({ exit: 'never-started' })
    }
    expect(existsSync(join(place.path, 'c/sandbox.json'))).toBe(false)
    expect((await run('echo two')).stdout).toBe('two\n')
    renameSync(root, `${root}-gone`)
    const failed = await run('echo three > made')
    expect([failed.ok, codesOf(failed).length]).toEqual([false, 1])
    await tools.close()
    await sandbox.close()
  })

  test('without a /proc of its own, commands are held all the same', async () => {
    const [root, maruHome] = [join(place.path, 'shared'), join(place.path, 'd')]
    mkdirSync(root)
    await probeSandbox({ roots: [], maruHome })
    const file = join(maruHome, 'sandbox.json')
    writeFileSync(file, readFileSync(file, 'utf8').replace('"full"', '"shared-proc"'))
    const sandbox = createSandbox({ roots: [root], home: place.path, maruHome, environment: {} })
    const tools = createTools({ root, environment: process.env, sandbox })
    const tool = tools.list().find(({ spec }) => spec.name === 'RunCommand')
    const command = `cat /proc/${process.pid}/environ; echo x > /proc/sys/kernel/hostname; kill -9 ${process.pid}; echo ok > made; cat made`
    const result = await (await tool?.prepare({ command }, contextOf()))?.run(contextOf())
    expect([(await sandbox.state()).level, result?.stdout]).toEqual(['shared-proc', 'ok\n'])
    await tools.close()
    await sandbox.close()
  })

  test('trying to break it shows that it holds, and leaves nothing', async () => {
    const trial = await trySandbox(place.path)
    expect(trial.state.level).toBe('full')
    expect(trial.kept.filter(({ isKept }) => !isKept)).toEqual([])
    expect(trial.kept).toHaveLength(6)
  })
})
