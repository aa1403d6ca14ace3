import { expect, test } from 'vitest'
import { ask, assistant, finishOf, run, serve, textOfEvents, user, VENDORS } from './support.ts'

const png = { mediaType: 'image/png', data: 'iVBORw0KGgo=' }

for (const vendor of VENDORS) {
  test(`${vendor}: a conversation with thinking, parallel calls and images is taken back as the vendor wants it`, async () => {
    const { model, provider } = await serve({
      script: [
        {
          reply: [
            { thinking: ['파일을 봐야지', 'both of them'] },
            { text: 'Let me look.' },
            { call: 'ReadFile', args: { path: '한글.ts' } },
            { call: 'ReadFile', args: {} },
          ],
          usage: { input: 900, output: 40, cacheRead: 700, cacheWrite: 100, reasoning: 12 },
          delivery: { deltaSize: 3, interleaveCalls: true, noise: ['ping', 'comment', 'unknown-event'] },
        },
        {
          expect: { toolResult: 'export', image: true },
          reply: [{ thinking: 'again' }, { call: 'ReadFile', args: { path: 'b' } }],
        },
        { expect: { toolResult: 'no such file' }, reply: [{ text: '다 봤어요 👩‍💻' }] },
        { expect: { text: 'thanks' }, reply: [{ text: 'Bye.' }] },
      ],
    })
    const maru = provider(vendor)
    const ids = { next: 1 }
    const first = finishOf(await run(maru, ask()))
    expect(first.stop).toBe('calls')
    expect(first.parts.filter((part) => part.type !== 'opaque')).toEqual([
      { type: 'reasoning', text: '파일을 봐야지\n\nboth of them' },
      { type: 'text', text: 'Let me look.' },
      { type: 'call', callId: expect.any(String), tool: 'ReadFile', args: { path: '한글.ts' } },
      { type: 'call', callId: expect.any(String), tool: 'ReadFile', args: {} },
    ])
    expect(first.usage).toMatchObject({ input: 900, output: 40, cacheRead: 700, reasoning: 12 })
    const messages = [
      user('hello'),
      assistant(first.parts, ids),
      user(
        { type: 'result', callId: 'c1', ok: true, text: 'export {}', images: [png] },
        { type: 'result', callId: 'c2', ok: false, text: 'path is missing' },
      ),
    ]
    const second = finishOf(await run(maru, ask({ messages })))
    messages.push(assistant(second.parts, ids), user({ type: 'result', callId: 'c3', ok: false, text: 'no such file' }))
    const third = await run(maru, ask({ messages }))
    expect(textOfEvents(third)).toBe('다 봤어요 👩‍💻')
    messages.push(assistant(finishOf(third).parts, ids), user('thanks', { type: 'image', ...png }))
    expect(finishOf(await run(maru, ask({ messages }))).stop).toBe('end')
    expect(model.problems.map((problem) => problem.message)).toEqual([])
    expect(model.stepsLeft).toBe(0)
  })

  test(`${vendor}: after a cut the partial answer is sent back and the conversation goes on`, async () => {
    const { model, provider } = await serve({
      script: [
        {
          reply: [{ thinking: 'hm' }, { text: 'a'.repeat(400) }, { call: 'ReadFile', args: { path: 'x'.repeat(400) } }],
          failure: { afterDeltas: 40, type: 'overloaded_error' },
        },
        { reply: [{ text: 'done' }] },
      ],
    })
    const maru = provider(vendor)
    const events = await run(maru, ask())
    const failed = events.at(-1)
    expect(failed).toMatchObject({ type: 'failure', failure: { code: 'overloaded' } })
    const parts = failed?.type === 'failure' ? failed.parts : []
    expect(parts.filter((part) => part.type === 'call')).toEqual([])
    expect(parts.find((part) => part.type === 'text')).toEqual({ type: 'text', text: 'a'.repeat(400) })
    await run(maru, ask({ messages: [user('hello'), assistant(parts)] }))
    expect(model.problems.map((problem) => problem.message)).toEqual([])
    expect(model.stepsLeft).toBe(0)
  })

  test(`${vendor}: what another vendor or model kept for itself is not sent`, async () => {
    const { model, provider } = await serve({ script: () => ({ reply: [{ text: 'ok' }] }) })
    const foreign = VENDORS.map((name) => ({
      type: 'opaque' as const,
      vendor: name,
      data: {
        model: 'other-model',
        item: { type: 'thinking', thinking: 'secret thought', signature: 'x', field: 'reasoning' },
      },
    }))
    const parts = [
      { type: 'reasoning' as const, text: 'secret thought' },
      ...foreign,
      { type: 'text' as const, text: 'so' },
    ]
    await run(provider(vendor), ask({ messages: [user('hello'), { role: 'assistant', parts }, user('go on')] }))
    expect(model.problems).toEqual([])
    expect(JSON.stringify(model.requests[0]?.body)).not.toContain('secret thought')
  })

  test(`${vendor}: a forced call, an output schema, an effort and a limit are asked for in the vendor's words`, async () => {
    const { model, provider } = await serve({ script: () => ({ reply: [{ text: '{}' }] }) })
    const outputSchema = { type: 'object', properties: {}, additionalProperties: false }
    const params = { outputSchema, effort: 'high', maxOutput: 999, forceTool: true }
    await run(provider(vendor), ask({ params }))
    expect(model.problems).toEqual([])
    expect(model.requests[0]?.body).toMatchObject(
      {
        anthropic: {
          max_tokens: 999,
          tool_choice: { type: 'any' },
          output_config: { effort: 'high', format: { type: 'json_schema', schema: outputSchema } },
        },
        openai: {
          max_output_tokens: 999,
          tool_choice: 'required',
          reasoning: { effort: 'high', summary: 'auto' },
          text: { format: { type: 'json_schema', name: 'answer', schema: outputSchema, strict: true } },
          store: false,
          include: ['reasoning.encrypted_content'],
        },
        'openai-chat': {
          max_tokens: 999,
          tool_choice: 'required',
          reasoning_effort: 'high',
          response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: outputSchema, strict: true } },
          stream_options: { include_usage: true },
        },
      }[vendor],
    )
  })

  test(`${vendor}: each request repeats the bytes of the one before it`, async () => {
    const { model, provider } = await serve({
      script: [{ reply: [{ call: 'ReadFile', args: { path: 'a' } }] }, { reply: [{ text: 'ok' }] }],
    })
    const maru = provider(vendor)
    const { parts } = finishOf(await run(maru, ask()))
    const messages = [user('hello'), assistant(parts), user({ type: 'result', callId: 'c1', ok: true, text: 'x' })]
    await run(maru, ask({ messages }))
    // Marks say what to cache; they are no part of what is cached.
    const [one = '', two = ''] = model.requests.map(({ rawBody }) =>
      Buffer.from(rawBody).toString().replaceAll(',"cache_control":{"type":"ephemeral"}', ''),
    )
    const shared = one.replace(/\]\}$/, '')
    expect(two.startsWith(shared)).toBe(true)
  })
}
