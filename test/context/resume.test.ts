import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { runSession, type SessionDeps, verifySession } from '@maru/agent'
import type { ModelEvent, ModelRequest, SessionLog } from '@maru/protocol'
import { createProvider } from '@maru/providers'
import { startScriptedModel } from '@maru/scripted-model'
import { openJsonlStore, sha256 } from '@maru/store'
import { input, start, temporaryDirectory } from '@maru/testkit'
import { expect, test } from 'vitest'
import { call, createEngine, say, tool } from '../engine/harness.ts'

const look = tool('Look', (args) => ({ ok: true, stdout: `${JSON.stringify(args)} ${'and so on '.repeat(300)}` }), {
  effect: 'none',
})
const settings = { context: { limit: 12_000, canCompact: true, canPrune: true }, limits: { turns: 1_000 } }

// The engine of the harness over files, with what a test needs to see of the log.
async function openFiles(directory: string, { hasStates, turns }: { hasStates: boolean; turns: number }) {
  const { deps: base } = await createEngine({ replies: [], tools: [look], settings })
  const { log, blobs, states } = openJsonlStore({ directory, now: () => 1 })
  const requests: ModelRequest[] = []
  const reads: number[] = []
  let ids = 0
  const watched: SessionLog = Object.assign(Object.create(log) as SessionLog, {
    read(id: string, after = 0) {
      reads.push(after)
      return log.read(id, after)
    },
  })
  for (const name of ['create', 'lease', 'admit', 'append', 'follow', 'close'] as const)
    Object.assign(watched, { [name]: (log[name] as (...args: never[]) => unknown).bind(log) })
  const answer = (request: ModelRequest): ModelEvent[] => {
    requests.push(request)
    if (request.tools.length === 0) return say('a summary')
    const made = requests.filter(({ tools }) => tools.length > 0).length
    return made <= turns ? call(['Look', { n: made }]) : say('done')
  }
  const deps: SessionDeps = {
    ...base,
    log: watched,
    blobs,
    ...(hasStates && { states }),
    provider: {
      async *stream(request) {
        yield* answer(request)
      },
    },
    newId: () => `${hasStates}${directory.length}${++ids}`,
    hash: sha256,
  }
  return { deps, log, blobs, requests, reads }
}

test('a long session goes on from what was kept beside its log, with the very same request', async () => {
  const { path, dispose } = await temporaryDirectory()
  try {
    const [first, second] = [join(path, 'a'), join(path, 'b')]
    const before = await openFiles(first, { hasStates: true, turns: 130 })
    await before.log.create('s', start)
    expect(await runSession(before.deps, 's', new AbortController().signal, input('1', 'look'))).toBe('done')
    await before.log.close()
    await cp(first, second, { recursive: true })
    const goOn = async (directory: string, hasStates: boolean) => {
      const opened = await openFiles(directory, { hasStates, turns: 0 })
      await runSession(opened.deps, 's', new AbortController().signal, input('2', 'where were we?'))
      const verified = await verifySession(opened.log.read('s'), { id: 's', blobs: opened.blobs, hash: sha256 })
      await opened.log.close()
      return { ...opened, verified }
    }
    const resumed = await goOn(first, true)
    const read = await goOn(second, false)
    expect(resumed.requests[0]).toEqual(read.requests[0])
    expect(JSON.stringify(resumed.requests[0])).toContain('where were we?')
    // Nothing of the old log was read again, but the end of it.
    expect(read.reads).toContain(0)
    expect(Math.min(...resumed.reads)).toBeGreaterThan(130)
    expect(resumed.verified).toMatchObject({ adapted: 0 })
  } finally {
    await dispose()
  }
})

test.each([
  [
    'anthropic',
    { status: 400, type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
  ],
  [
    'openai',
    { status: 400, code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' },
  ],
  ['openai-chat', { status: 400, message: "This model's maximum context length is 8192 tokens." }],
] as const)('on the wire of %s, what is too long is condensed, and the run goes on', async (vendor, error) => {
  let turn = 0
  const model = await startScriptedModel({
    script: ({ view }) => {
      if (view.texts.some((text) => text.startsWith('You summarise'))) return { reply: [{ text: '### Goal\nlook' }] }
      if (++turn === 4) return { error }
      return { reply: turn < 4 ? [{ call: 'Look', args: { n: turn } }] : [{ text: 'went on' }] }
    },
  })
  try {
    const context = { limit: 100_000, canCompact: true, canPrune: false }
    const engine = await createEngine({ replies: [], tools: [look], settings: { context } })
    engine.deps.provider = createProvider({ vendor, key: 'k', baseUrl: model.url, limits: { retries: 0 } })
    expect(await engine.ask('look around, and never stop')).toBe('done')
    expect(model.problems).toEqual([])
    const kinds = await engine.kinds()
    expect(kinds.filter((kind) => kind === 'context-compact')).toHaveLength(1)
    expect(kinds.at(-2)).toBe('turn-end')
    expect(new TextDecoder().decode(model.requests.at(-1)?.rawBody)).toContain('never stop')
  } finally {
    await model.close()
  }
})
