import { runSession } from '@maru/agent'
import { alteredLog, type ModelEvent, type ToolContext, type ToolResult } from '@maru/protocol'
import { input, person, toolStart } from '@maru/testkit'
import { afterEach, expect, test } from 'vitest'
import { call, createEngine, expectVerified, say, tool } from './harness.ts'

// Whatever a test makes the engine do, its log must hold.
afterEach(expectVerified)

const ok = (stdout: string): ToolResult => ({ ok: true, stdout })

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
}

test('a question is answered, and everything is a fact', async () => {
  const engine = await createEngine({ replies: [say('안녕하세요')] })
  expect(await engine.ask('hello')).toBe('done')
  expect(await engine.kinds()).toEqual([
    'session-start',
    'input-admit',
    'run-start',
    'prompt-set',
    'turn-start',
    'turn-end',
    'run-end',
  ])
  expect(engine.requests[0]).toMatchObject({
    model: 'test-model',
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
  })
  expect(engine.shown).toMatchObject([{ type: 'text-delta', offset: 0, text: '안녕하세요' }])
  expect((await engine.facts()).at(-1)).toMatchObject({ reason: 'done', usage: { input: 10, output: 5 } })
})

test('what is said at the start is taken up, however late the log tells of it to whoever follows', async () => {
  const { deps, log, facts } = await createEngine({ replies: [say('heard')] })
  const deaf = alteredLog(log, {
    async *follow(_id, _after, signal) {
      await aborted(signal)
      yield* []
    },
  })
  expect(await runSession({ ...deps, log: deaf }, 's', new AbortController().signal, input('1', 'hello'))).toBe('done')
  expect((await facts()).at(-2)).toMatchObject({ type: 'turn-end', parts: [{ text: 'heard' }] })
})

test('what another door writes meanwhile is not taken for what is said at the start', async () => {
  const { deps, log, kinds } = await createEngine({ replies: [say('heard')] })
  const title = { type: 'title-set', key: 'title', by: person, title: 'meanwhile' } as const
  const busy = alteredLog(log, {
    async admit(id, fact) {
      await log.admit(id, title)
      // Until it was told to whoever follows.
      for await (const { type } of log.follow(id, 0, new AbortController().signal)) if (type === 'title-set') break
      return log.admit(id, fact)
    },
  })
  expect(await runSession({ ...deps, log: busy }, 's', new AbortController().signal, input('1', 'hello'))).toBe('done')
  expect((await kinds()).slice(0, 4)).toEqual(['session-start', 'title-set', 'input-admit', 'run-start'])
})

test('all results go back together, each under its own call, in the order of the calls', async () => {
  const order: string[] = []
  let letFirstEnd = () => {}
  const secondHasRun = new Promise<void>((resolve) => {
    letFirstEnd = resolve
  })
  const read = tool(
    'Read',
    async (args) => {
      const { name } = args as { name: string }
      // The first finishes last: only side by side can both start before one ends.
      if (name === 'a') await secondHasRun
      order.push(name)
      if (name === 'b') letFirstEnd()
      return ok(name)
    },
    { effect: 'none' },
  )
  const engine = await createEngine({
    replies: [call(['Read', { name: 'a' }], ['Read', { name: 'b' }]), say('done')],
    tools: [read],
  })
  expect(await engine.ask('read both')).toBe('done')
  expect(order).toEqual(['b', 'a'])
  const { messages } = engine.requests[1] ?? {}
  const calls = messages?.[1]?.parts
  expect(calls).toMatchObject([
    { type: 'call', vendorId: 'v0', tool: 'Read' },
    { type: 'call', vendorId: 'v1', tool: 'Read' },
  ])
  const ids = calls?.map((part) => (part.type === 'call' ? part.callId : ''))
  expect(messages?.[2]).toEqual({
    role: 'user',
    parts: [
      { type: 'result', callId: ids?.[0], ok: true, text: 'ok\na' },
      { type: 'result', callId: ids?.[1], ok: true, text: 'ok\nb' },
    ],
  })
})

test('calls with an effect run one after the other, and reads behind them see it', async () => {
  const trace: string[] = []
  const step = (name: string) => async () => {
    trace.push(`${name} starts`)
    await new Promise((resolve) => setImmediate(resolve))
    trace.push(`${name} ends`)
    return ok(name)
  }
  const tools = [tool('Write', step('write')), tool('Read', step('read'), { effect: 'none' })]
  const engine = await createEngine({ replies: [call(['Write', {}], ['Read', {}], ['Write', {}]), say('x')], tools })
  await engine.ask('go')
  expect(trace).toEqual(['write starts', 'write ends', 'read starts', 'read ends', 'write starts', 'write ends'])
})

test('what is wrong with a call goes back as a diagnostic, and nothing runs', async () => {
  let ran = 0
  const schema = {
    type: 'object',
    properties: { path: { type: 'string' } },
    required: ['path'],
    additionalProperties: false,
  }
  const read = tool('Read', () => ok(String(++ran)), { schema })
  const bad = call(
    ['Read', { path: 7 }],
    ['Read', {}],
    ['Read', { path: 'a', x: 1 }],
    ['Nope', {}],
    ['Read', '{"path": "cut'],
  )
  const engine = await createEngine({ replies: [bad, say('sorry')], tools: [read] })
  expect(await engine.ask('go')).toBe('done')
  expect(ran).toBe(0)
  const facts = await engine.facts()
  expect(facts.filter(({ type }) => type === 'tool-start')).toEqual([])
  const codes = facts.flatMap((fact) => (fact.type === 'tool-end' ? [fact.result.diagnostics?.[0]?.code] : []))
  expect(codes).toEqual(['invalid-arguments', 'invalid-arguments', 'invalid-arguments', 'unknown-tool', 'invalid-json'])
  expect(JSON.stringify(engine.requests[1])).toContain('path')
})

test('the same failing call is not run a fourth time, and a circle ends the run', async () => {
  let ran = 0
  const fail = tool('Fail', () => {
    ran++
    return { ok: false, diagnostics: [{ code: 'no', message: 'never works' }] }
  })
  const engine = await createEngine({ replies: Array.from({ length: 20 }, () => call(['Fail', {}])), tools: [fail] })
  expect(await engine.ask('go')).toBe('repetition')
  expect(ran).toBe(3)
  expect(JSON.stringify(engine.requests.at(-1))).toContain('struck-out')
})

test.each([
  ['turns', { turns: 3 }, 'turn-limit', 3],
  ['tokens', { turns: 20, tokens: 30 }, 'token-limit', 2],
  ['time', { turns: 20, milliseconds: 25 }, 'time-limit', 3],
])('a limit on %s ends the run by its name', async (_what, limits, reason, turns) => {
  let clock = 0
  let count = 0
  const look = tool('Look', () => ok(`${++count}`), { effect: 'none' })
  const replies = Array.from({ length: 20 }, () => () => {
    clock += 10
    return call(['Look', {}])
  })
  const engine = await createEngine({ replies, tools: [look], settings: { limits }, now: () => clock })
  expect(await engine.ask('go')).toBe(reason)
  expect(engine.requests).toHaveLength(turns)
})

test('a denied call does not run, and the model is told why', async () => {
  const run = tool('Run', () => ok('ran'))
  const decide = () => ({ verdict: 'deny', rule: 'r', reason: 'it is dangerous' }) as const
  const engine = await createEngine({ replies: [call(['Run', {}]), say('fine')], tools: [run], decide })
  expect(await engine.ask('go')).toBe('done')
  expect(await engine.kinds()).not.toContain('tool-start')
  expect(JSON.stringify(engine.requests[1])).toContain('it is dangerous')
})

const askFirst = () => ({ verdict: 'ask', rule: 'r', reason: 'has an effect' }) as const

test('an approval is awaited on the log, and the first answer decides', async () => {
  const run = tool('Run', () => ok('ran'))
  const engine = await createEngine({ replies: [call(['Run', {}]), say('fine')], tools: [run], decide: askFirst })
  const running = engine.ask('go')
  const asked = await waitFor(engine, 'approval-ask')
  const answer = { type: 'approval-answer', by: person, callId: asked.callId, actionHash: asked.actionHash } as const
  await engine.admit({ ...answer, key: '1', option: 'deny', words: 'not now' })
  await engine.admit({ ...answer, key: '2', option: 'allow' })
  expect(await running).toBe('done')
  expect(await engine.kinds()).not.toContain('tool-start')
  expect(JSON.stringify(engine.requests[1])).toContain('the user declined: not now')
})

test('where nobody is there to ask, ask means no', async () => {
  const engine = await createEngine({
    replies: [call(['Run', {}]), say('fine')],
    tools: [tool('Run', () => ok('ran'))],
    decide: askFirst,
    settings: { isUnattended: true },
  })
  expect(await engine.ask('go')).toBe('done')
  expect(await engine.kinds()).not.toContain('approval-ask')
  expect((await engine.facts()).find(({ type }) => type === 'tool-end')).toMatchObject({ outcome: 'denied' })
})

test('a dry run says what it would do and does nothing', async () => {
  let ran = 0
  const tools = [tool('Run', () => ok(String(++ran))), tool('Look', () => ok('seen'), { effect: 'none' })]
  const engine = await createEngine({
    replies: [call(['Run', {}], ['Look', {}]), say('plan')],
    tools,
    settings: { isDryRun: true },
  })
  expect(await engine.ask('go')).toBe('done')
  expect(ran).toBe(0)
  expect(JSON.stringify(engine.requests[1])).toContain('dry run: nothing was done')
  expect(JSON.stringify(engine.requests[1])).toContain('seen')
})

test('what is said while it works is taken at the next step, or waits for its own run', async () => {
  const look = tool('Look', async () => ok('seen'), { effect: 'none' })
  const engine = await createEngine({
    replies: [() => call(['Look', {}]), say('after steering'), say('after the queue')],
    tools: [
      {
        ...look,
        async prepare(args, context) {
          await engine.admit({ ...input('steer', 'also check b'), delivery: 'steer' } as never)
          await engine.admit(input('queued', 'next task'))
          return look.prepare(args, context)
        },
      },
    ],
  })
  expect(await engine.ask('check a')).toBe('done')
  const texts = engine.requests.map(({ messages }) =>
    messages.at(-1)?.parts.map((part) => ('text' in part ? part.text : '')),
  )
  expect(texts).toEqual([['check a'], ['ok\nseen', 'also check b'], ['next task']])
  expect((await engine.kinds()).filter((kind) => kind === 'run-start')).toHaveLength(2)
})

test('interrupted while the model speaks, the partial text is kept and the conversation goes on', async () => {
  const engine = await createEngine({
    replies: [
      async function* (_request, signal): AsyncGenerator<ModelEvent> {
        yield { type: 'text-delta', part: 0, text: 'I was just' }
        await engine.admit({ type: 'interrupt', key: 'stop', by: person })
        await aborted(signal)
        const parts = [{ type: 'text' as const, text: 'I was just' }]
        yield { type: 'failure', failure: { code: 'aborted', message: 'stopped' }, parts }
      },
      say('yes?'),
    ],
  })
  expect(await engine.ask('talk')).toBe('interrupted')
  expect(await engine.ask('go on')).toBe('done')
  expect(engine.requests[1]?.messages).toMatchObject([
    { role: 'user' },
    { role: 'assistant', parts: [{ text: 'I was just' }] },
    { role: 'user', parts: [{ text: '[The user interrupted here.]' }, { text: 'go on' }] },
  ])
})

test('interrupted while a tool runs, the tool is stopped and what comes behind it does not start', async () => {
  const wait = tool('Wait', async (_args, signal) => {
    await engine.admit({ type: 'interrupt', key: 'stop', by: person })
    await aborted(signal)
    return { ok: false, diagnostics: [{ code: 'stopped', message: 'stopped' }] }
  })
  const engine = await createEngine({ replies: [call(['Wait', {}], ['Wait', {}])], tools: [wait] })
  expect(await engine.ask('go')).toBe('interrupted')
  const ends = (await engine.facts()).flatMap((fact) => (fact.type === 'tool-end' ? [fact.outcome] : []))
  expect(ends).toEqual(['interrupted', 'interrupted'])
  expect((await engine.kinds()).filter((kind) => kind === 'tool-start')).toHaveLength(1)
})

test('a cut stream is gone on from; one that is cut again and again ends the run', async () => {
  const cut = (text: string): ModelEvent[] => [
    { type: 'failure', failure: { code: 'cut', message: 'the stream ended early' }, parts: [{ type: 'text', text }] },
  ]
  const engine = await createEngine({ replies: [cut('The answer '), say('is 4.')] })
  expect(await engine.ask('2+2?')).toBe('done')
  expect(engine.requests[1]?.messages.slice(1)).toMatchObject([
    { role: 'assistant', parts: [{ text: 'The answer ' }] },
    { role: 'user', parts: [{ text: expect.stringContaining('cut off') }] },
  ])
  const hopeless = await createEngine({ replies: [cut(''), cut(''), cut('')] })
  expect(await hopeless.ask('2+2?')).toBe('failed')
  expect((await hopeless.facts()).at(-1)).toMatchObject({ reason: 'failed', detail: 'the stream ended early' })
})

test('long content goes into blobs, and the model still sees all of it', async () => {
  const long = '가나다 '.repeat(5_000)
  const engine = await createEngine({
    replies: [call(['Echo', { text: long }]), say('ok')],
    tools: [tool('Echo', () => ok('fine'))],
  })
  expect(await engine.ask(long)).toBe('done')
  const facts = await engine.facts()
  const longest = Math.max(...facts.slice(2).map((fact) => JSON.stringify(fact).length))
  expect(longest).toBeLessThan(16 * 1024)
  expect(engine.requests[1]?.messages[1]?.parts[0]).toMatchObject({ type: 'call', args: { text: long } })
})

test('the same test after each edit is run each time, however often it fails', async () => {
  let failures = 0
  const tools = [
    tool('Test', () => (++failures > 5 ? ok('passes') : { ok: false, stdout: `failure ${failures}` })),
    tool('Edit', (args) => ok(JSON.stringify(args))),
  ]
  const replies = Array.from({ length: 6 }, (_, n) => [call(['Test', {}]), call(['Edit', { n }])]).flat()
  const engine = await createEngine({ replies: [...replies, say('it passes')], tools })
  expect(await engine.ask('fix it')).toBe('done')
  expect(failures).toBe(6)
})

test('a call too large to be put to a person is an error, and the session goes on', async () => {
  const huge = { ...tool('Huge', () => ok('ran')) }
  const preview = { kind: 'text' as const, text: 'x'.repeat(2_000_000) }
  const prepare: typeof huge.prepare = async () => ({ access: [], preview, basis: [], run: async () => ok('ran') })
  const engine = await createEngine({
    replies: [call(['Huge', {}]), say('fine')],
    tools: [{ ...huge, prepare }],
    decide: askFirst,
  })
  expect(await engine.ask('go')).toBe('done')
  expect((await engine.facts()).find(({ type }) => type === 'tool-end')).toMatchObject({ outcome: 'error' })
})

test('stopped while a call is prepared, it does not run', async () => {
  let ran = 0
  const slow = tool('Slow', () => ok(String(++ran)))
  const prepare: typeof slow.prepare = async (args, context) => {
    await engine.admit({ type: 'interrupt', key: 'stop', by: person })
    await aborted(context.signal)
    return slow.prepare(args, context)
  }
  const engine = await createEngine({ replies: [call(['Slow', {}])], tools: [{ ...slow, prepare }] })
  expect(await engine.ask('go')).toBe('interrupted')
  expect(ran).toBe(0)
})

test('each question of a call gets its own answer', async () => {
  const asking = {
    ...tool('Ask', () => ok('')),
    prepare: async () => ({
      access: [],
      basis: [],
      run: async ({ ask }: ToolContext) =>
        ok(JSON.stringify([await ask({ question: 'name?' }), await ask({ question: 'sure?' })])),
    }),
  }
  const engine = await createEngine({ replies: [call(['Ask', {}]), say('ok')], tools: [asking] })
  const running = engine.ask('go')
  let answered = 0
  for await (const fact of engine.log.follow('s', 0, AbortSignal.timeout(60_000))) {
    if (fact.type !== 'question-ask') continue
    const answer = { kind: 'words' as const, words: `to ${fact.question}` }
    await engine.admit({
      type: 'question-answer',
      key: fact.questionId,
      by: person,
      questionId: fact.questionId,
      answer,
    })
    if (++answered === 2) break
  }
  expect(await running).toBe('done')
  expect(JSON.stringify(engine.requests[1])).toContain('to sure?')
})

test.each([
  ['refusal', 'failed'],
  ['filter', 'failed'],
  ['length', 'token-limit'],
  ['stop-sequence', 'done'],
] as const)('an answer that stops for %s ends the run as %s', async (stop, reason) => {
  const engine = await createEngine({ replies: [[{ type: 'finish', stop, parts: [{ type: 'text', text: 'half' }] }]] })
  expect(await engine.ask('go')).toBe(reason)
})

test('a message added while the request is built is not claimed to have been sent', async () => {
  const engine = await createEngine({ replies: [say('one'), say('two')] })
  const { hash } = engine.deps
  let isAdded = false
  engine.deps.hash = (text) => {
    if (!isAdded && text.includes('"messages"')) {
      isAdded = true
      const note = {
        type: 'message-add',
        key: 'note',
        by: person,
        role: 'user',
        parts: [{ type: 'text', text: 'by the way' }],
      } as const
      void engine.admit(note as never)
    }
    return hash(text)
  }
  expect(await engine.ask('go')).toBe('done')
  expect(await engine.ask('again')).toBe('done')
  expect(JSON.stringify(engine.requests[0])).not.toContain('by the way')
  expect(JSON.stringify(engine.requests[1])).toContain('by the way')
})

test('a name that no vendor takes goes back in one that it does', async () => {
  const engine = await createEngine({ replies: [call(['functions.Read 파일', {}]), say('sorry')] })
  expect(await engine.ask('go')).toBe('done')
  expect(engine.requests[1]?.messages[1]?.parts[0]).toMatchObject({ type: 'call', tool: 'functions_Read___' })
})

test('two inputs that wait are two runs', async () => {
  const engine = await createEngine({ replies: [say('one'), say('two')] })
  await engine.admit(input('a', 'first'))
  await engine.admit(input('b', 'second'))
  expect(await engine.run()).toBe('done')
  expect((await engine.kinds()).filter((kind) => kind === 'run-start')).toHaveLength(2)
})

test('a tool that throws is reported to the model, and the session goes on', async () => {
  const broken = tool('Broken', () => {
    throw new Error('a bug')
  })
  const unprepared = {
    ...tool('Unprepared', () => ok('never')),
    prepare: async () => Promise.reject(new Error('another bug')),
  }
  const engine = await createEngine({
    replies: [call(['Broken', {}], ['Unprepared', {}]), say('I see')],
    tools: [broken, unprepared],
  })
  expect(await engine.ask('go')).toBe('done')
  const crashed = (await engine.facts()).flatMap((fact) =>
    fact.type === 'tool-end' ? [fact.result.diagnostics?.[0]?.message] : [],
  )
  expect(crashed).toEqual(['the tool itself failed: a bug', 'the tool itself failed: another bug'])
})

test('a provider that throws fails the run by its name, and the next one works', async () => {
  const engine = await createEngine({
    replies: [
      () => {
        throw new Error('a bug of the provider')
      },
      say('back again'),
    ],
  })
  expect(await engine.ask('go')).toBe('failed')
  expect((await engine.facts()).at(-1)).toMatchObject({ reason: 'failed', detail: 'a bug of the provider' })
  expect(await engine.ask('again')).toBe('done')
})

test('a fact that only a runner may write cannot be admitted while it works', async () => {
  const engine = await createEngine({ replies: [say('hi')] })
  await expect(engine.admit(toolStart('c') as never)).rejects.toMatchObject({ code: 'rejected' })
})

async function waitFor(engine: Awaited<ReturnType<typeof createEngine>>, type: 'approval-ask') {
  for await (const fact of engine.log.follow('s', 0, AbortSignal.timeout(60_000))) if (fact.type === type) return fact
  throw new Error(`no ${type} came`)
}
