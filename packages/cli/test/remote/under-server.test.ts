import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Recorded } from '@maru/protocol'
import { type Script, startScriptedModel } from '@maru/scripted-model'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { openConversation } from '../../src/agent/conversation.ts'
import { attachTo } from '../../src/remote/attach/attached.ts'
import { openLink } from '../../src/remote/open-link.ts'
import { serverSource } from '../../src/remote/source.ts'
import { createEar, type Ear, type House, openHouse, until } from './house.ts'

let house: House
let server: Awaited<ReturnType<House['serve']>>

const command = (line: string) => ({ reply: [{ call: 'RunCommand', args: { command: line } }] })
const answer = (text: string) => ({ reply: [{ text }] })

beforeAll(async () => {
  house = await openHouse([answer('In a file.'), answer('In a file.')])
  server = await house.serve()
})
afterAll(() => house.close())

interface TerminalWish {
  graceMs?: number
  resume?: string
  continue?: boolean
  /** Between two pieces of what the model says. */
  sleep?: (ms: number) => Promise<void>
}

/** The terminal that runs the agent, under the server's log. */
async function openTerminal(script: Script, { graceMs = 60_000, sleep, ...wish }: TerminalWish = {}) {
  const model = await startScriptedModel({ script, ...(sleep && { sleep }) })
  onTestFinished(() => model.close())
  const invocation = await house.invocation([], model.url)
  const ear = createEar()
  const source = serverSource(server.server, { graceMs })
  const conversation = await openConversation(invocation, { hasTools: true, ...wish }, ear.events, source)
  onTestFinished(() => conversation.close())
  return { conversation, ear, invocation }
}

/** Another terminal, which only takes part. */
async function openAttached(id: string) {
  const invocation = await house.invocation()
  const link = await openLink(server.server, { invocation })
  const ear = createEar()
  const gone: string[] = []
  const conversation = await attachTo(
    { invocation, link, events: ear.events, isEchoed: true, onGone: () => void gone.push('gone') },
    id,
  )
  onTestFinished(() => conversation.close())
  return { conversation, ear, link, gone }
}

const bare = ({ facts }: Ear) => facts.map(({ record }) => record)
const types = (ear: Ear) => bare(ear).map(({ type }) => type)

test('what a terminal runs is seen, steered and approved at another door', async () => {
  const { conversation, ear } = await openTerminal([
    command('touch made-there'),
    answer('It is made.'),
    answer('You said more.'),
  ])
  const other = await openAttached(conversation.sessionId)
  await conversation.say('make it', 'queue')
  const ask = await other.ear.fact('approval-ask')
  expect(other.conversation.state).toBe('working')
  await other.conversation.approve(ask, { option: 'allow' })
  await ear.fact('run-end')
  await ear.notice('allowed by')
  // Who ran it is the terminal; who says something is anybody.
  await other.conversation.say('and more', 'queue')
  await ear.fact('run-end', 1)
  await other.ear.fact('run-end', 1)
  expect(bare(other.ear)).toEqual(bare(ear))
  expect(other.ear.notices.filter((line) => line.includes('allowed'))).toEqual([])
  await until(() => conversation.state === 'idle')
  const texts = bare(ear).flatMap((record) => (record.type === 'turn-end' ? record.parts : []))
  expect(texts).toContainEqual(expect.objectContaining({ text: 'You said more.' }))
})

test('what was done under a server is replayed, checked, measured, shown and taken back from a terminal', async () => {
  const note = join(house.repo, 'note.txt')
  writeFileSync(note, 'before\n')
  const { conversation, ear } = await openTerminal([
    { reply: [{ call: 'WriteFile', args: { path: 'note.txt', content: 'after\n' } }] },
    answer('It is written.'),
  ])
  const id = conversation.sessionId
  await conversation.say('write it', 'queue')
  const { runId } = await ear.fact('run-end')
  await until(() => conversation.state === 'idle')
  const early = await house.run(['undo', runId])
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('is in use elsewhere')])
  expect(readFileSync(note, 'utf8')).toBe('after\n')
  await conversation.close()

  expect(await house.run(['replay', id])).toMatchObject({ code: 0, stdout: expect.stringContaining('It is written.') })
  const lines = (await house.run(['replay', id, '--json'])).stdout.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual(bare(ear))
  expect(JSON.parse((await house.run(['replay', id, '--verify', '--json'])).stdout)).toMatchObject({ requests: 2 })
  expect(JSON.parse((await house.run(['context', '--json'])).stdout)).toMatchObject({ session: id })
  expect((await house.run(['diff'])).stdout).toContain('-before\n+after')
  expect(await house.run(['undo', runId])).toMatchObject({ code: 0 })
  expect(readFileSync(note, 'utf8')).toBe('before\n')
  expect((await house.run(['replay', id, '--json'])).stdout).toContain('"files-restore"')
})

test('an answer that was given first elsewhere stands, and each door hears whose it is', async () => {
  const { conversation, ear } = await openTerminal([command('touch nothing'), answer('Then not.')])
  const other = await openAttached(conversation.sessionId)
  await conversation.say('try', 'queue')
  const ask = await other.ear.fact('approval-ask')
  await ear.fact('approval-ask')
  await conversation.approve(ask, { option: 'deny', words: 'rather not' })
  await other.ear.notice('declined by')
  await other.conversation.approve(ask, { option: 'allow' })
  await ear.fact('run-end')
  expect(types(ear).filter((type) => type === 'approval-answer')).toHaveLength(1)
  expect(await ear.fact('tool-end')).toMatchObject({ outcome: 'denied' })
  expect(ear.notices.filter((line) => line.includes('declined'))).toEqual([])
})

test('whoever comes in the middle of a turn reads it from its beginning, without a hole', async () => {
  const text = Array.from({ length: 120 }, (_, at) => `word${at}`).join(' ')
  let goOn = () => {}
  const isThere = new Promise<void>((resolve) => {
    goOn = resolve
  })
  // In the middle of the turn the model waits for who comes.
  let pieces = 0
  const sleep = (ms: number) => (++pieces < 40 ? pause(ms) : isThere)
  const { conversation, ear } = await openTerminal(
    [{ reply: [{ text }], delivery: { deltaSize: 9, deltaDelayMs: 4 } }],
    { sleep },
  )
  await conversation.say('talk', 'queue')
  await until(() => ear.live.length > 10)
  const other = await openAttached(conversation.sessionId)
  goOn()
  await other.ear.fact('turn-end')
  const heard = { text: '' }
  for (const event of other.ear.live) {
    if (event.type !== 'text-delta') continue
    expect(event.offset).toBeLessThanOrEqual(heard.text.length)
    heard.text = heard.text.slice(0, event.offset) + event.text
  }
  expect(text.startsWith(heard.text)).toBe(true)
  expect(heard.text.length).toBeGreaterThan(0)
})

test('an interrupt from another door ends the run that the terminal is at', async () => {
  const { conversation, ear } = await openTerminal([
    { reply: [{ text: 'x '.repeat(4_000) }], delivery: { deltaSize: 2, deltaDelayMs: 20 } },
  ])
  const other = await openAttached(conversation.sessionId)
  await conversation.say('talk for ever', 'queue')
  await other.ear.fact('turn-start')
  await other.conversation.interrupt()
  expect(await ear.fact('run-end')).toMatchObject({ reason: 'interrupted' })
  expect(other.conversation.state).toBe('idle')
})

test('a session that a terminal has open is not run by anybody else', async () => {
  const { conversation, ear } = await openTerminal([answer('Mine.')])
  await conversation.say('hello', 'queue')
  await ear.fact('run-end')
  const invocation = await house.invocation()
  const source = serverSource(server.server)
  const wish = { hasTools: true, resume: conversation.sessionId }
  await expect(openConversation(invocation, wish, createEar().events, source)).rejects.toThrow(/maru attach/)
})

test('what the server keeps is gone on with by its id, and what lies in a file stays in its file', async () => {
  const first = await openTerminal([answer('One.')])
  await first.conversation.say('one', 'queue')
  await first.ear.fact('run-end')
  const { sessionId } = first.conversation
  await first.conversation.close()
  const second = await openTerminal([answer('Two.')], { resume: sessionId })
  await second.conversation.say('two', 'queue')
  await second.ear.fact('run-end', 1)
  expect(second.conversation.sessionId).toBe(sessionId)
  // A fork of it is kept there, too; not before it has put its things away.
  await until(() => second.conversation.state === 'idle')
  await second.conversation.fork()
  const fork = second.conversation.sessionId
  expect(fork).not.toBe(sessionId)
  await second.conversation.close()
  expect((await openTerminal([], { continue: true })).conversation.sessionId).toBe(fork)
  const heard = createEar()
  const local = await openConversation(await house.invocation(), { hasTools: true, session: 'mine' }, heard.events)
  await local.say('here', 'queue')
  await heard.fact('run-end')
  await local.close()
  const { conversation, ear } = await openTerminal([], { resume: 'mine' })
  expect(conversation.session.directory).toBe(join(house.home, 'sessions'))
  await ear.notice('kept in a file')
})

test('a session that has moved from its file is gone on with where it is now', async () => {
  const heard = createEar()
  const local = await openConversation(await house.invocation(), { hasTools: true, session: 'moving' }, heard.events)
  await local.say('begun in a file', 'queue')
  await heard.fact('run-end')
  await local.close()
  const link = await openLink(server.server, { invocation: await house.invocation() })
  onTestFinished(() => link.close())
  const by = { kind: 'person', id: 'owner' } as const
  const title = () => link.log.admit('moving', { type: 'title-set', key: 'title', by, title: 'from another door' })
  await vi.waitFor(title, { timeout: 90_000, interval: 100 })
  const { conversation, ear } = await openTerminal([answer('Here.')], { resume: 'moving' })
  expect(conversation.sessionId).toBe('moving')
  await conversation.say('and on', 'queue')
  await ear.fact('run-end', 1)
  const facts: Recorded[] = []
  for await (const record of link.log.read('moving')) facts.push(record)
  expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, n) => n + 1))
  expect(JSON.stringify(facts)).toMatch(/begun in a file.*from another door.*and on.*Here\./)
})

test('a server that is started anew, with another key and port, is gone on with in the same session', async () => {
  const { conversation, ear } = await openTerminal([command('touch again'), answer('Done under it.')])
  const before = conversation.sessionId
  const other = await openAttached(before)
  await conversation.say('work', 'queue')
  const ask = await ear.fact('approval-ask')
  await server.stop()
  await ear.notice('waiting for it')
  server = await house.serve()
  await ear.notice('connected again')
  await other.conversation.approve(ask, { option: 'allow' })
  expect(await ear.fact('run-end')).toMatchObject({ reason: 'done' })
  await other.ear.fact('run-end')
  expect(conversation.sessionId).toBe(before)
  expect(bare(other.ear)).toEqual(bare(ear))
  expect(types(ear).filter((type) => type === 'session-start')).toHaveLength(1)
})

test('when the server goes away the run goes on in a file, and not a fact of it is lost', async () => {
  const { conversation, ear } = await openTerminal(
    [command('sleep 0.2; touch kept'), answer('Done without it.'), answer('Still here.')],
    { graceMs: 200 },
  )
  const before = conversation.sessionId
  await conversation.say('work', 'queue')
  const ask = await ear.fact('approval-ask')
  await server.stop()
  await ear.notice('goes on here')
  expect(conversation.sessionId).not.toBe(before)
  await conversation.approve(ask, { option: 'allow' })
  await ear.fact('run-end')
  await conversation.say('and now?', 'queue')
  await ear.fact('run-end', 1)
  await conversation.close()
  const shown = bare(ear)
  const path = join(house.home, 'sessions', `${conversation.sessionId}.jsonl`)
  const stored = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
  expect(stored).toEqual(shown)
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, at) => at + 1))
  const start = stored.findLast((record) => record.type === 'session-start')
  expect(start).toMatchObject({ forkOf: { id: before, seq: (start?.seq ?? 0) - 1 } })
  // Every turn of the run ended, and its call had its effect once.
  expect(stored.filter(({ type }) => type === 'tool-end')).toMatchObject([{ outcome: 'ok' }])
  expect(stored.filter(({ type }) => type === 'run-end')).toMatchObject([{ reason: 'done' }, { reason: 'done' }])
  server = await house.serve()
  // What the server had is still there, up to where it went away.
  const other = await openAttached(before)
  const kept = bare(other.ear)
  expect(kept).toEqual(stored.slice(0, kept.length))
})
