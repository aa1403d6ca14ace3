import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { exitOf, linesOf, temporaryDirectory } from '@maru/testkit'
import { createRandom, type Random } from '../bench/patches/random.ts'
import { type Answered, type Asked, ask } from './fuzz-server/ask.ts'
import { makeRequest, type Operation, operationsOf } from './fuzz-server/make-request.ts'
import type { Schema } from './fuzz-server/make-value.ts'
import { createPerson, knownTo, type Person, stock } from './fuzz-server/person.ts'
import { createSocketFuzz } from './fuzz-server/socket-fuzz.ts'
import { bundleServer } from './kill-server/served.ts'

/** What a run of the proof saw. */
export interface FuzzServerReport {
  requests: number
  /** By the first digit of their status. */
  answers: { [digit: string]: number }
  routes: number
  frames: number
  /** Frames of the server by their kind. */
  received: { [type: string]: number }
  /** Sockets that the server closed. */
  closed: number
  megabytes: number
}

interface Options {
  /** Requests; half as many frames are sent. */
  times?: number
  seconds?: number
  seed?: number
  log?(line: string): void
}

/** How much more memory it may have at the end than after its first steps. */
const MOST_GROWTH = 400
const STOCK_EVERY = 40
const TWISTS = [0, 0.05, 0.3]

/**
 * Two people ask a server for everything that its description has, and send every kind of frame: as it should be, at the
 * edge of that, and with whatever a hostile client could think of, names of the other's things included. No answer is a
 * fault of the server, none tells of the other, without a key nothing is told at all, and the memory stays bounded. Throws
 * at the first difference, with the seed.
 */
export async function proveFuzzServer({
  times = 2_000,
  seconds,
  seed = Date.now(),
  log = () => undefined,
}: Options): Promise<FuzzServerReport> {
  const server = await startOwn()
  try {
    const random = createRandom(seed)
    const until = seconds === undefined ? undefined : Date.now() + seconds * 1000
    const isOver = (round: number) => (until === undefined ? round >= times : Date.now() > until)
    return await fuzz(server, { random, isOver, log })
  } catch (error) {
    throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error })
  } finally {
    await server.close()
  }
}

interface Own {
  url: string
  people: [Person, Person]
  close(): Promise<void>
}

interface Run {
  random: Random
  isOver(round: number): boolean
  log(line: string): void
}

async function fuzz({ url, people }: Own, { random, isOver, log }: Run): Promise<FuzzServerReport> {
  const description = JSON.parse((await ask(url, { method: 'GET', path: '/api/v1/openapi.json' })).text)
  const operations = operationsOf(description)
  const resolve = (ref: string) => description.components.schemas[ref.split('/').at(-1) ?? ''] as Schema
  let problem: Error | undefined
  const onProblem = (found: Error) => {
    problem ??= found
  }
  const sockets = people.map((me, at) =>
    createSocketFuzz({ url, me, other: people[1 - at] as Person, random, onProblem }),
  )
  const report: FuzzServerReport = {
    ...{ requests: 0, answers: {}, routes: operations.length, frames: 0, received: {}, closed: 0, megabytes: 0 },
  }
  let begun = 0
  try {
    for (; !isOver(report.requests); report.requests++) {
      const round = report.requests
      if (round % STOCK_EVERY === 0) for (const person of people) await stock(url, person)
      // Behind the first steps everything is loaded and compiled.
      if (round === Math.min(200, STOCK_EVERY)) begun = await memoryOf(url)
      const at = random.below(2)
      const [me, other] = [people[at], people[1 - at]] as [Person, Person]
      const twist = random.pick(TWISTS)
      // In turn, so that none is left out.
      const operation = operations[round % operations.length] as Operation
      const known = (name: string) => {
        const isKey = name === 'id' && operation.path.includes('/tokens/')
        return isKey ? random.pick(random.chance(0.5) ? me.keys : other.keys) : knownTo(random, me, other, name)
      }
      const isNobody = random.chance(0.1)
      const wish: Asked = makeRequest({ random, twist, known, resolve }, operation)
      const token = isNobody ? undefined : await tokenFor(url, me, operation)
      const answer = await ask(url, { ...wish, token })
      look({ me, other, wish, answer })
      if (
        isNobody &&
        !operation.isPublic &&
        wish.method === operation.method &&
        answer.status < 400 &&
        answer.status > 0
      )
        throw failure('nobody was let in', wish, answer)
      learn(me, answer)
      const digit = String(answer.status)[0] ?? '0'
      report.answers[digit] = (report.answers[digit] ?? 0) + 1
      if (round % 2 === 0) await sockets[at]?.send(random.pick(TWISTS))
      if (problem) throw problem
      if (round % 1_000 === 999) log(`${round + 1} requests: ${JSON.stringify(report.answers)}`)
    }
    for (const socket of sockets) await socket.settle()
    if (problem) throw problem
    await expectWell(url, people)
    report.megabytes = await memoryOf(url)
    if (report.megabytes > begun + MOST_GROWTH)
      throw new Error(`the memory grew from ${begun} to ${report.megabytes} MB`)
    for (const { sent, received, closed } of sockets) {
      report.frames += sent
      for (const [type, count] of Object.entries(received)) report.received[type] = (report.received[type] ?? 0) + count
      report.closed += closed
    }
    return report
  } finally {
    for (const socket of sockets) socket.close()
  }
}

// Whoever signs out ends their key: that is one of its own.
async function tokenFor(url: string, { token }: Person, { path }: Operation): Promise<string> {
  if (!path.endsWith('/logout')) return token
  const body = { label: 'for once', scopes: ['read'] }
  const { text } = await ask(url, { method: 'POST', path: '/api/v1/tokens', token, body })
  return (JSON.parse(text) as { token: string }).token
}

interface Exchange {
  me: Person
  other: Person
  wish: Asked
  answer: Answered
}

function look({ me, other, wish, answer }: Exchange): void {
  if (answer.status >= 500) throw failure('a fault of the server', wish, answer)
  if (`${answer.head}\n${answer.text}`.includes(other.marker))
    throw failure(`${me.name} was told of ${other.name}`, wish, answer)
}

function failure(why: string, wish: Asked, { status, text }: Answered): Error {
  const { bytes, ...shown } = wish
  const told = JSON.stringify({ ...shown, ...(bytes && { bytes: bytes.subarray(0, 200).toString('latin1') }) })
  return new Error(`${why}: ${told.slice(0, 3_000)} gave ${status}: ${text.slice(0, 1_000)}`)
}

const MOST_KEPT = 40

function learn(me: Person, { status, text }: Answered): void {
  if (status < 200 || status > 299 || !text.startsWith('{')) return
  const { id, nextCursor } = readLoose(text)
  if (typeof nextCursor === 'string') me.cursors.push(nextCursor)
  if (typeof id === 'string' && status === 201) me.ids.push(id)
  for (const list of [me.cursors, me.ids]) if (list.length > MOST_KEPT) list.shift()
}

function readLoose(text: string): { id?: unknown; nextCursor?: unknown } {
  try {
    return JSON.parse(text) as { id?: unknown; nextCursor?: unknown }
  } catch {
    // An export may begin like an object and be none.
    return {}
  }
}

// After all that, an honest client is served as ever.
async function expectWell(url: string, people: readonly Person[]): Promise<void> {
  for (const person of people) {
    await stock(url, person)
    const path = `/api/v1/conversations/${person.ids.at(-1)}/messages`
    const { status, text } = await ask(url, { method: 'GET', path, token: person.token })
    if (status !== 200 || !text.includes(person.marker)) throw new Error(`in the end: ${status} ${text.slice(0, 500)}`)
  }
}

async function memoryOf(url: string): Promise<number> {
  const { text } = await ask(url, { method: 'GET', path: '/metrics' })
  return Math.round(Number(/^maru_memory_bytes (\d+)$/m.exec(text)?.[1]) / 1024 / 1024)
}

async function startOwn(): Promise<Own> {
  const script = await bundleServer(join(import.meta.dirname, 'fuzz-server/serve.ts'))
  const { path, dispose } = await temporaryDirectory()
  const root = join(path, 'root')
  await mkdir(root)
  // What it cannot hold in this much, it would never let go of.
  const args = ['--max-old-space-size=768', script.path, join(path, 'home'), root, 'onlyfirstxq', 'onlysecondxq']
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const close = async () => {
    child.stdin.end()
    await exitOf(child)
    script.dispose()
    await dispose()
  }
  for await (const line of linesOf(child)) {
    const { url, people } = JSON.parse(line) as { url: string; people: { name: string; token: string }[] }
    return { url, people: people.map(createPerson) as [Person, Person], close }
  }
  await close()
  throw new Error('the server did not start')
}
