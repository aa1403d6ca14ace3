import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { FACT_VERSION, type Fact } from '@maru/protocol'
import { person, start } from '@maru/testkit'

const ENGLISH =
  'The test fails because the sum is taken before the list is sorted; I will change the order and run it again. '
const KOREAN = '정렬하기 전에 합계를 내기 때문에 테스트가 실패합니다. 순서를 바꾸고 다시 실행하겠습니다. '
const CODE =
  'export function sum(list: number[]): number {\n  return list.reduce((total, next) => total + next, 0)\n}\n'

/** Writes a log of at least so many bytes: long runs of reading, editing and testing, in two languages. */
export async function makeLog(path: string, bytes: number): Promise<{ facts: number; bytes: number }> {
  const file = createWriteStream(path, { mode: 0o600 })
  let seq = 0
  let written = 0
  let pending = ''
  const add = (fact: Fact) => {
    seq++
    pending += `${JSON.stringify({ seq, at: 1_700_000_000_000 + seq, v: FACT_VERSION, ...fact })}\n`
  }
  add({ type: 'session-start', ...start })
  for (let run = 0; written < bytes; run++) {
    addRun(run, seq, add)
    written += Buffer.byteLength(pending)
    if (!file.write(pending)) await once(file, 'drain')
    pending = ''
  }
  file.end()
  await once(file, 'close')
  return { facts: seq, bytes: written }
}

function addRun(run: number, seq: number, add: (fact: Fact) => void): void {
  const text = (length: number) => ({ type: 'text' as const, text: (run % 2 ? KOREAN : ENGLISH).repeat(length) })
  add({ type: 'input-admit', key: `i${run}`, by: person, delivery: 'queue', parts: [text(1 + (run % 4))] })
  add({ type: 'run-start', runId: `r${run}`, inputs: [seq + 1] })
  for (let turn = 0; turn < 4; turn++) {
    const turnId = `t${run}.${turn}`
    const calls = [0, 1]
      .slice(0, turn)
      .map((n) => ({ callId: `c${run}.${turn}.${n}`, tool: n ? 'RunCommand' : 'ReadFile' }))
    add({ type: 'turn-start', turnId, runId: `r${run}`, provider: 'anthropic', model: 'scripted' })
    const parts = [
      text(2 + turn * 3),
      ...calls.map((call) => ({ type: 'call' as const, ...call, args: { path: `src/file-${run}.ts` } })),
    ]
    add({
      type: 'turn-end',
      turnId,
      parts,
      stop: calls.length > 0 ? 'calls' : 'end',
      usage: { input: 1000, output: 100 },
    })
    for (const call of calls) {
      add({ type: 'tool-start', ...call, args: { path: `src/file-${run}.ts` } })
      const output = { type: 'text' as const, text: CODE.repeat(1 + ((run * 7 + turn * 13) % 60)) }
      add({ type: 'tool-end', callId: call.callId, outcome: 'ok', result: { ms: 3 }, parts: [output] })
    }
  }
  add({ type: 'run-end', runId: `r${run}`, reason: 'done' })
}
