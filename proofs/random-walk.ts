import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compactSession, runSession, work } from '@maru/agent'
import { type DoorFact, type EndReason, LogError } from '@maru/protocol'
import { newSessionId, uniqueHex } from '@maru/store'
import { person, start, temporaryDirectory } from '@maru/testkit'
import { createRandom, type Random } from '../bench/patches/random.ts'
import { beginLife, type Life, pause } from './random-walk/engine.ts'
import { checkSession, type Known, newlyKnown } from './random-walk/known.ts'

/** What a run of the proof saw. */
export interface RandomWalkReport {
  steps: number
  sessions: number
  runs: number
  resumes: number
  interrupts: number
  abandoned: number
  /** How often what happened found a run in the middle of something. */
  inside: number
  forks: number
  compactions: number
  torn: number
  facts: number
  turns: number
}

interface Options {
  times?: number
  seconds?: number
  seed?: number
  log?(line: string): void
}

const SESSIONS = 10
const FACTS = 250

/**
 * Walks at random over sessions in real files with the real engine: says something, goes on, interrupts, dies in the
 * middle, forks at any fact, condenses, tears the end of a log. After each step every log is readable to its end,
 * nothing that was seen or acknowledged is gone, no input is lost or taken up twice, and a fork has what its parent had.
 */
export async function proveRandomWalk({ times = 200, seconds, seed = Date.now(), log = () => undefined }: Options) {
  const { path, dispose } = await temporaryDirectory()
  const until = seconds === undefined ? undefined : Date.now() + seconds * 1000
  const report = emptyReport()
  const walk: Walk = { directory: path, random: createRandom(seed), sessions: new Map(), report }
  try {
    while (until === undefined ? report.steps < times : Date.now() < until) {
      await bounded(step(walk), `step ${report.steps}`)
      report.steps++
      await checkAll(walk)
      if (report.steps % 100 === 0) log(JSON.stringify(report))
    }
    for (const known of walk.sessions.values()) await finish(walk, known)
    return report
  } catch (error) {
    throw new Error(`seed ${seed}, step ${report.steps}: ${(error as Error).message}`, { cause: error })
  } finally {
    await dispose()
  }
}

interface Walk {
  readonly directory: string
  readonly random: Random
  readonly sessions: Map<string, Known>
  readonly report: RandomWalkReport
}

async function step(walk: Walk): Promise<void> {
  const { random, sessions } = walk
  const known = sessions.size === 0 || random.chance(0.04) ? await begin(walk) : random.pick([...sessions.values()])
  const chosen = random.below(100)
  if (known.lines.length > FACTS || sessions.size > SESSIONS) await retire(walk, known)
  else if (chosen < 45) await live(walk, known, say(random))
  else if (chosen < 70) await live(walk, random.pick(leftOpen(sessions) ?? [known]), undefined)
  else if (chosen < 88) await fork(walk, known)
  else if (chosen < 94) await compact(walk, known)
  else tear(walk, known)
}

function leftOpen(sessions: Walk['sessions']): Known[] | undefined {
  const open = [...sessions.values()].filter(({ isAtRest }) => !isAtRest)
  return open.length > 0 ? open : undefined
}

async function checkAll({ directory, sessions, report }: Walk): Promise<void> {
  for (const known of sessions.values()) {
    const { facts, turns } = await checkSession(directory, known)
    report.facts += facts
    report.turns += turns
  }
}

async function begin(walk: Walk): Promise<Known> {
  const known = newlyKnown(newSessionId(Date.now()))
  walk.sessions.set(known.id, known)
  walk.report.sessions++
  const life = beginWalkLife(walk)
  await life.log.create(known.id, start)
  await life.log.close()
  return known
}

function beginWalkLife({ directory, random, sessions }: Walk): Life {
  return beginLife({
    directory,
    random,
    onAcknowledged(id, records) {
      for (const record of records) sessions.get(id)?.acknowledged.set(record.seq, JSON.stringify(record))
    },
  })
}

function say(random: Random, delivery: 'queue' | 'steer' = 'queue'): DoorFact {
  const text = `${random.pick(['가자', 'go', '왼쪽으로', 'back'])} ${'.'.repeat(random.below(300))}`
  return { type: 'input-admit', key: uniqueHex(32), by: person, delivery, parts: [{ type: 'text', text }] }
}

/** One life with one session: it runs, and something happens to it at some moment. */
async function live(walk: Walk, { id }: Known, said: DoorFact | undefined): Promise<void> {
  const { random, report } = walk
  const life = beginWalkLife(walk)
  const stop = new AbortController()
  const over = new AbortController()
  report[said ? 'runs' : 'resumes']++
  const running = runSession(life.deps, id, stop.signal, said).finally(() => over.abort())
  // Awaited below, unless its life ends first: then nobody hears of it.
  running.catch(() => undefined)
  const answering = answer(life, id, { random, signal: over.signal })
  await Promise.race([pause(random, random.chance(0.3) ? 600 : 80), running.catch(() => undefined)])
  const fate = random.below(10)
  if (!over.signal.aborted) report.inside++
  if (fate < 3) {
    report.abandoned++
    await life.abandon()
    over.abort()
    await answering
    return
  }
  if (fate < 5) await interrupt(life, id, walk)
  else if (fate < 6) stop.abort()
  else if (fate < 8) await unlessOver(life.log.admit(id, say(random, random.pick(['steer', 'queue']))))
  else if (fate < 9) await intrude(walk, id, over.signal)
  await ended(running, () => interrupt(life, id, walk))
  await answering
  await life.log.close()
}

async function interrupt(life: Life, id: string, { report }: Walk): Promise<void> {
  report.interrupts++
  await unlessOver(life.log.admit(id, { type: 'interrupt', key: uniqueHex(32), by: person }))
}

const STUCK_MS = 100

// A run that waits for an answer that nobody gives is interrupted, again and again if need be.
async function ended(running: Promise<EndReason>, onStuck: () => Promise<void>): Promise<void> {
  const timer = setInterval(() => void onStuck(), STUCK_MS)
  try {
    await running
  } finally {
    clearInterval(timer)
  }
}

async function answer(life: Life, id: string, { random, signal }: { random: Random; signal: AbortSignal }) {
  try {
    for await (const record of life.log.follow(id, 0, signal)) {
      if (record.type !== 'approval-ask' || random.chance(0.05)) continue
      await pause(random, 5)
      const { callId, actionHash } = record
      const option = random.pick(['allow', 'allow', 'deny'])
      const key = `approval ${callId} ${actionHash}`.slice(0, 200)
      await life.log.admit(id, { type: 'approval-answer', key, by: person, callId, actionHash, option })
    }
  } catch (error) {
    // Its life has ended.
    if (!(error instanceof LogError)) throw error
  }
}

/** Another process wants the same session: it is turned away while somebody runs it, and does no harm. */
async function intrude(walk: Walk, id: string, over: AbortSignal): Promise<void> {
  const other = beginWalkLife(walk)
  try {
    const lease = await other.log.lease(id)
    await lease.release()
    if (!over.aborted) throw new Error(`session ${id} was held by two at once`)
  } catch (error) {
    if (!(error instanceof LogError && error.code === 'held')) throw error
  } finally {
    await other.log.close()
  }
}

/** A fork at any fact, also in the middle of everything. */
async function fork(walk: Walk, { id: parent, lines }: Known): Promise<void> {
  const { random, sessions, report } = walk
  if (lines.length === 0) return
  const seq = 1 + random.below(lines.length)
  const known = newlyKnown(newSessionId(Date.now()), lines.slice(0, seq))
  sessions.set(known.id, known)
  const life = beginWalkLife(walk)
  await life.log.create(known.id, { ...start, forkOf: { id: parent, seq } })
  await life.log.close()
  report.forks++
  report.sessions++
}

async function compact(walk: Walk, { id, isAtRest }: Known): Promise<void> {
  if (!isAtRest) return
  const life = beginWalkLife(walk)
  const stop = new AbortController()
  const compacting = compactSession(life.deps, id, { signal: stop.signal })
  compacting.catch(() => undefined)
  await Promise.race([pause(walk.random, 60), compacting.catch(() => undefined)])
  if (walk.random.chance(0.2)) await life.abandon()
  else {
    if (walk.random.chance(0.2)) stop.abort()
    if (await compacting) walk.report.compactions++
    await life.log.close()
  }
}

/** Half of a line at the end, as a machine that loses its power leaves it: nobody was promised anything of it. */
function tear({ directory, random, report }: Walk, { id }: Known): void {
  const path = join(directory, `${id}.jsonl`)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  const line = random.pick(lines).replace(/"seq":\d+/, `"seq":${lines.length + 1}`)
  appendFileSync(path, line.slice(0, 1 + random.below(line.length - 2)))
  report.torn++
}

async function retire(walk: Walk, known: Known): Promise<void> {
  await finish(walk, known)
  walk.sessions.delete(known.id)
  const life = beginWalkLife(walk)
  await life.log.erase(known.id)
  await life.log.close()
  const left = [`${known.id}.jsonl`, known.id].filter((name) => existsSync(join(walk.directory, name)))
  if (left.length > 0) throw new Error(`of an erased session ${left} is left`)
}

/** Whatever became of it, a session that is gone on with comes to its end: every input is answered. */
async function finish(walk: Walk, known: Known): Promise<void> {
  for (let tries = 0; tries < 5; tries++) {
    const life = beginWalkLife(walk)
    const over = new AbortController()
    const answering = answer(life, known.id, { random: walk.random, signal: over.signal })
    const running = runSession(life.deps, known.id, new AbortController().signal).finally(() => over.abort())
    await bounded(
      ended(running, () => interrupt(life, known.id, walk)),
      `session ${known.id}`,
    )
    await answering
    const { run, inputs } = await life.store.project(known.id, work)
    await life.log.close()
    await checkSession(walk.directory, known)
    if (!run && inputs.length === 0) return
  }
  throw new Error(`session ${known.id} does not come to its end`)
}

async function unlessOver(admitted: Promise<unknown>): Promise<void> {
  await admitted.catch((error: unknown) => {
    if (!(error instanceof LogError)) throw error
  })
}

const STEP_MS = 60_000

async function bounded<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} does not end`)), STEP_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

function emptyReport(): RandomWalkReport {
  const none = { steps: 0, sessions: 0, runs: 0, resumes: 0, interrupts: 0, abandoned: 0, inside: 0 }
  return { ...none, forks: 0, compactions: 0, torn: 0, facts: 0, turns: 0 }
}
