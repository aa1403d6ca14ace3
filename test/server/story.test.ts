import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { api, Recorded, RecordedOf } from '@maru/protocol'
import { type Sleep, startScriptedModel } from '@maru/scripted-model'
import { expect, onTestFinished, test } from 'vitest'
import { type Listener, listenTo } from './listener.ts'
import { openPlace, until } from './processes.ts'

const wordsOf = (name: string) => Array.from({ length: 60 }, (_, at) => `${name}${at}`).join(' ')
const [plan, report] = [wordsOf('길'), wordsOf('done')]
const DELTA = 8

test('a session that is begun over HTTP is approved from a terminal; whoever is cut off or comes late misses nothing', {
  timeout: 240_000,
}, async () => {
  const stream = createGates()
  const model = await startScriptedModel({
    script: ({ view }) =>
      view.toolResults.length > 0
        ? { reply: [{ text: report }] }
        : { reply: [{ text: plan }, { call: 'RunCommand', args: { command: 'touch touched' } }] },
    delivery: { deltaSize: DELTA, deltaDelayMs: 1 },
    sleep: stream.sleep,
  })
  onTestFinished(() => model.close())
  const place = await openPlace(model.url)
  onTestFinished(() => place.close())

  const serving = place.maru('serve', '--json', '--port', '0', '--root', place.repo)
  await until(
    () => serving.heard.stdout.includes('\n'),
    () => serving.heard,
  )
  const server = JSON.parse(serving.heard.stdout) as { url: string; token: string }
  const ask = (path: string, body?: unknown) =>
    fetch(`${server.url}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    })

  stream.stopAfter(12)
  const begun = await ask('sessions', { repo: place.repo, mode: 'ask', input: '파일을 만들어 주세요' })
  expect(begun.status).toBe(201)
  const { id } = (await begun.json()) as api.Session
  const listeners: Listener[] = []
  const listen = () => {
    const listener = listenTo(server, id)
    onTestFinished(() => listener.connection.close())
    listeners.push(listener)
    return listener
  }
  const textOf = ({ texts }: Listener) => [...texts.values()].at(-1) ?? ''
  const hears = (listener: Listener, deltas: number) =>
    until(
      () => textOf(listener).length >= deltas * DELTA,
      () => [textOf(listener), listener.faults, listener.connection.state],
    )

  // The first is cut in the middle of the text, and does not hear how it goes on.
  const first = listen()
  await hears(first, 12)
  first.cut()
  await until(() => first.connection.state !== 'open')
  stream.stopAfter(24)
  const terminal = place.maru('attach', id)
  const script = place.maru('attach', id, '--json')
  // The third comes in the middle of the turn, and has it from its first word.
  const third = listen()
  await hears(third, 24)
  expect(textOf(first).length).toBeLessThan(24 * DELTA)
  first.mend()
  await hears(first, 24)
  await until(
    () => script.heard.stdout.includes('text-delta'),
    () => script.heard,
  )
  stream.goOn()

  // In another process, a person says yes.
  await until(
    () => terminal.heard.stdout.includes('(y/N)'),
    () => terminal.heard,
  )
  expect(terminal.heard.stdout).toContain('touch touched')
  expect(existsSync(join(place.repo, 'touched'))).toBe(false)
  terminal.child.stdin.write('y\n')
  const isOver = ({ facts }: Listener) => facts.some(({ type }) => type === 'run-end')
  await until(
    () => listeners.every(isOver) && script.heard.stdout.includes('"run-end"'),
    () => [listeners.map(({ facts }) => facts.map(({ type }) => type)), terminal.heard, script.heard.stderr],
  )
  expect(existsSync(join(place.repo, 'touched'))).toBe(true)
  terminal.child.stdin.end()
  expect(await terminal.ended).toBe(0)
  expect(terminal.heard.stdout).toContain('done59')
  script.child.kill('SIGINT')
  expect(await script.ended).toBe(130)

  // Every fact once and in order, for all of them.
  const exported = await (await ask(`conversations/${id}/export?format=jsonl`)).text()
  const stored = linesOf(exported)
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, at) => at + 1))
  for (const { facts, faults } of listeners) {
    expect(faults).toEqual([])
    expect(facts).toEqual(stored)
  }
  expect(linesOf(script.heard.stdout).filter((line) => 'seq' in line)).toEqual(stored)
  const answers = stored.filter((fact): fact is RecordedOf<'approval-answer'> => fact.type === 'approval-answer')
  expect(answers).toMatchObject([{ by: { kind: 'person', door: 'terminal' } }])

  // What was seen while it was written is what the turns said in the end.
  const turns = stored.filter((fact): fact is RecordedOf<'turn-end'> => fact.type === 'turn-end')
  expect(turns.map(({ parts }) => parts[0])).toMatchObject([{ text: plan }, { text: report }])
  for (const { texts } of listeners) expect([...texts.values()]).toEqual([plan, report])

  serving.child.kill('SIGTERM')
  expect(await serving.ended).toBe(130)
  expect(model.problems).toEqual([])
})

function linesOf(text: string): Recorded[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
}

/** A model that falls silent behind so many pieces until it is told to go on: nothing here depends on how quick anybody is. */
function createGates() {
  let most = Number.POSITIVE_INFINITY
  let pieces = 0
  let wake = (): void => undefined
  const sleep: Sleep = async (_ms, signal) => {
    pieces++
    while (pieces >= most && !signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  }
  return {
    sleep,
    stopAfter(count: number) {
      most = count
      wake()
    },
    goOn() {
      most = Number.POSITIVE_INFINITY
      wake()
    },
  }
}
