import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codesOf } from '../bench-of-tools.ts'
import { runningWith } from '../command/processes.ts'
import { type Held, makeRepository, openHeld, USERS, whyNoSandbox } from './held.ts'

const missing = await whyNoSandbox()
const packages = join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), '..')

describe.each(USERS)('in the sandbox, run by %s,', (user) => {
  let held: Held
  beforeAll(async () => {
    if (missing !== undefined) return
    held = await openHeld(user)
    makeRepository(held, user)
  })
  beforeEach((context) => {
    if (missing !== undefined) context.skip(missing)
  })
  afterAll(() => held?.dispose())

  test('a command ends as it does outside', async () => {
    expect(await held.run('echo out; echo err >&2; exit 3')).toEqual({
      ok: false,
      exit: 3,
      stdout: 'out\n',
      stderr: 'err\n',
    })
    expect(await held.call('RunCommand', { exe: 'printf', args: ['%s|', 'a b', '$HOME'] })).toEqual({
      ok: true,
      exit: 0,
      stdout: 'a b|$HOME|',
    })
    expect((await held.run('no-such-program')).exit).toBe(127)
    expect((await held.run('./a.txt')).exit).toBe(126)
    const killed = await held.run('kill -SEGV $$')
    expect([killed.exit, killed.stderr, codesOf(killed)]).toEqual([139, undefined, ['killed']])
  })

  test.each([
    ['a program that is not there', { exe: 'no-such-program' }, 'no-program'],
    ['a program that is none', { exe: './a.txt' }, 'not-started'],
    ['a line that is too long', { command: `: ${'x'.repeat(300_000)}` }, 'too-long'],
    ['a directory that is not there', { command: 'ls', cwd: 'nope' }, 'not-found'],
    ['a program with the name of a word of the shell', { exe: 'exit' }, 'no-program'],
  ])('what cannot be started is told as outside: %s', async (_, args, code) => {
    const result = await held.call('RunCommand', args)
    expect([result.ok, codesOf(result)]).toEqual([false, [code]])
  })

  test('it is where it was sent, without input, a terminal or open files of ours', async () => {
    held.put('deep/down/x', '')
    const command = 'pwd; cat; for n in 3 4 5; do test -e /dev/fd/$n && echo $n; done; test -t 0 || echo none'
    const { stdout } = await held.call('RunCommand', { command, cwd: 'deep/down' })
    expect(stdout).toBe(`${join(held.root, 'deep/down')}\nnone\n`)
  })

  test('a file in /tmp is there for the next command, and for nobody else', async () => {
    await held.run('echo kept > /tmp/maru-note; echo $TMPDIR')
    expect(await held.run('cat /tmp/maru-note $TMPDIR/maru-note')).toMatchObject({ stdout: 'kept\nkept\n' })
    expect(existsSync('/tmp/maru-note')).toBe(false)
    await held.run('printf "#!/bin/sh\\necho ran\\n" > /tmp/script; chmod +x /tmp/script')
    expect(await held.call('RunCommand', { exe: '/tmp/script' })).toMatchObject({ stdout: 'ran\n' })
  })

  test('what it writes belongs to the user who runs Maru', async () => {
    await held.run('mkdir -p made/by && echo x > made/by/command')
    const owner = execFileSync('stat', ['-c', '%u %g', join(held.root, 'made/by/command')], { encoding: 'utf8' })
    expect(owner).toBe(user === 'nobody' ? '65534 65534\n' : `${process.getuid?.()} ${process.getgid?.()}\n`)
    expect((await held.run('id -u; whoami')).stdout).not.toMatch(/^0$|root/m)
  })

  test('at the timeout and at an interrupt the whole tree ends', async () => {
    const word = `3602.${Math.random().toString().slice(2, 12)}`
    const line = `trap '' TERM; (setsid sleep ${word} &); sleep ${word} & echo started; wait`
    // Time enough for a slow machine to set the sandbox up.
    const late = await held.call('RunCommand', { command: line, timeoutSec: 5 })
    expect([codesOf(late), late.stdout]).toEqual([['timeout'], 'started\n'])
    expect(await runningWith(word)).toEqual([])
    const stopped = await held.run(line, { interrupt: true })
    expect([codesOf(stopped), stopped.stdout]).toEqual([['interrupted'], 'started\n'])
    expect(await runningWith(word)).toEqual([])
  })

  test('who is told to end has its time to do so', async () => {
    const line = "trap 'sleep 0.2; echo bye; exit 0' TERM; echo ready; while :; do sleep 0.02; done"
    const { stdout } = await held.run(line, { interrupt: true })
    expect(stdout).toBe('ready\nbye\n')
  })

  test('git commits, branches, stashes, and makes repositories and worktrees', async () => {
    const line = [
      'echo b > b.txt && git add b.txt && git commit -qm second',
      'git checkout -qb other && echo c > c.txt && git add -A && git commit -qm third',
      'git checkout -q main && git merge -q --no-edit other && echo d >> b.txt && git stash -q && git stash pop -q',
      'git tag v1 && git gc -q && git log --oneline | wc -l',
    ].join(' && ')
    expect(await held.run(line)).toMatchObject({ ok: true, stdout: '3\n' })
    const more = await held.run('git worktree add -q -b other2 tree && git init -q fresh && ls -d tree/.git fresh/.git')
    expect(more).toMatchObject({ ok: true, stdout: 'fresh/.git\ntree/.git\n' })
    expect(
      (await held.run('cd tree && echo t > t && git add t && git commit -qm t && git log --oneline | wc -l')).stdout,
    ).toBe('4\n')
    await held.run('git worktree remove --force tree; rm -rf fresh')
  })

  test('npm test runs', async () => {
    held.put('package.json', JSON.stringify({ name: 'sample', version: '1.0.0', scripts: { test: 'node --test' } }))
    held.put('sum.test.js', "require('node:test')('sum', () => { if (1 + 1 !== 2) throw new Error() })\n")
    const result = await held.run('npm test')
    expect([result.ok, result.stdout]).toEqual([true, expect.stringMatching(/pass 1/)])
    const tests = await held.call('RunTests', {})
    expect([tests.ok, tests.data]).toEqual([true, expect.objectContaining({ passed: 1, failed: 0 })])
  }, 180_000)

  test('tsc compiles', async () => {
    held.put('src/index.ts', 'export const one: number = 1\n')
    held.put('node_modules/.keep', '')
    // As in any project: where this repository lies, a command may not look.
    for (const name of ['typescript', '@typescript']) {
      execFileSync('cp', ['-r', '--no-preserve=ownership', join(packages, name), join(held.root, 'node_modules/')])
    }
    execFileSync('chmod', ['-R', 'a+rX', join(held.root, 'node_modules')])
    const line = 'node node_modules/typescript/bin/tsc --outDir out --declaration src/index.ts && cat out/index.d.ts'
    expect(await held.run(line)).toMatchObject({ ok: true, stdout: 'export declare const one: number;\n' })
  }, 180_000)

  test('a server in the background is reached by the next command, and gone after its end', async () => {
    held.put(
      'server.js',
      "require('http').createServer((q, a) => a.end('served')).listen(8123, () => console.log('up'))\n",
    )
    const started = await held.call('RunCommand', { command: 'node server.js', background: true })
    const { id } = started.data as { id: string }
    const client = `node -e "fetch('http://localhost:8123').then((r) => r.text()).then(console.log)"`
    expect(await held.run(`until ${client} 2>/dev/null; do sleep 0.1; done`)).toMatchObject({ stdout: 'served\n' })
    const stopped = await held.call('CommandOutput', { id, stop: true })
    expect(stopped.data).toMatchObject({ state: 'stopped' })
    expect((await held.run(client)).ok).toBe(false)
  }, 180_000)

  describe('with a server outside', () => {
    let server: Server
    let port = 0
    beforeAll(async () => {
      server = createServer((asked, answer) => answer.end(`reached ${asked.headers.host}`))
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      port = (server.address() as AddressInfo).port
    })
    afterAll(() => server?.close())
    const curl = (address: string) => `curl -s -S -m 10 --noproxy '' ${address}`

    test('a host that is allowed is reached through the proxy, and no other', async () => {
      const permit = { isConfined: true, hosts: [`127.0.0.1:${port}`] }
      expect(await held.run(curl(`http://127.0.0.1:${port}/`), { permit })).toMatchObject({
        ok: true,
        stdout: `reached 127.0.0.1:${port}`,
      })
      const tunnelled = await held.run(`${curl(`http://127.0.0.1:${port}/`)} --proxytunnel`, { permit })
      expect(tunnelled.stdout).toBe(`reached 127.0.0.1:${port}`)
      const other = await held.run(`${curl('http://example.com/')} -f; ${curl('https://example.org/')}`, { permit })
      expect([other.ok, codesOf(other)]).toEqual([false, ['network-refused']])
      expect(other.diagnostics?.[0]?.message).toMatch(/example\.com.*example\.org:443/)
      // Only through the proxy: there is nothing else in its network.
      const around = await held.run(`curl -s --noproxy '*' -m 3 http://127.0.0.1:${port}/`, { permit })
      expect(around.ok).toBe(false)
      expect(await held.run('exit 5', { permit })).toMatchObject({ exit: 5 })
      expect((await held.run('kill -9 $$', { permit })).exit).toBe(137)
    }, 180_000)

    test('without a host nobody is reached, and with all of them anybody', async () => {
      const address = `http://127.0.0.1:${port}/`
      expect((await held.run(curl(address), { permit: { isConfined: true, hosts: [] } })).ok).toBe(false)
      const all = await held.run(curl(address), { permit: { isConfined: true, hosts: ['*'] } })
      expect(all.stdout).toBe(`reached 127.0.0.1:${port}`)
      const inside = await held.run(`echo x > ${held.base}/outside.txt`, { permit: { isConfined: true, hosts: ['*'] } })
      expect(inside.ok).toBe(false)
      expect(readFileSync(join(held.base, 'outside.txt'), 'utf8')).toBe('as it was\n')
    })
  })

  test('when Maru is killed, nothing lives on', async () => {
    const other = await openHeld(user)
    const word = `3603.${Math.random().toString().slice(2, 12)}`
    await other.call('RunCommand', { command: `setsid env -i sleep ${word} & sleep ${word}`, background: true })
    // A slow machine may need longer than a first look.
    await expect.poll(() => runningWith(word), { timeout: 60_000 }).toHaveLength(2)
    other.process.kill('SIGKILL')
    await other.dispose()
    await expect.poll(() => runningWith(word), { timeout: 50_000 }).toEqual([])
  })
})
