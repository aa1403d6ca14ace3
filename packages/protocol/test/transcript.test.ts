import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type Entry, type Recorded, readRecord, type TranscriptState, takeFinished, transcript } from '../src/index.ts'

const records = readFileSync(new URL('logs/v1.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => (readRecord(JSON.parse(line)) as { record: Recorded }).record)

function fold(facts: Recorded[], state: TranscriptState = transcript.create()): Entry[] {
  const entries: Entry[] = []
  for (const fact of facts) {
    transcript.apply(state, fact)
    entries.push(...takeFinished(state))
  }
  return entries
}

/** What a reader would remember of an entry. */
function gist(entry: Entry): string {
  if (entry.kind === 'note') return `${entry.seq} (${entry.record.type})`
  const steps = entry.steps.map(({ tool, state }) => `${tool}:${state}`)
  const text = entry.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  return [entry.seq, entry.role, ...text, ...steps, ...(entry.failure ? [entry.failure.code] : [])].join(' ')
}

test('a log reads as a conversation: each turn with its calls, in the order of the log', () => {
  expect(fold(records).map(gist)).toEqual([
    '1 (session-start)',
    '2 (settings-change)',
    '3 user 테스트를 고쳐 주세요. Fix the failing test.',
    '7 assistant 두 파일을 읽겠습니다. ReadFile:ok ReadFile:error',
    '11 user 폰에서 봅니다',
    '14 assistant RunCommand:denied',
    '19 assistant AskUser:ok',
    '25 assistant 고치는 중 cut',
    '26 (interrupt)',
    '27 (run-end)',
    '29 (context-compact)',
    '30 (context-reset)',
    '31 assistant',
    '32 (message-hide)',
    '34 (summary-add)',
    '35 (files-restore)',
    '36 (foreign)',
    '37 (erased)',
    '38 (session-move)',
  ])
})

test('a step knows who approved it, what was asked and what came of it', () => {
  const entries = fold(records)
  const steps = entries.flatMap((entry) => (entry.kind === 'message' ? entry.steps : []))
  expect(steps.find(({ callId }) => callId === 'c3')).toEqual({
    callId: 'c3',
    tool: 'RunCommand',
    args: { command: 'npm test' },
    state: 'denied',
    approval: {
      reason: 'runs a script of the repository',
      rule: 'built-in/run',
      answer: { option: 'deny', by: { kind: 'person', id: 'owner', door: 'web' }, words: '나중에' },
    },
    result: {},
    parts: [],
  })
  expect(steps.find(({ callId }) => callId === 'c4')?.question).toEqual({
    questionId: 'q1',
    question: '어느 쪽?',
    options: ['하나', '둘'],
    answer: { answer: { kind: 'option', option: '하나' }, by: { kind: 'person', id: 'owner', door: 'terminal' } },
  })
})

test('what is still under way stays, and what comes behind it waits its turn', () => {
  const state = transcript.create()
  const upTo = (seq: number) => records.filter((record) => record.seq <= seq)
  expect(fold(upTo(11), state).at(-1)?.seq).toBe(3)
  expect(state.waiting.map(gist)).toEqual([
    '7 assistant 두 파일을 읽겠습니다. ReadFile:running ReadFile:error',
    '11 user 폰에서 봅니다',
  ])
  transcript.apply(state, records[11] as Recorded)
  expect(takeFinished(state).map(({ seq }) => seq)).toEqual([7, 11])
  expect(state.waiting).toEqual([])
})

test('the fold may be stopped anywhere, kept as JSON, and gone on with', () => {
  const whole = fold(records)
  for (let cut = 0; cut <= records.length; cut++) {
    const state = transcript.create()
    const before = fold(records.slice(0, cut), state)
    const after = fold(records.slice(cut), JSON.parse(JSON.stringify(state)))
    expect([...before, ...after]).toEqual(whole)
  }
})

test('calls that never reported are closed by the next turn', () => {
  const died = records.filter(({ seq }) => seq !== 12)
  expect(gist(fold(died)[3] as Entry)).toBe('7 assistant 두 파일을 읽겠습니다. ReadFile:interrupted ReadFile:error')
})

test('twenty thousand facts fold without growing slower or larger', () => {
  const state = transcript.create()
  let taken = 0
  for (let n = 0; n < 20_000; n++) {
    const fact = records[n % records.length] as Recorded
    transcript.apply(state, { ...fact, seq: n + 1 })
    taken += takeFinished(state).length
  }
  expect(taken).toBeGreaterThan(5_000)
  expect(state.waiting.length).toBeLessThan(20)
})
