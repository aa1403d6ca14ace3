import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Recorded } from '@maru/protocol'
import { type ReceivedRequest, type Step, startScriptedModel } from '@maru/scripted-model'
import { openJsonlStore } from '@maru/store'
import { collect, temporaryDirectory } from '@maru/testkit'

const maru = join(import.meta.dirname, '../packages/cli/bin/maru.cjs')
const CALLS = 6

/** What a run of the proof saw. */
export interface KillRunReport {
  boundaries: number
  resumed: number
  unknownOutcomes: number
}

/**
 * Kills `maru run` at every fact of a session of six calls, then lets it finish by `maru run --session`. After each:
 * what was seen before the kill is still there, no call ran twice, and the session ends done and verifies.
 */
export async function proveKillRun({ every = 1, log = () => undefined }: { every?: number; log?(line: string): void }) {
  const model = await startScriptedModel({ script: reply })
  const report: KillRunReport = { boundaries: 0, resumed: 0, unknownOutcomes: 0 }
  try {
    let isPastEnd = false
    for (let boundary = 2; !isPastEnd; boundary += every) {
      isPastEnd = await killAt(boundary, model.url, report)
      log(`killed at fact ${boundary}: ${JSON.stringify(report)}`)
    }
    if (model.problems.length > 0) throw new Error(`the vendor refused a request: ${JSON.stringify(model.problems[0])}`)
    return report
  } finally {
    await model.close()
  }
}

// By what the request holds, not by its number: after a kill the same question may come again.
function reply({ view }: ReceivedRequest): Step {
  const done = view.toolResults.length
  if (done >= CALLS) return { reply: [{ text: 'all done' }] }
  const call = (n: number) => ({ call: 'RunCommand', args: { command: `echo ${n} >> trace` } })
  return { reply: [{ text: `step ${done}` }, call(done), call(done + 1)] }
}

async function killAt(boundary: number, url: string, report: KillRunReport): Promise<boolean> {
  const { path, dispose } = await temporaryDirectory()
  const run = (...words: string[]) =>
    spawn(process.execPath, [maru, 'run', '--yes', '--session', join(path, 's.jsonl'), '--repo', path, ...words], {
      env: {
        PATH: process.env['PATH'],
        MARU_HOME: join(path, 'home'),
        ANTHROPIC_API_KEY: 'k',
        ANTHROPIC_BASE_URL: url,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  try {
    const first = run('--quiet', 'do six things')
    const exited = new Promise<number | null>((resolve) => first.once('exit', resolve))
    const seen = await watchUntil(path, boundary, exited)
    first.kill('SIGKILL')
    const isFinished = (await exited) !== null
    report.boundaries++
    for (let tries = 0; ; tries++) {
      if (tries > 3) throw new Error(`boundary ${boundary}: the session does not finish`)
      const code = await new Promise<number | null>((resolve) => run('--quiet').once('exit', resolve))
      if (code === 0) break
    }
    if (!isFinished) report.resumed++
    await check(path, seen, report)
    const verify = spawn(process.execPath, [maru, 'replay', '--verify', join(path, 's.jsonl')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    verify.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    if ((await new Promise((resolve) => verify.once('close', resolve))) !== 0)
      throw new Error(`boundary ${boundary}: the log does not verify: ${said}`)
    return isFinished
  } finally {
    await dispose()
  }
}

async function watchUntil(directory: string, boundary: number, exited: Promise<unknown>): Promise<Recorded[]> {
  const { log } = openJsonlStore({ directory, now: Date.now })
  const stop = new AbortController()
  void exited.then(() => stop.abort())
  const seen: Recorded[] = []
  while (!stop.signal.aborted) {
    try {
      for await (const record of log.follow('s', seen.length, stop.signal)) {
        seen.push(record)
        if (record.seq >= boundary) return seen
      }
    } catch (error) {
      // It is not there yet.
      if ((error as { code?: string }).code !== 'missing') throw error
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  return seen
}

async function check(directory: string, seen: Recorded[], report: KillRunReport): Promise<void> {
  const { log } = openJsonlStore({ directory, now: Date.now })
  const stored = await collect(log.read('s'))
  seen.forEach((record, at) => {
    if (JSON.stringify(record) !== JSON.stringify(stored[at]))
      throw new Error(`fact ${record.seq} was seen and is gone`)
  })
  const last = stored.findLast(({ type }) => type === 'run-end')
  if (last?.type !== 'run-end' || last.reason !== 'done') throw new Error(`the run ended ${JSON.stringify(last)}`)
  const trace = (await readFile(join(directory, 'trace'), 'utf8').catch(() => '')).trim().split('\n')
  const twice = trace.filter((line, at) => line !== '' && trace.indexOf(line) !== at)
  if (twice.length > 0) throw new Error(`calls ${twice} ran twice`)
  const unknown = stored.filter((fact) => fact.type === 'tool-end' && fact.outcome === 'interrupted').length
  report.unknownOutcomes += unknown
  // Each call ran, or is reported as one whose outcome nobody knows.
  if (trace.length + unknown < CALLS)
    throw new Error(`${trace.length} calls ran and ${unknown} are unknown, of ${CALLS}`)
}
