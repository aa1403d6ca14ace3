import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FactType, Live, Recorded, RecordedOf } from '@maru/protocol'
import { type Script, startScriptedModel } from '@maru/scripted-model'
import type { ConversationEvents } from '../../src/agent/conversation-contract.ts'
import type { Invocation } from '../../src/command.ts'
import { createDesk } from '../../src/desk.ts'
import { globalOptions } from '../../src/option.ts'
import { parseArguments } from '../../src/parse-arguments.ts'
import { type FoundServer, readServer, serverFile } from '../../src/remote/find-server.ts'
import { runCli } from '../../src/run-cli.ts'
import { agentOptions } from '../../src/session/session-options.ts'

const PATIENCE_MS = 90_000

/** Waits until something is so; fails with what was seen instead. */
export async function until<T>(find: () => T | undefined | false, tell: () => string = () => ''): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const found = find()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`it never came to that: ${find}\n${tell()}`)
    await pause(10)
  }
}

export interface Heard {
  stdout: string
  stderr: string
}

export interface House {
  readonly repo: string
  readonly home: string
  readonly env: { [name: string]: string | undefined }
  readonly model: Awaited<ReturnType<typeof startScriptedModel>>
  /** Serves until it is stopped; may be called again then. */
  serve(...more: string[]): Promise<{ server: FoundServer; stop(): Promise<void> }>
  /** With a model of its own, where it plays another script than the server's. */
  invocation(args?: readonly string[], modelUrl?: string): Promise<Invocation>
  run(
    args: readonly string[],
    more?: { env?: House['env']; signal?: AbortSignal; heard?: Heard },
  ): Promise<{ code: number; stdout: string; stderr: string }>
  close(): Promise<void>
}

/** A repository, a home and a scripted vendor, for which a real server can be started. */
export async function openHouse(script: Script, files: { readonly [path: string]: string } = {}): Promise<House> {
  const base = await mkdtemp(join(tmpdir(), 'maru-remote-'))
  const repo = join(base, 'repo')
  await mkdir(join(repo, '.git'), { recursive: true })
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(repo, path)), { recursive: true })
    await writeFile(join(repo, path), text)
  }
  const model = await startScriptedModel({ script })
  const home = join(base, 'home')
  const env = {
    PATH: process.env['PATH'],
    HOME: base,
    MARU_HOME: home,
    MARU_LANG: 'en',
    MARU_MODEL: 'scripted',
    NO_COLOR: '1',
    ANTHROPIC_API_KEY: 'test-key-of-nobody',
    ANTHROPIC_BASE_URL: model.url,
  }
  const stops = new Set<() => Promise<void>>()
  const world = (signal: AbortSignal, heard: { stdout: string; stderr: string }) => ({
    stdin: (async function* () {})(),
    stdout: streamTo(heard, 'stdout'),
    stderr: streamTo(heard, 'stderr'),
    env,
    cwd: repo,
    signal,
  })
  return {
    repo,
    home,
    env,
    model,
    async serve(...more) {
      const end = new AbortController()
      const heard = { stdout: '', stderr: '' }
      const running = runCli(['serve', '--port', '0', '--root', repo, '--json', ...more], world(end.signal, heard))
      const stop = async () => {
        stops.delete(stop)
        end.abort()
        await running
      }
      stops.add(stop)
      await until(
        () => heard.stdout.includes('listening') && existsSync(serverFile(home)),
        () => heard.stderr,
      )
      const server = readServer(serverFile(home))
      if (!server) throw new Error(heard.stderr)
      return { server, stop }
    },
    async invocation(args = [], modelUrl = model.url) {
      const place = world(new AbortController().signal, { stdout: '', stderr: '' })
      const desk = await createDesk(args, { ...place, env: { ...env, ANTHROPIC_BASE_URL: modelUrl } })
      return desk.invocation(parseArguments(args, { ...globalOptions, ...agentOptions }))
    },
    async run(
      args,
      { env: given = env, signal = new AbortController().signal, heard = { stdout: '', stderr: '' } } = {},
    ) {
      const code = await runCli(args, { ...world(signal, heard), env: given })
      return { code, ...heard }
    },
    async close() {
      for (const stop of [...stops]) await stop()
      await model.close()
      await rm(base, { recursive: true, force: true })
    },
  }
}

function streamTo(heard: { stdout: string; stderr: string }, name: 'stdout' | 'stderr') {
  return {
    isTTY: false,
    write(text: string) {
      heard[name] += text
      return true
    },
  }
}

/** What a door was told. */
export interface Ear {
  readonly events: ConversationEvents
  readonly facts: { record: Recorded; isPast: boolean }[]
  readonly live: Live[]
  readonly notices: string[]
  resets: number
  /** Waits for a fact of a kind; `at` says which of them, counted from 0. */
  fact<Type extends FactType>(type: Type, at?: number): Promise<RecordedOf<Type>>
  notice(part: string): Promise<string>
}

export function createEar(): Ear {
  const ear: Ear = {
    facts: [],
    live: [],
    notices: [],
    resets: 0,
    events: {
      fact: (record, isPast) => void ear.facts.push({ record, isPast }),
      live: (event) => void ear.live.push(event),
      changed: () => undefined,
      notice: (line) => void ear.notices.push(line),
      reset() {
        ear.resets++
        ear.facts.length = 0
      },
    },
    fact: (type, at = 0) =>
      until(
        () => ear.facts.map(({ record }) => record).filter((record) => record.type === type)[at],
        () => JSON.stringify([ear.facts.map(({ record }) => record.type), ear.notices]),
      ) as never,
    notice: (part) =>
      until(
        () => ear.notices.find((line) => line.includes(part)),
        () => ear.notices.join('\n'),
      ),
  }
  return ear
}
