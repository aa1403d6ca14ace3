import { compactSession } from '@maru/agent'
import type { ModelEvent, ModelRequest, Tool } from '@maru/protocol'
import { person } from '@maru/testkit'
import { afterEach, expect, test } from 'vitest'
import { call, createEngine, expectVerified, type Reply, say, tool } from '../engine/harness.ts'

afterEach(expectVerified)

const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`).join(' ')
const spending = (events: ModelEvent[], tokens: number): ModelEvent[] =>
  events.map((event) => (event.type === 'finish' ? { ...event, usage: { input: tokens, output: 5 } } : event))
const failing = (code: 'context-too-long'): ModelEvent[] => [
  { type: 'failure', failure: { code, message: 'prompt is too long' }, parts: [] },
]
const sent = (request: unknown) => JSON.stringify(request)
const isSummary = ({ system }: { system: string }) => system.startsWith('You summarise')

// Files that can be read and edited, told of as the real tools do.
function createFiles(): Tool[] {
  const files: { [path: string]: string } = { 'a.ts': `const old = 1\n${words(400)}` }
  const read = tool(
    'ReadFile',
    (args) => {
      const { path } = args as { path: string }
      const text = files[path] ?? ''
      const total = text.split('\n').length
      return { ok: true, data: { path, lines: `1-${total} of ${total}` }, stdout: text }
    },
    { effect: 'none' },
  )
  const write = tool('WriteFile', (args) => {
    const { path, content } = args as { path: string; content: string }
    files[path] = content
    return { ok: true, stdout: content, files: [{ path, after: 'a'.repeat(64) }] }
  })
  return [read, write]
}

test('a file read, edited and read again is in the context once, as it is now', async () => {
  const content = `const fresh = 2\n${words(400)}`
  const engine = await createEngine({
    replies: [
      call(['ReadFile', { path: 'a.ts' }]),
      call(['WriteFile', { path: 'a.ts', content }]),
      call(['ReadFile', { path: 'a.ts' }]),
      say('done'),
    ],
    tools: createFiles(),
  })
  expect(await engine.ask('change it')).toBe('done')
  const last = sent(engine.requests.at(-1))
  expect(last.split('word399').length - 1).toBe(1)
  expect(last).toContain('const fresh = 2')
  expect(last).not.toContain('const old = 1')
  expect(last).toContain('output:')
  // What is gone from the context is in the log, and can be read there.
  expect(sent(await engine.facts())).toContain('const old = 1')
})

test('what was pinned stays, whatever makes it superfluous', async () => {
  const engine = await createEngine({
    replies: [call(['ReadFile', { path: 'a.ts' }]), say('read')],
    tools: createFiles(),
  })
  await engine.ask('read it')
  const callId = (await engine.facts()).flatMap((fact) => (fact.type === 'tool-end' ? [fact.callId] : []))[0] ?? ''
  await engine.admit({ type: 'context-pin', key: 'p', by: person, callId, isPinned: true })
  engine.replies.push(
    call(['WriteFile', { path: 'a.ts', content: words(400) }]),
    call(['ReadFile', { path: 'a.ts' }]),
    say('done'),
  )
  expect(await engine.ask('change it')).toBe('done')
  expect(sent(engine.requests.at(-1))).toContain('const old = 1')
})

const big = (name: string) =>
  tool(name, (args) => ({ ok: true, stdout: `${sent(args)} ${words(900)}` }), { effect: 'none' })

function looking(turns: number): Reply[] {
  return Array.from({ length: turns }, (_, n) => (request) => {
    if (isSummary(request)) return say('a summary')
    return spending(call(['Look', { n }]), Math.ceil(sent(request).length / 4))
  })
}

const context = { limit: 10_000, canCompact: true, canPrune: false }

test('a person is told at 80 %, and before 100 % old turns are condensed', async () => {
  const engine = await createEngine({
    replies: [...looking(9), say('end')],
    tools: [big('Look')],
    settings: { context },
  })
  expect(await engine.ask('look around, and never touch main.c')).toBe('done')
  const level = engine.shown.find(({ type }) => type === 'context-level')
  expect(level).toMatchObject({ limit: 10_000, tokens: expect.any(Number) })
  const kinds = await engine.kinds()
  expect(kinds).toContain('context-compact')
  const turns = engine.requests.filter((request) => !isSummary(request))
  for (const request of turns) expect(sent(request).length / 4).toBeLessThan(10_000)
  expect(sent(turns.at(-1))).toContain('never touch main.c')
  // What the summary cost is part of what the run cost.
  const end = (await engine.facts()).findLast(({ type }) => type === 'run-end')
  expect(end).toMatchObject({ usage: { output: 5 * engine.requests.length } })
})

test('with compaction switched off, a run that no longer fits ends by its name', async () => {
  const settings = { context: { ...context, canCompact: false } }
  const engine = await createEngine({ replies: looking(20), tools: [big('Look')], settings })
  expect(await engine.ask('look around')).toBe('context-full')
  expect(await engine.kinds()).not.toContain('context-compact')
  expect((await engine.facts()).at(-1)).toMatchObject({ detail: expect.stringContaining('10000') })
})

test('what a vendor finds too long is condensed, and the run goes on', async () => {
  const engine = await createEngine({
    replies: [...looking(3), failing('context-too-long'), say('a summary'), say('went on')],
    tools: [big('Look')],
    settings: { context: { ...context, limit: 100_000 } },
  })
  expect(await engine.ask('look around')).toBe('done')
  expect(await engine.kinds()).toContain('context-compact')
  const [before, after] = [engine.requests[3], engine.requests.at(-1)].map((request) => sent(request).length)
  expect(after).toBeLessThan(0.8 * (before ?? 0))
})

test('an answer that fills the window is gone on with after a compaction', async () => {
  const cut: ModelEvent[] = [
    {
      type: 'finish',
      stop: 'context-full',
      parts: [{ type: 'text', text: 'The first half' }],
      usage: { input: 9, output: 9 },
    },
  ]
  const engine = await createEngine({
    replies: [...looking(2), cut, say('summary'), say('the second half')],
    tools: [big('Look')],
  })
  expect(await engine.ask('tell me')).toBe('done')
  expect(sent(engine.requests.at(-1))).toContain('The first half')
})

test('a vendor that finds everything too long ends the run by its name', async () => {
  const refusing: Reply = (request) => (isSummary(request) ? say('summary') : failing('context-too-long'))
  const engine = await createEngine({
    replies: [...looking(2), ...Array.from({ length: 8 }, () => refusing)],
    tools: [big('Look')],
  })
  expect(await engine.ask('look')).toBe('context-full')
})

test('results that do not fit by themselves are shown by name, and can be read in parts', async () => {
  const many = call(...Array.from({ length: 12 }, (_, n): [string, { n: number }] => ['Look', { n }]))
  const engine = await createEngine({
    replies: [
      () => spending(many, 3_000),
      (request) => (isSummary(request) ? say('summary') : say('fine')),
      say('fine'),
    ],
    tools: [big('Look')],
    settings: { context },
  })
  expect(await engine.ask('look at all')).toBe('done')
  expect(sent(engine.requests.at(-1))).toContain('Read it in parts')
})

test('an interrupt while a summary is written ends the run, and nothing is condensed', async () => {
  const slow: Reply = async function* (_request, signal): AsyncGenerator<ModelEvent> {
    await engine.admit({ type: 'interrupt', key: 'stop', by: person })
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
    yield { type: 'failure', failure: { code: 'aborted', message: 'interrupted' }, parts: [] }
  }
  const engine = await createEngine({
    replies: [...looking(3), failing('context-too-long'), slow],
    tools: [big('Look')],
  })
  expect(await engine.ask('look')).toBe('interrupted')
  expect(await engine.kinds()).not.toContain('context-compact')
})

test('by hand, what would not get a fifth smaller stays as it is, and no model is asked', async () => {
  const engine = await createEngine({
    replies: [call(['Look', { n: 1 }]), say('It has one line.'), say('It still has.'), say('a summary')],
    tools: [tool('Look', () => ({ ok: true, stdout: 'one line' }), { effect: 'none' })],
  })
  await engine.ask('look')
  await engine.ask('look again, please')
  const facts = await engine.facts()
  const { signal } = engine.stop
  expect(await compactSession(engine.deps, 's', { signal })).toBeUndefined()
  expect(await engine.facts()).toEqual(facts)
  expect(engine.replies).toHaveLength(1)
})

test('by hand, a summary as long as the turns themselves is cut until they get smaller', async () => {
  const engine = await createEngine({
    replies: [call(['Look', { n: 1 }]), say('Seen.'), spending(say('Fine.'), 2_000), say(words(480))],
    tools: [tool('Look', () => ({ ok: true, stdout: words(600) }), { effect: 'none' })],
  })
  await engine.ask('look')
  await engine.ask('and now?')
  const { signal } = engine.stop
  const before = sent(engine.requests.at(-1)?.messages).length
  const tokens = await compactSession(engine.deps, 's', { signal })
  expect(tokens?.after).toBeLessThan(tokens?.before ?? 0)
  engine.replies.push(say('ok'))
  await engine.ask('go on')
  expect(sent(engine.requests.at(-1)?.messages).length).toBeLessThan(0.9 * before)
  expect(sent(engine.requests.at(-1))).toContain('word0 word1')
})

test('a short session that a vendor finds too long is not asked again in vain', async () => {
  const refusing: Reply = (request) => (isSummary(request) ? say('summary') : failing('context-too-long'))
  const engine = await createEngine({
    replies: [call(['Look', { n: 1 }]), ...Array.from({ length: 8 }, () => refusing)],
    tools: [tool('Look', () => ({ ok: true, stdout: 'one line' }), { effect: 'none' })],
  })
  expect(await engine.ask('look')).toBe('context-full')
  expect(await engine.kinds()).not.toContain('context-compact')
  expect(engine.requests).toHaveLength(2)
})

test('after a reset nothing of what was said before comes back with a compaction', async () => {
  const engine = await createEngine({ replies: [say('hello')], tools: [big('Look')], settings: { context } })
  await engine.ask('my secret plan is zebra')
  const lease = await engine.log.lease('s')
  await engine.log.append('s', { epoch: lease.epoch, expect: lease.last }, [{ type: 'context-reset' }])
  await lease.release()
  engine.replies.push(...looking(9), say('end'))
  expect(await engine.ask('look')).toBe('done')
  expect(await engine.kinds()).toContain('context-compact')
  expect(sent(engine.requests.slice(1))).not.toContain('zebra')
})

test('an output that is gone can be read by its name, and so can long words', async () => {
  const found: string[] = []
  const reader = {
    ...tool('ReadKept', () => ({ ok: true })),
    prepare: async (args: unknown, { kept }: { kept(name: string): Promise<Uint8Array | undefined> }) => ({
      access: [],
      basis: [],
      run: async () => {
        found.push(new TextDecoder().decode(await kept((args as { name: string }).name)))
        return { ok: true }
      },
    }),
  } as Tool
  const callsIn = (request: ModelRequest) =>
    request.messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'call' ? [part.callId] : [])))
  const engine = await createEngine({
    replies: [
      call(['ReadFile', { path: 'a.ts' }]),
      (request) => call(['ReadKept', { name: callsIn(request)[0] ?? '' }], ['ReadKept', { name: 'input-2' }]),
      say('done'),
    ],
    tools: [...createFiles(), reader],
  })
  expect(await engine.ask('words of the user')).toBe('done')
  expect(found).toEqual([expect.stringContaining('const old = 1'), 'words of the user'])
})
