import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunnerFact } from '@maru/protocol'
import type { Summarise } from '@maru/store'
import { collect, temporaryDirectory, upTo } from '@maru/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestWorkshop, say } from '../agents/workshop.ts'
import { type Served, type Someone, serve, workshop } from './serve.ts'

let served: Served
let me: Someone
let root: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  root = await temporaryDirectory()
  await mkdir(join(root.path, 'project', '.git'), { recursive: true })
  await mkdir(join(root.path, 'notes'))
  const summarise: Summarise = async (messages) => `${messages.length} said something`
  served = await serve({ roots: [root.path], workshop: { ...workshop, summarise } })
  me = await served.join()
})
afterAll(async () => {
  await served.server.close()
  await root.dispose()
})

/** A session in which a runner has just asked. */
async function asked(...facts: RunnerFact[]): Promise<string> {
  const repo = join(root.path, 'project')
  const { status, json } = await me.ask('POST', '/api/v1/sessions', { repo })
  expect(status).toBe(201)
  const { log } = await served.history.openOwner(me.key.person.id)
  try {
    const lease = await log.lease(json.id)
    await log.append(json.id, { epoch: lease.epoch, expect: lease.last }, facts)
    await lease.release()
  } finally {
    await log.close()
  }
  return json.id
}

const approval = (actionHash: string): RunnerFact => ({
  ...{ type: 'approval-ask', callId: 'call 1', source: 'ours', actionHash, reason: 'it writes' },
  options: ['allow', 'deny'],
})

describe('sessions of agents', () => {
  test('begin only in folders that the server was given', async () => {
    const repositories = await me.ask('GET', '/api/v1/repositories')
    const real = await realpath(root.path)
    expect(repositories.json.items.map(({ path }: { path: string }) => path)).toEqual([real, join(real, 'project')])
    for (const repo of ['/', '/etc', join(root.path, '..'), `${root.path}x`, 'project', '/proc/self/root', '\u0000']) {
      const refused = await me.ask('POST', '/api/v1/sessions', { repo })
      expect(refused).toMatchObject({ status: 403, json: { code: 'root-refused' } })
    }
    const begun = await me.ask('POST', '/api/v1/sessions', { repo: join(root.path, 'project'), mode: 'read-only' })
    expect(begun).toMatchObject({ status: 201, json: { state: 'idle', repo: join(real, 'project') } })
    const list = await me.ask('GET', '/api/v1/sessions')
    expect(list.json.items.map(({ id }: { id: string }) => id)).toContain(begun.json.id)
  })

  test('are listed page by page, also behind one that was erased meanwhile', async () => {
    const someone = await served.join()
    const own = await served.history.openOwner(someone.key.person.id)
    const start = { agent: { kind: 'maru' as const }, door: 'web' as const }
    const talk = { agent: { kind: 'import' as const }, door: 'import' as const }
    const all = upTo(1_100).map((n) => ({ id: `s${n}`, start: { start: n % 10 ? start : talk, at: n }, facts: [] }))
    await own.begin(all)
    const page = async (query: string) => {
      const { status, json } = await someone.ask('GET', `/api/v1/sessions?${query}`)
      expect(status).toBe(200)
      return { ids: json.items.map(({ id }: { id: string }) => id) as string[], next: json.nextCursor as string }
    }
    const seen: string[] = []
    for (let cursor = ''; cursor !== undefined; ) {
      const { ids, next } = await page(`limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`)
      seen.push(...ids)
      if (seen.length === 200) await own.log.erase(ids.at(-1) ?? '')
      cursor = next
    }
    await own.log.close()
    expect(seen).toEqual(all.flatMap(({ id, start }) => (start.start === talk ? [] : [id])).toReversed())
    expect((await page('limit=1')).ids).toEqual(['s1099'])
    for (const cursor of ['s1099', '1', '.', '1.x', '9'.repeat(40)]) {
      const odd = await someone.ask('GET', `/api/v1/sessions?cursor=${cursor}`)
      expect(odd).toMatchObject({ status: 400, json: { code: 'bad-query', at: 'cursor' } })
    }
  })

  test('what it begins with is signed by who sent it, and by which door', async () => {
    const wish = { repo: join(root.path, 'project'), mode: 'read-only', input: 'look around' }
    for (const [said, door] of [
      ['widget', 'widget'],
      ['terminal', 'api'],
    ] as const) {
      const { json } = await me.ask('POST', '/api/v1/sessions', wish, { 'x-maru-door': said })
      const { log } = await served.history.openOwner(me.key.person.id)
      const [start, settings, input] = await collect(log.read(json.id))
      await log.close()
      // Runs of terminals are theirs to resume: this one is the server's.
      expect(start).toMatchObject({ type: 'session-start', door })
      const by = { kind: 'person', id: me.key.person.name, door: said }
      expect([settings, input]).toMatchObject([
        { type: 'settings-change', by },
        { type: 'input-admit', by },
      ])
    }
  })

  test('an input is admitted once, and signed by who sent it', async () => {
    const id = await asked({ type: 'context-reset' })
    const path = `/api/v1/sessions/${id}/inputs`
    const first = await me.ask(
      'POST',
      path,
      { clientId: 'i1', text: 'do it', delivery: 'queue' },
      { 'x-maru-door': 'editor' },
    )
    expect(first).toMatchObject({
      status: 202,
      json: {
        record: { type: 'input-admit', key: 'i1', by: { kind: 'person', id: me.key.person.name, door: 'editor' } },
      },
    })
    expect((await me.ask('POST', path, { clientId: 'i1', text: 'again' })).json).toEqual(first.json)
    expect(await me.ask('POST', path, { clientId: 'i2' })).toMatchObject({ status: 422, json: { at: 'text' } })
    const call = { type: 'call', callId: 'x', tool: 'WriteFile', args: {} }
    const faked = await me.ask('POST', path, { clientId: 'i3', parts: [call] })
    expect(faked).toMatchObject({ status: 422, json: { at: 'parts.0.type' } })
  })

  test('the first answer to an approval wins, and it is noted who gave it', async () => {
    const id = await asked(approval('h1'))
    const path = `/api/v1/sessions/${id}/approvals/${encodeURIComponent('call 1')}`
    expect((await me.ask('POST', path, { actionHash: 'other', option: 'allow' })).status).toBe(409)
    const unknown = await me.ask('POST', path, { actionHash: 'h1', option: 'always' })
    expect(unknown).toMatchObject({ status: 422, json: { at: 'option' } })
    const first = await me.ask('POST', path, { actionHash: 'h1', option: 'deny', words: 'no' })
    expect(first).toMatchObject({ status: 200, json: { record: { option: 'deny', words: 'no' } } })
    const second = await me.ask('POST', path, { actionHash: 'h1', option: 'allow' })
    expect(second.json).toEqual(first.json)
    expect((await me.ask('POST', path.replace('call', 'cull'), { actionHash: 'h1', option: 'deny' })).status).toBe(404)
    const notes = await served.history.access.audit({ owner: me.key.person.id })
    const noted = notes.flatMap(({ action, detail }) => (action === 'approval-answered' ? [detail] : []))
    // Not the second one: it let nothing happen.
    expect(noted.filter((detail) => detail?.startsWith(id))).toEqual([`${id} call 1 deny`])
  })

  test('a question is answered with one of its options, or in words', async () => {
    const id = await asked({ type: 'question-ask', questionId: 'q1', question: 'which?', options: ['red', 'blue'] })
    const path = `/api/v1/sessions/${id}/questions/q1`
    expect((await me.ask('POST', path, { kind: 'option', option: 'green' })).status).toBe(422)
    expect((await me.ask('POST', path, { kind: 'nonsense' })).status).toBe(422)
    const words = { kind: 'words', words: 'green' }
    expect(await me.ask('POST', path, words)).toMatchObject({
      status: 422,
      json: { at: 'kind', detail: 'one of red, blue' },
    })
    const answer = { kind: 'option', option: 'blue' }
    expect(await me.ask('POST', path, answer)).toMatchObject({ status: 200, json: { record: { answer } } })
    expect((await me.ask('POST', path, { kind: 'cancel' })).json.record.answer).toEqual(answer)
    expect((await me.ask('POST', path.replace('q1', 'q2'), answer)).status).toBe(404)
    for (const more of [{}, { options: ['red', 'blue'], allowFreeText: true }]) {
      const free = await asked({ type: 'question-ask', questionId: 'q1', question: 'which?', ...more })
      const answered = await me.ask('POST', `/api/v1/sessions/${free}/questions/q1`, words)
      expect(answered).toMatchObject({ status: 200, json: { record: { answer: words } } })
    }
  })

  test('what it changed is shown and taken back where it works', async () => {
    const id = await asked({ type: 'context-reset' })
    const real = await realpath(root.path)
    const diff = await me.ask('GET', `/api/v1/sessions/${id}/diff`)
    expect(diff.json.diff).toContain(join(real, 'project'))
    const undo = `/api/v1/sessions/${id}/undo`
    const undone = await me.ask('POST', undo, { runId: 'r' }, { 'x-maru-door': 'editor' })
    expect(undone.json).toEqual({ restored: ['r'], kept: [{ path: me.key.person.name, why: 'editor' }] })
    expect((await me.ask('POST', undo)).json).toMatchObject({ restored: ['last'] })
    const talk = await me.ask('POST', '/api/v1/conversations', {})
    expect((await me.ask('GET', `/api/v1/sessions/${talk.json.id}/diff`)).status).toBe(422)
  })

  test('nothing is taken back under the hands of an agent that is at work', async () => {
    let goOn = () => {}
    const isFree = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let begin = () => {}
    const hasBegun = new Promise<void>((resolve) => {
      begin = resolve
    })
    async function* slowly() {
      begin()
      await isFree
      yield* say('done')
    }
    const { openAgent } = createTestWorkshop({ script: () => [slowly] })
    const busy = await serve({ roots: [root.path], workshop: { ...workshop, openAgent } })
    const someone = await busy.join()
    const wish = { repo: join(root.path, 'project'), input: 'change it' }
    const { json } = await someone.ask('POST', '/api/v1/sessions', wish)
    await hasBegun
    const undo = () => someone.ask('POST', `/api/v1/sessions/${json.id}/undo`)
    expect(await undo()).toMatchObject({ status: 409, json: { code: 'held' } })
    goOn()
    const state = async () => (await someone.ask('GET', '/api/v1/sessions')).json.items[0].state
    while ((await state()) !== 'idle');
    expect(await undo()).toMatchObject({ status: 200, json: { restored: ['last'] } })
    await busy.server.close()
  })

  test('a summary that is asked for is made while the server runs', async () => {
    const { json } = await me.ask('POST', '/api/v1/conversations', { initialMessage: 'sum me up' })
    const path = `/api/v1/conversations/${json.id}/summaries`
    expect((await me.ask('POST', path, { maxWords: 20 })).status).toBe(202)
    const texts = async () => (await me.ask('GET', path)).json.items.map(({ text }: { text: string }) => text)
    await expect.poll(texts, { timeout: 90_000 }).toEqual(['1 said something'])
  })
})
