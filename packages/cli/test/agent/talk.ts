import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FactType, Live, Recorded, RecordedOf } from '@maru/protocol'
import { type Script, type ScriptedModel, startScriptedModel } from '@maru/scripted-model'
import { onTestFinished } from 'vitest'
import { type Conversation, openConversation } from '../../src/agent/conversation.ts'
import type { Pick, SlashPlace } from '../../src/agent/slash/slash.ts'
import type { Invocation } from '../../src/command.ts'
import { createDesk } from '../../src/desk.ts'
import { globalOptions } from '../../src/option.ts'
import { parseArguments } from '../../src/parse-arguments.ts'
import { agentOptions } from '../../src/session/session-options.ts'
import type { WorkOptions } from '../../src/session/work-on.ts'
import { makeDirectory } from '../run.ts'

/** What a screen was told, in order. */
export interface Heard {
  readonly facts: { record: Recorded; isPast: boolean }[]
  readonly live: Live[]
  readonly notices: string[]
  /** The state at each change. */
  readonly states: string[]
  resets: number
}

export interface Talk {
  readonly conversation: Conversation
  readonly heard: Heard
  readonly invocation: Invocation
  /** Waits until what was heard gives something. */
  until<T>(find: () => T | undefined | false): Promise<T>
  /** Waits for the next fact of a kind that was not taken before. */
  next<Type extends FactType>(type: Type): Promise<RecordedOf<Type>>
  idle(): Promise<void>
}

export interface TalkOptions {
  readonly script: Script
  readonly files?: { readonly [path: string]: string }
  readonly args?: readonly string[]
  readonly env?: { readonly [name: string]: string }
  /** Of the user. */
  readonly config?: { readonly [name: string]: unknown }
  /** Files in the user's data directory. */
  readonly home?: { readonly [path: string]: string }
}

/** A repository, a home and a scripted vendor, in which conversations can be opened one after another. */
export async function createHouse({ script, files = {}, env = {}, home = {}, config }: Omit<TalkOptions, 'args'>) {
  const path = await makeDirectory({
    ...below('repo', files),
    ...below('home', { ...home, ...(config && { 'config.json': JSON.stringify(config) }) }),
  })
  const repo = join(path, 'repo')
  await mkdir(repo, { recursive: true })
  const model = await startScriptedModel({ script })
  onTestFinished(() => model.close())
  const world = {
    PATH: process.env['PATH'],
    HOME: path,
    MARU_HOME: join(path, 'home'),
    MARU_LANG: 'en',
    MARU_MODEL: 'scripted',
    ANTHROPIC_API_KEY: 'test-key-of-nobody',
    ANTHROPIC_BASE_URL: model.url,
    OPENAI_BASE_URL: model.url,
    ...env,
  }
  return {
    path,
    repo,
    model,
    open: (args: readonly string[] = [], options: Partial<WorkOptions> = {}, more: { [name: string]: string } = {}) =>
      open({ args, options, world: { ...world, ...more }, repo }),
  }
}

function below(folder: string, files: { readonly [path: string]: string }): { [path: string]: string } {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]))
}

/** A conversation with a scripted model. */
export async function talk(options: TalkOptions): Promise<Talk & { model: ScriptedModel; repo: string; path: string }> {
  const house = await createHouse(options)
  const opened = await house.open(options.args)
  return { ...opened, model: house.model, repo: house.repo, path: house.path }
}

async function open(given: {
  args: readonly string[]
  options: Partial<WorkOptions>
  world: { [name: string]: string | undefined }
  repo: string
}): Promise<Talk> {
  const args = ['--repo', given.repo, ...given.args]
  const quiet = { isTTY: false, write: () => true }
  const desk = await createDesk(args, {
    stdin: (async function* () {})(),
    stdout: quiet,
    stderr: quiet,
    env: given.world,
    cwd: given.repo,
    signal: new AbortController().signal,
  })
  const invocation = desk.invocation(parseArguments(args, { ...globalOptions, ...agentOptions }))
  const heard: Heard = { facts: [], live: [], notices: [], states: [], resets: 0 }
  const waiting = new Set<() => void>()
  const told = () => {
    for (const wake of [...waiting]) wake()
    waiting.clear()
  }
  let conversation: Conversation | undefined
  conversation = await openConversation(
    invocation,
    { hasTools: true, ...given.options },
    {
      fact(record, isPast) {
        heard.facts.push({ record, isPast })
        told()
      },
      live(event) {
        heard.live.push(event)
        told()
      },
      changed() {
        if (conversation) heard.states.push(conversation.state)
        told()
      },
      notice(line) {
        heard.notices.push(line)
        told()
      },
      reset() {
        heard.resets++
        heard.facts.length = 0
        told()
      },
    },
  )
  const opened = conversation
  onTestFinished(() => opened.close())
  const until: Talk['until'] = async (find) => {
    for (;;) {
      const found = find()
      if (found !== undefined && found !== false) return found
      await new Promise<void>((resolve) => waiting.add(resolve))
    }
  }
  const taken = new Set<Recorded>()
  return {
    conversation: opened,
    heard,
    invocation,
    until,
    async next(type) {
      const found = await until(() =>
        heard.facts.map(({ record }) => record).find((record) => record.type === type && !taken.has(record)),
      )
      taken.add(found)
      return found as never
    },
    idle: async () => {
      await until(() => opened.state === 'idle')
    },
  }
}

/** A place for slash commands that notes what is shown and picks what the test says. */
export function slashPlace(
  { conversation, invocation }: Talk,
  choose: (pick: Pick) => string | undefined = () => undefined,
) {
  const shown: string[] = []
  const picks: Pick[] = []
  const said = { language: undefined as string | undefined, hasQuit: false }
  const place: SlashPlace = {
    conversation,
    invocation,
    show: (lines) => void shown.push(...lines),
    async pick(options) {
      picks.push(options)
      return choose(options)
    },
    setLanguage(lang) {
      said.language = lang
    },
    quit() {
      said.hasQuit = true
    },
  }
  return { place, shown, picks, said }
}

/** What people and the model said, in order. */
export function wordsOf(heard: Heard): string[] {
  return heard.facts.flatMap(({ record }) => {
    if (record.type !== 'input-admit' && record.type !== 'turn-end') return []
    const words = record.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
    return [`${record.type === 'input-admit' ? '›' : '‹'} ${words}`]
  })
}
