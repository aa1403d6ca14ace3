import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Readable } from 'node:stream'
import { TELL_MEMORY, temporaryDirectory } from '@maru/testkit'
import { type ArchiveContents, writeArchive } from './import-big/make-archive.ts'

/** What a run of the proof saw. */
export interface ImportBigReport {
  megabytes: number
  sessions: number
  messages: number
  /** Of the first import and of the second, in seconds. */
  seconds: [first: number, second: number]
  /** The most memory either had, in megabytes. */
  memory: number
  size: number
}

// The embedded database alone has two thirds of it, whatever is imported.
const MOST_MEMORY = 500
const NEEDLES = 3

/**
 * Imports an archive in the shape of a ChatGPT export with the real program, twice: everything is there once, can be found,
 * and no more memory was used than for a small one. Throws at the first difference.
 */
export async function proveImportBig({
  megabytes,
  seed = 20_261_116,
  log = () => undefined,
}: {
  megabytes: number
  seed?: number
  log?(line: string): void
}): Promise<ImportBigReport> {
  const { path, dispose } = await temporaryDirectory()
  try {
    const archive = join(path, 'export.zip')
    const contents = await writeArchive(archive, { bytes: megabytes * 1e6, seed })
    log(`${contents.bytes} bytes, ${contents.sessions} sessions, ${contents.messages} messages`)
    const home = join(path, 'home')
    mkdirSync(home)
    const maru = (...args: string[]) => runMaru(args, home)
    const [first, second] = [await maru('import', archive, '--json'), await maru('import', archive, '--json')]
    for (const { seconds, memory } of [first, second]) {
      log(`${seconds.toFixed(1)} s, ${memory.toFixed(0)} MB at most`)
    }
    expectSame('the first import', pick(first.lines.at(-1), COUNTS), {
      ...{ added: contents.sessions, grown: 0, same: 0, messages: contents.messages, problems: 0 },
    })
    expectSame('the second import', pick(second.lines.at(-1), COUNTS), {
      ...{ added: 0, grown: 0, same: contents.sessions, messages: 0, problems: 0 },
    })
    if (first.seconds > 3 && !/[█░] .*%/.test(first.said)) throw new Error('nobody was told how far the import was')
    const size = await expectHistory(maru, contents)
    const memory = Math.max(first.memory, second.memory)
    if (memory > MOST_MEMORY) throw new Error(`${memory.toFixed(0)} MB of memory were used`)
    return {
      megabytes,
      sessions: contents.sessions,
      messages: contents.messages,
      seconds: [first.seconds, second.seconds],
      memory,
      size,
    }
  } finally {
    await dispose()
  }
}

const COUNTS = ['added', 'grown', 'same', 'messages', 'problems']

async function expectHistory(maru: Maru, { sessions, messages, needles }: ArchiveContents): Promise<number> {
  const status = (await maru('db', 'status', '--json')).lines.at(-1)
  expectSame('the history', pick(status, ['conversations', 'messages']), { conversations: sessions, messages })
  const step = Math.max(1, Math.floor(needles.length / NEEDLES))
  for (let n = 0; n < needles.length; n += step) {
    const { lines } = await maru('search', needles[n] ?? '', '--json')
    if (lines.length !== 1) throw new Error(`"${needles[n]}" was said once and found ${lines.length} times`)
  }
  expectSame('doctor', pick((await maru('db', 'doctor', '--json')).lines.at(-1), ['ok']), { ok: true })
  return Number(status?.['bytes'])
}

interface Ran {
  lines: { [name: string]: unknown }[]
  said: string
  seconds: number
  memory: number
}

type Maru = (...args: string[]) => Promise<Ran>

async function runMaru(args: string[], home: string): Promise<Ran> {
  const started = performance.now()
  const program = join(import.meta.dirname, '../packages/cli/bin/maru.cjs')
  const child = spawn(process.execPath, ['--require', TELL_MEMORY, program, ...args], {
    env: { ...process.env, MARU_HOME: home, DATABASE_URL: '' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [out, said, memory] = [collect(child.stdout), collect(child.stderr), collect(child.stdio[3])]
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`maru ${args.join(' ')} ended with ${code}: ${await said}`)
  return {
    lines: (await out)
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Ran['lines'][number]),
    said: await said,
    seconds: (performance.now() - started) / 1000,
    memory: Number(await memory) / 1024,
  }
}

async function collect(stream: unknown): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as Readable) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function pick(from: object | undefined, names: string[]): { [name: string]: unknown } {
  return Object.fromEntries(Object.entries(from ?? {}).filter(([name]) => names.includes(name)))
}

function expectSame(what: string, found: { [name: string]: unknown }, expected: { [name: string]: unknown }): void {
  for (const [name, value] of Object.entries(expected)) {
    if (found[name] !== value) throw new Error(`${what}: ${name} is ${String(found[name])}, not ${String(value)}`)
  }
}
