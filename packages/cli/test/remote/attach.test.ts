import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { api, Recorded } from '@maru/protocol'
import { type ScriptFunction, startScriptedModel } from '@maru/scripted-model'
import { createTextStyle } from '@maru/terminal'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { inDoor } from '../../src/agent/in-door.ts'
import { createPlainDoor } from '../../src/agent/plain-door.ts'
import { runConversation } from '../../src/agent/run-conversation.ts'
import { runSlashAt } from '../../src/agent/slash-door.ts'
import { textOf } from '../../src/agent/words-lines.ts'
import { attachTo } from '../../src/remote/attach/attached.ts'
import { createAttaching } from '../../src/remote/attach/run-attach.ts'
import { openLink } from '../../src/remote/open-link.ts'
import { openCuttable } from './cuttable.ts'
import { createEar, type House, openHouse, until } from './house.ts'

const slowly = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ')
let talkNow = () => {}
const mayTalk = new Promise<void>((resolve) => {
  talkNow = resolve
})
// By what was said: the tests must not depend on their order.
const script: ScriptFunction = async ({ view }) => {
  const said = view.texts.join('\n')
  if (view.toolResults.length > 0) return { reply: [{ text: 'It is touched.' }] }
  if (said.includes('touch it')) return { reply: [{ call: 'RunCommand', args: { command: 'touch touched' } }] }
  if (said.includes('talk slowly')) {
    // Not before there is somebody to hear it.
    await mayTalk
    return { reply: [{ text: slowly }], delivery: { deltaSize: 4, deltaDelayMs: 15 } }
  }
  return { reply: [{ text: '강릉해안도로를 달리십시오.' }] }
}

let house: House
let server: Awaited<ReturnType<House['serve']>>['server']
let line: Awaited<ReturnType<typeof openCuttable>>

beforeAll(async () => {
  house = await openHouse(script)
  line = await openCuttable()
  server = (await house.serve('--allow-host', new URL(line.url).host)).server
  line.lead(server.url)
})
afterAll(async () => {
  line.close()
  await house.close()
})

/** A session that the server itself runs. */
async function start(input: string): Promise<api.Session> {
  const response = await fetch(`${server.url}/api/v1/sessions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ repo: house.repo, input }),
  })
  expect(response.status).toBeLessThan(300)
  return (await response.json()) as api.Session
}

async function openAttached(id: string, url = server.url) {
  const invocation = await house.invocation()
  const link = await openLink({ url, token: server.token }, { invocation })
  const ear = createEar()
  const gone: string[] = []
  const onGone = () => void gone.push('gone')
  const conversation = await attachTo({ invocation, link, events: ear.events, isEchoed: true, onGone }, id)
  onTestFinished(() => conversation.close())
  return { conversation, ear, link, gone }
}

const main = join(import.meta.dirname, '../../src/main.ts')

function maru(args: readonly string[]) {
  const env = { ...house.env, MARU_HOME: house.home, TERM: 'dumb' } as NodeJS.ProcessEnv
  const child = spawn(process.execPath, ['--import', 'tsx', main, '--repo', house.repo, ...args], {
    env,
    stdio: 'pipe',
  })
  const heard = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (more) => (heard[name] += String(more)))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, heard, ended }
}

test('another process takes part: it reads what was said, approves, speaks, and ends when all is done', async () => {
  const { id } = await start('touch it')
  const { child, heard, ended } = maru(['attach', id])
  await until(
    () => heard.stdout.includes('touch touched'),
    () => JSON.stringify(heard),
  )
  child.stdin.write('y\n')
  await until(
    () => heard.stdout.includes('It is touched.'),
    () => JSON.stringify(heard),
  )
  child.stdin.end()
  expect(await ended).toBe(0)
  expect(heard.stdout).toContain('touch it')
  expect(heard.stdout).toContain(`maru attach ${id.slice(0, 8)}`)
})

test('a line that is cut in the middle of a turn is mended without a hole', async () => {
  const { id } = await start('talk slowly')
  const there = await openAttached(id, line.url)
  const steady = await openAttached(id)
  talkNow()
  await until(() => there.ear.live.length > 3)
  line.cut()
  await until(() => !there.link.connection.isUp)
  line.mend()
  await there.ear.fact('run-end')
  await steady.ear.fact('run-end')
  const records = (ear: typeof there.ear) => ear.facts.map(({ record }) => record)
  expect(records(there.ear)).toEqual(records(steady.ear))
  expect(records(there.ear).map(({ seq }) => seq)).toEqual(records(there.ear).map((_, at) => at + 1))
  let heard = ''
  for (const event of there.ear.live) {
    if (event.type !== 'text-delta') continue
    expect(event.offset).toBeLessThanOrEqual(heard.length)
    heard = heard.slice(0, event.offset) + event.text
  }
  expect(slowly.startsWith(heard)).toBe(true)
})

test('the door says when the line is cut and when it is mended; words said meanwhile arrive once', async () => {
  const { id } = await start('해안도로 하나')
  const invocation = await house.invocation()
  const link = await openLink({ url: line.url, token: server.token }, { invocation })
  let text = ''
  const door = createPlainDoor({
    write: (more) => (text += more),
    columns: () => 80,
    style: createTextStyle(false),
    lang: 'en',
    isVerbose: false,
    now: Date.now,
    command: (words) => runSlashAt(words, { invocation: place, door }),
  })
  const place = inDoor(invocation, door)
  const { elsewhere } = createAttaching(link, { id, isEchoed: true, t: invocation.t })
  const ended = runConversation(door, place, { hasTools: true, words: '', elsewhere })
  const seen = (wanted: string) =>
    until(
      () => text.includes(wanted),
      () => text,
    )
  await seen('강릉해안도로')
  line.cut()
  await seen('is cut; trying again')
  door.line('해안도로 둘')
  line.mend()
  await seen('connected again')
  const other = await openAttached(id)
  await other.ear.fact('run-end', 1)
  const said = other.ear.facts.flatMap(({ record }) => (record.type === 'input-admit' ? [textOf(record.parts)] : []))
  expect(said).toEqual(['해안도로 하나', '해안도로 둘'])
  // What is said elsewhere is told, and by whom.
  await other.conversation.say('해안도로 셋', 'queue')
  await seen('(terminal): 해안도로 셋')
  door.line('/diff')
  await seen('has changed nothing')
  door.line('/compact')
  await seen('/compact is for whoever runs the session')
  door.leave()
  expect(await ended).toBe(0)
  expect(text).toContain('come back to it: maru attach')
})

test('with --json every fact is a line, once and in order, until somebody stops it', async () => {
  const { id } = await start('해안도로')
  const stop = new AbortController()
  const heard = { stdout: '', stderr: '' }
  const ended = house.run(['attach', id, '--json'], { signal: stop.signal, heard })
  await until(
    () => heard.stdout.includes('"run-end"'),
    () => JSON.stringify(heard),
  )
  stop.abort()
  expect((await ended).code).toBe(130)
  const { ear } = await openAttached(id)
  const lines = heard.stdout
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as Recorded)
  expect(lines.filter((record) => 'seq' in record)).toEqual(ear.facts.map(({ record }) => record))
})

test('what cannot be attached to is said in clear words', async () => {
  const unknown = await house.run(['attach', 'nobody'])
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('has no session nobody') })
  const file = join(house.home, 'wrong.token')
  writeFileSync(file, 'maru_wrong\n')
  const refused = await house.run(['attach', 'nobody', '--token-file', file, '--json'])
  expect(refused.code).toBe(2)
  expect(JSON.parse(refused.stdout)).toMatchObject({ type: 'error', code: 'unauthorised' })
  const elsewhere = await house.run(['attach', 'nobody', '--url', 'http://127.0.0.1:9'])
  expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('a token is needed') })
  const inUrl = await house.run(['attach', 'nobody', '--url', `${server.url}/?token=x`])
  expect(inUrl).toMatchObject({ code: 2, stderr: expect.stringContaining('no address of a server') })
  const nobody = await house.run(['attach'])
  expect(nobody).toMatchObject({ code: 2, stderr: expect.stringContaining('write its ID') })
})

test('a session that is erased while somebody looks is said to be gone', async () => {
  const { id } = await start('해안도로')
  const { ear, gone } = await openAttached(id)
  await ear.fact('run-end')
  expect((await house.run(['sessions', 'delete', id, '--yes'])).code).toBe(0)
  await until(() => gone.length > 0)
})

test('commands that need the history ask the server, and say the same as without one', async () => {
  const { id } = await start('어디로 갈까요? 해안도로')
  const { ear } = await openAttached(id)
  await ear.fact('run-end')
  const search = await house.run(['search', '해안', '--json'])
  const hits = search.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as api.Hit)
  expect(hits.map(({ conversation, role }) => [conversation, role])).toEqual(
    expect.arrayContaining([
      [id, 'user'],
      [id, 'assistant'],
    ]),
  )
  expect((await house.run(['search', '해안'])).stdout).toContain('어디로 갈까요?')
  expect((await house.run(['search', '해안', '--role', 'user', '--json', '--limit', '1'])).stdout).toContain('"user"')
  const { sessions } = JSON.parse((await house.run(['sessions', 'list', '--json'])).stdout) as {
    sessions: { id: string; name: string; turns: number }[]
  }
  expect(sessions).toContainEqual(expect.objectContaining({ id, name: '어디로 갈까요? 해안도로', turns: 1 }))
  const shown = JSON.parse((await house.run(['sessions', 'show', id, '--json'])).stdout) as { file: string }
  expect(shown.file).toBe(`${server.url}/api/v1/conversations/${id}`)
  const exported = await house.run(['sessions', 'export', id, '--format', 'jsonl'])
  const lines = exported.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
  expect(lines).toEqual(ear.facts.map(({ record }) => record))
  const fork = JSON.parse((await house.run(['sessions', 'fork', id, '--json'])).stdout) as {
    id: string
    forkOf: object
  }
  expect(fork.forkOf).toMatchObject({ id })
  expect((await house.run(['sessions', 'show', fork.id])).code).toBe(0)
  expect((await house.run(['sessions', 'delete', fork.id, '--yes'])).stdout).toContain('1')
  expect((await house.run(['sessions', 'show', fork.id])).code).toBe(2)
})

test('a file is read into the history by the server, and what it cannot do is said', async () => {
  const file = join(house.repo, 'faq.csv')
  writeFileSync(file, 'timestamp,prompt,response\n2026-01-02T03:04:05Z,바닷길은 어디입니까?,해변으로 가십시오\n')
  const done = await house.run(['import', file])
  expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('1 new') })
  expect((await house.run(['import', file])).stdout).toContain('1 unchanged')
  expect((await house.run(['search', '바닷길'])).stdout).toContain('바닷길')
  expect(await house.run(['import', file, '--dry-run'])).toMatchObject({ code: 2 })
  expect(await house.run(['db', 'status'])).toMatchObject({ code: 0, stdout: expect.stringContaining(server.url) })
  const dump = await house.run(['db', 'dump', '-'])
  expect(dump).toMatchObject({ code: 1, stderr: expect.stringContaining('held by the server') })
})

test('`maru run` stays in its file, where a server runs or not', async () => {
  const model = await startScriptedModel({ script: [{ reply: [{ text: 'Local.' }] }] })
  onTestFinished(() => model.close())
  const env = { ...house.env, ANTHROPIC_BASE_URL: model.url }
  const { code, stdout } = await house.run(['run', 'hello', '--json'], { env })
  expect(code).toBe(0)
  const { session } = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as { session: string }
  expect((await house.run(['sessions', 'show', session, '--json'])).stdout).toContain(`${session}.jsonl`)
})

test('what is under way is not taken back, in words of this program', async () => {
  const { id } = await start('touch it')
  const { conversation, ear, link } = await openAttached(id)
  const ask = await ear.fact('approval-ask')
  await expect(link.undo(id, 'any')).rejects.toMatchObject({ code: 'busy', message: expect.stringContaining('Esc') })
  await conversation.approve(ask, { option: 'deny' })
  await ear.fact('run-end')
})
