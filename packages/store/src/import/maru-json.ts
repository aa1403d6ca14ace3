import { countOf, isObject, type JsonObject, listOf, objectOf, present, textOf, timeOf } from './read-value.ts'
import type { ImportFact, ImportPart, ImportStep } from './steps.ts'

/** Whether a value is a conversation as Maru itself exports it. */
export function isMaruJson(value: JsonObject): boolean {
  return value['format'] === 'maru-conversation'
}

/** A conversation that Maru exported as JSON: what was said and what calls came to, as far as it stands there. */
export function* readMaruJson(value: JsonObject, place: string): Generator<ImportStep, void> {
  const key = textOf(value['id'])
  if (key === undefined) {
    yield { kind: 'problem', place, reason: 'a conversation without an id' }
    return
  }
  const about = { at: timeOf(value['startedAt']), title: textOf(value['title']), cwd: textOf(value['cwd']) }
  yield { kind: 'session', source: 'maru', key, ...present(about) }
  for (const [n, entry] of listOf(value['messages']).entries()) {
    if (!isObject(entry)) {
      yield { kind: 'problem', place: `${place}, message ${n + 1}`, reason: 'it is no object' }
      continue
    }
    const at = timeOf(entry['at']) ?? about.at
    for (const fact of factsOf(entry, `message ${n + 1}`)) {
      yield { kind: 'fact', session: key, ...(at !== undefined && { at }), fact }
    }
  }
}

function factsOf(entry: JsonObject, key: string): ImportFact[] {
  if (entry['kind'] === 'note') return [{ type: 'foreign', place: key, value: entry }]
  const role = entry['role']
  const calls = listOf(entry['calls']).filter(isObject) as JsonObject[]
  const [text, reasoning] = [textOf(entry['text']), textOf(entry['reasoning'])]
  const parts: ImportPart[] = [
    ...(reasoning === undefined ? [] : [{ type: 'reasoning' as const, text: reasoning }]),
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...calls.map((call) => ({
      type: 'call' as const,
      callId: textOf(call['callId']) ?? key,
      tool: textOf(call['tool']) ?? 'tool',
      args: call['args'] ?? {},
    })),
    ...listOf(entry['attachments']).map((value) => ({ type: 'data' as const, schema: 'maru/attachment', value })),
  ]
  const about = {
    model: textOf(entry['model']),
    finish: textOf(entry['stop']),
    tokens: countOf(objectOf(entry['usage'])['output']),
  }
  const said: ImportFact = {
    type: 'message',
    key,
    role: role === 'user' || role === 'assistant' ? role : 'system',
    parts,
    ...present(about),
  }
  return [said, ...calls.filter(({ state }) => ENDED.has(textOf(state) ?? '')).map((call) => endOf(call, key))]
}

const ENDED = new Set(['ok', 'error', 'denied', 'interrupted'])

function endOf(call: JsonObject, key: string): ImportFact {
  const { exit, ms } = objectOf(call['result'])
  const output = textOf(call['output'])
  return {
    type: 'call-end',
    callId: textOf(call['callId']) ?? key,
    outcome: call['state'] === 'ok' ? 'ok' : 'error',
    parts: output === undefined ? [] : [{ type: 'text', text: output }],
    ...(typeof exit === 'number' && { exit }),
    ...(typeof ms === 'number' && { ms }),
  }
}
