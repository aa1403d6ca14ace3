import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { runSession } from '@maru/agent'
import type { ModelRequest, Recorded } from '@maru/protocol'
import { openJsonlStore } from '@maru/store'
import { collect, input, start, temporaryDirectory } from '@maru/testkit'
import { createTools } from '@maru/tools'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { call, createEngine, say } from './harness.ts'

let place: Awaited<ReturnType<typeof temporaryDirectory>>
beforeEach(async () => {
  place = await temporaryDirectory()
})
afterEach(() => place.dispose())

/** Says something to a session on the disk as a process of its own would: everything opened anew, and closed. */
async function work(text: string, replies: Parameters<typeof createEngine>[0]['replies']) {
  const { log, blobs } = openJsonlStore({ directory: join(await realpath(place.path), 'sessions'), now: Date.now })
  const tools = createTools({ root: place.path, environment: process.env })
  const engine = await createEngine({ replies })
  const isNew = (await collect(log.list())).length === 0
  if (isNew) await log.create('s', start)
  await log.admit('s', input(text))
  const newId = () => `${text}-${++ids}`
  await runSession({ ...engine.deps, log, blobs, tools, newId }, 's', new AbortController().signal)
  const facts = await collect(log.read('s'))
  await tools.close()
  await log.close()
  return { facts, requests: engine.requests }
}

let ids = 0

const COMMAND = { command: 'for n in $(seq 5000); do echo "line $n"; done' }

const keptCall = (facts: Recorded[]) => {
  const end = facts.find((fact) => fact.type === 'tool-end' && fact.parts.some(({ type }) => type === 'file'))
  return end?.type === 'tool-end' ? end.callId : ''
}

const lastResult = (requests: ModelRequest[]) => {
  const part = requests.at(-1)?.messages.at(-1)?.parts.at(-1)
  return part?.type === 'result' ? part.text : ''
}

test('a long output is a blob of the log, which the model is told of and does not carry along', async () => {
  const { facts, requests } = await work('go', [call(['RunCommand', COMMAND]), say('done')])
  const told = lastResult(requests)
  expect(told).toContain(`ReadFile path="output:${keptCall(facts)}"`)
  expect(told.length).toBeLessThanOrEqual(10_000)
  expect(JSON.stringify(requests)).not.toContain('attached')
  expect(JSON.stringify(requests)).not.toContain('line 2500')
})

test('it is read by range in the same run, and after the session was opened again from its log', async () => {
  const read = (facts: Recorded[]) => ({ path: `output:${keptCall(facts)}`, startLine: 2_500, endLine: 2_501 })
  const expected = '2500\tline 2500\n2501\tline 2501\n'
  const first = await work('go', [
    call(['RunCommand', COMMAND]),
    (request) => {
      const [, path = ''] = /path="(output:[^"]+)"/.exec(JSON.stringify(request).replaceAll('\\', '')) ?? []
      return call(['ReadFile', { path, startLine: 2_500, endLine: 2_501 }])
    },
    say('done'),
  ])
  expect(lastResult(first.requests)).toContain(expected)

  const again = await work('again', [call(['ReadFile', read(first.facts)]), say('done')])
  expect(lastResult(again.requests)).toContain(expected)

  const unknown = await work('unknown', [call(['ReadFile', { path: 'output:__proto__' }]), say('done')])
  expect(lastResult(unknown.requests)).toContain('not-found')
})
