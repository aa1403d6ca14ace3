import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runSession } from '@maru/agent'
import { createTranslator } from '@maru/i18n'
import { type Recorded, spillParts } from '@maru/protocol'
import { startScriptedModel } from '@maru/scripted-model'
import type { AgentWish, Workshop } from '@maru/server'
import { createLiveBus, type History, type OwnHistory, openHistory } from '@maru/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Invocation } from '../../src/command.ts'
import { loadDemoConversation } from '../../src/demo/demo-conversation.ts'
import { sweepServed } from '../../src/serve/housekeeping.ts'
import { inRoot } from '../../src/serve/in-root.ts'
import { maskHistory } from '../../src/serve/masked-history.ts'
import { openSummarise } from '../../src/serve/summarise.ts'
import { createWorkshop } from '../../src/serve/workshop.ts'
import { sweepHome } from '../../src/sessions/sweep-home.ts'
import { createStyle } from '../../src/terminal/style.ts'

// Of no account, in the form of one.
const SECRET = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`

let place = ''
let history: History
let own: OwnHistory
let workshop: Workshop
const notices: string[] = []

const home = () => join(place, 'home')
const root = () => join(place, 'repo')

function invocationFor(env: { [name: string]: string } = {}): Invocation {
  const nowhere = { isTerminal: false, columns: 80, write: async () => undefined, line: async () => undefined }
  const bare = {
    ...{ stdout: nowhere, stderr: nowhere, cwd: place, home: home(), lang: 'en', isInteractive: false, json: false },
    env: { PATH: process.env['PATH'], HOME: place, ...env },
    t: createTranslator('en'),
    style: createStyle(false),
    signal: new AbortController().signal,
    options: { quiet: false },
  } as unknown as Invocation
  return inRoot(bare, { root: root(), onNotice: (line) => notices.push(line) })
}

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'maru-workshop-'))
  await mkdir(join(root(), 'deep'), { recursive: true })
  await writeFile(join(root(), 'AGENTS.md'), 'Write short lines.\n')
  await writeFile(join(root(), 'deep/AGENTS.md'), 'Deep down, write shorter ones.\n')
  await writeFile(join(root(), 'deep/a.txt'), 'one\n')
  // Made by the build; without it this takes longer.
  const template = join(import.meta.dirname, '../../dist/history.tar.gz')
  const prepared = existsSync(template) ? { template } : {}
  history = await openHistory({ home: home(), now: Date.now, isDurable: false, ...prepared })
}, 120_000)

afterAll(async () => {
  await history.close()
  await rm(place, { recursive: true, force: true })
})

/** Runs one input of a session in the history with the workshop's agent, to its end. */
async function work(id: string, text: string, url: string, wish: Partial<AgentWish> = {}) {
  const invocation = invocationFor({ ANTHROPIC_API_KEY: 'sk-scripted', ANTHROPIC_BASE_URL: url })
  const masked = maskHistory(history, { ...invocation, known: [] })
  own = await masked.history.open('owner')
  workshop = createWorkshop({ invocation, history, masked })
  const { log, blobs } = own
  if (!(await own.known([id])).has(id)) await log.create(id, { agent: { kind: 'maru' }, door: 'api', cwd: root() })
  const onNotice = (line: string) => notices.push(line)
  const live = createLiveBus()
  const agent = await workshop.openAgent({ id, root: root(), mode: 'yes', log, blobs, live, onNotice, ...wish })
  const by = { kind: 'person', id: 'owner', door: 'api' } as const
  const key = `input ${id}`
  await log.admit(id, { type: 'input-admit', key, by, delivery: 'queue', parts: [{ type: 'text', text }] })
  const stop = new AbortController()
  const following = (async () => {
    for await (const record of log.follow(id, 0, stop.signal)) agent.fact(record)
  })()
  const reason = await runSession(agent.deps, id, stop.signal)
  await agent.close()
  stop.abort()
  await following
  return { reason, facts: await collect(log.read(id)) }
}

async function collect(records: AsyncIterable<Recorded>): Promise<Recorded[]> {
  const all: Recorded[] = []
  for await (const record of records) all.push(record)
  return all
}

test('an agent works in the history with the hands, guard and instructions of the terminal, and its run can be shown and taken back', async () => {
  const model = await startScriptedModel({
    script: [
      {
        reply: [
          { call: 'ReadFile', args: { path: 'deep/a.txt' } },
          { call: 'WriteFile', args: { path: 'deep/a.txt', content: 'two\n' } },
          { call: 'RunCommand', args: { command: 'printf three > c.txt' } },
        ],
      },
      { reply: [{ text: 'done' }] },
    ],
  })
  try {
    const { reason, facts } = await work('changes', 'Change it.', model.url)
    expect(reason).toBe('done')
    expect(await readFile(join(root(), 'deep/a.txt'), 'utf8')).toBe('two\n')
    expect(JSON.stringify(model.requests[0]?.body)).toContain('Write short lines.')
    expect(facts.filter(({ type }) => type === 'message-add')).toMatchObject([{ origin: 'deep/AGENTS.md' }])
    expect(readdirSync(join(home(), 'served/changes/raw'))).toHaveLength(2)
    const session = { id: 'changes', root: root(), log: own.log, blobs: own.blobs }
    const shown = await workshop.diff(session)
    expect(shown).toContain('-one\n+two')
    expect(shown).toContain('+three')
    const by = { kind: 'person', id: 'bora', door: 'web' } as const
    await expect(workshop.undo(session, { by, runId: 'no such run' })).rejects.toMatchObject({ code: 'missing' })
    expect(await workshop.undo(session, { by })).toEqual({
      restored: expect.arrayContaining(['deep/a.txt', 'c.txt']),
      kept: [],
    })
    expect(await readFile(join(root(), 'deep/a.txt'), 'utf8')).toBe('one\n')
    expect(existsSync(join(root(), 'c.txt'))).toBe(false)
    expect((await collect(own.log.read('changes'))).at(-1)).toMatchObject({
      type: 'files-restore',
      by,
    })
    expect(await workshop.undo(session, { by })).toEqual({ restored: [], kept: [] })
    // Deleting a session of the terminal in the same tree leaves alone what this one holds.
    const trees = readFileSync(join(home(), 'served/changes/trees'), 'utf8').trim().split('\n')
    expect(await sweepHome(home(), new Set(trees))).toEqual({ removed: 0, isBusy: false })
  } finally {
    await model.close()
  }
})

test('an approval is asked for and waited for, and a choice of the session holds beside the settings', async () => {
  const model = await startScriptedModel({
    script: [{ reply: [{ call: 'RunCommand', args: { command: 'touch made' } }] }, { reply: [{ text: 'done' }] }],
  })
  try {
    const answered = (async () => {
      // The first request is judged before anybody can be asked.
      for (;;) {
        const ask =
          own && (await collect(own.log.read('asks')).catch(() => [])).find(({ type }) => type === 'approval-ask')
        if (ask?.type === 'approval-ask') {
          const { callId, actionHash } = ask
          const by = { kind: 'person', id: 'phone', door: 'web' } as const
          await own.log.admit('asks', { type: 'approval-answer', key: 'a', by, callId, actionHash, option: 'deny' })
          return
        }
        await new Promise((done) => setImmediate(done))
      }
    })()
    const { reason, facts } = await work('asks', 'Make it.', model.url, { mode: 'ask', model: 'chosen-one' })
    await answered
    expect(reason).toBe('done')
    expect(facts.find(({ type }) => type === 'tool-end')).toMatchObject({ outcome: 'denied' })
    expect(facts.find(({ type }) => type === 'turn-start')).toMatchObject({ model: 'chosen-one' })
    expect(existsSync(join(root(), 'made'))).toBe(false)
  } finally {
    await model.close()
  }
})

test('a secret that a person types at any door reaches neither the log nor the model', async () => {
  const model = await startScriptedModel({ script: [{ reply: [{ text: 'done' }] }] })
  try {
    const { facts } = await work('secret', `Use ${SECRET} please.`, model.url)
    expect(JSON.stringify(facts)).not.toContain(SECRET)
    expect(JSON.stringify(model.requests)).not.toContain(SECRET)
    expect(facts.find(({ type }) => type === 'input-admit')).toMatchObject({
      parts: [{ text: expect.stringMatching(/^Use .+ please\.$/) }],
    })
  } finally {
    await model.close()
  }
})

test('nor does one in a text that is too long for the log', async () => {
  const masked = maskHistory(history, { ...invocationFor(), known: [] })
  const { log, blobs } = await masked.history.open('owner')
  await log.create('long', { agent: { kind: 'maru' }, door: 'api', cwd: root() })
  const text = `${'word '.repeat(10_000)} Use ${SECRET} please.`
  const [part] = await spillParts([{ type: 'text', text }], 'long', blobs)
  const hash = part && 'blob' in part ? (part.blob?.hash ?? '') : ''
  const stored = Buffer.from((await blobs.get('long', hash)) ?? '').toString()
  expect(stored).toMatch(/ Use .+ please\.$/)
  expect(stored).not.toContain(SECRET)
  // What an agent keeps is masked by itself, and what a vendor gave it goes back as it came.
  const own = masked.plainOf(blobs)
  const kept = await own.put('long', `signature ${SECRET.replaceAll('a', 'b')}`)
  expect(Buffer.from((await own.get('long', kept.hash)) ?? '').toString()).toBe(
    `signature ${SECRET.replaceAll('a', 'b')}`,
  )
})

test('nor does one in what is said about a conversation, or beside a message', async () => {
  const masked = maskHistory(history, { ...invocationFor(), known: [] })
  const { log, conversations } = await masked.history.open('owner')
  await log.create('about', { agent: { kind: 'maru' }, door: 'api' })
  const words = `see ${SECRET}`
  const patch = { description: words, project: words, service: words, tags: ['fine', words] }
  const patched = await conversations.patch('about', patch)
  expect(patched).toMatchObject({
    description: expect.stringMatching(/^see \[secret:/),
    tags: expect.arrayContaining(['fine']),
  })
  const by = { kind: 'person', id: 'owner', door: 'api' } as const
  const parts = [{ type: 'text' as const, text: 'hello' }]
  const metadata = { list: [1, null, { url: words }], fine: 'fine' }
  const fact = await log.admit('about', { type: 'message-add', key: 'm', by, role: 'user', parts, metadata })
  expect(fact).toMatchObject({
    metadata: { list: [1, null, { url: expect.stringMatching(/^see \[secret:/) }], fine: 'fine' },
  })
  expect(JSON.stringify([patched, fact])).not.toContain(SECRET)
  await log.close()
})

test('a setting that is wrong for an agent is said, not guessed', async () => {
  await expect(work('wrong', 'x', 'http://127.0.0.1:9', { provider: 'nobody' })).rejects.toMatchObject({
    code: 'config',
  })
})

test('a conversation is exported, and brought in again under its name without a secret', async () => {
  own = await history.open('reader')
  expect(await loadDemoConversation(own, Date.now())).toBe(true)
  expect(await loadDemoConversation(own, Date.now())).toBe(false)
  const pieces: string[] = []
  for await (const piece of workshop.exportConversation(own, 'demo', { format: 'md', hasMetadata: false }))
    pieces.push(piece)
  expect(pieces.join('')).toMatch(/웹서버를[\s\S]*Search for any part of a word/)
  const { hits } = await own.search('베이스')
  expect(hits).toMatchObject([{ conversation: 'demo', snippet: expect.stringContaining('데이터베이스에서') }])

  const upload = join(place, 'upload.tmp')
  const line = (uuid: string, content: string) =>
    JSON.stringify({
      ...{ type: 'user', sessionId: 'from-elsewhere', uuid, parentUuid: uuid === 'one' ? null : 'one' },
      timestamp: '2026-11-01T00:00:00.000Z',
      message: { role: 'user', content },
    })
  const said = [line('one', `the key ${SECRET}`), line('two', 'more')]
  await writeFile(upload, `${said.join('\n')}\nnot json\n`)
  const seen: number[] = []
  const report = await workshop.importUpload(
    own,
    { path: upload, name: '../../talk.jsonl' },
    ({ bytes }) => seen.push(bytes),
    new AbortController().signal,
  )
  expect(report).toMatchObject({ added: 1, messages: 2, problems: [expect.stringContaining('line 3')] })
  expect(seen.at(-1)).toBe(readFileSync(upload).length)
  const found = await own.search('key')
  expect(found.hits).toHaveLength(1)
  expect(found.hits[0]?.snippet).not.toContain(SECRET)
  await own.log.close()
})

test('summaries come from the model that is configured; without one there is nobody to ask', async () => {
  expect(await openSummarise(invocationFor())).toBeUndefined()
  const model = await startScriptedModel({ script: [{ reply: [{ text: 'In short: all is well.' }] }] })
  try {
    const summarise = await openSummarise(invocationFor({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: model.url }))
    const message = { seq: 1, role: 'user', content: 'Is all well?', at: 0 } as const
    const nothing = { model: null, tokens: null, finish: null, metadata: null }
    const signal = new AbortController().signal
    expect(await summarise?.([{ ...message, ...nothing }], { maxWords: 50, signal })).toBe('In short: all is well.')
  } finally {
    await model.close()
  }
})

test('what is erased goes from beside the history as well, whoever erases it', async () => {
  const { history: masked } = maskHistory(history, { ...invocationFor(), known: [] })
  own = await masked.open('owner')
  await sweepServed({ history, invocation: invocationFor() })
  expect(existsSync(join(home(), 'served/changes/raw'))).toBe(true)
  await own.log.erase('changes', 2)
  expect(readdirSync(join(home(), 'served/changes'))).toEqual(['trees'])
  await own.log.erase('changes')
  expect(existsSync(join(home(), 'served/changes'))).toBe(false)
  await own.log.close()
  own = await history.open('owner')
  await own.log.erase('secret')
  expect(existsSync(join(home(), 'served/secret'))).toBe(true)
  await sweepServed({ history, invocation: invocationFor() })
  expect(existsSync(join(home(), 'served/secret'))).toBe(false)
  await own.log.close()
})
