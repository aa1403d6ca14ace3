import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ContextSettings, runSession, type SessionDeps, verifySession } from '@maru/agent'
import type { Recorded } from '@maru/protocol'
import { createProvider } from '@maru/providers'
import { type ReceivedRequest, type ReplyPart, type Step, startScriptedModel } from '@maru/scripted-model'
import { createLiveBus, createMemoryBlobs, createMemoryLog } from '@maru/store'
import { collect, input, person, start, temporaryDirectory } from '@maru/testkit'
import { createTools } from '@maru/tools'

/** Something that was said or seen early and is asked for late. */
export interface Planted {
  kind: string
  value: string
}

/** What each kind of thing that must survive is, and where it comes from in the session below. */
export const PLANTED: Planted[] = [
  { kind: 'path in the user’s words', value: 'infra/deploy/zeta-7.yaml' },
  { kind: 'standing instruction', value: 'Always end a commit message with MRU-4821' },
  { kind: 'standing instruction in Korean', value: '절대로 운영 서버에 배포하지 마세요' },
  { kind: 'number in the user’s words', value: '48213' },
  { kind: 'decision of the user', value: 'we decided to store money as integer cents' },
  { kind: 'answer to a question', value: 'PostgreSQL 16, no other' },
  { kind: 'item of the plan', value: 'measure the cold start of zebra-index' },
  { kind: 'file that was read', value: 'src/module-3.ts' },
  { kind: 'error met', value: 'src/ghost-file.ts' },
  { kind: 'command with its result', value: 'build-id 9f31c7e2' },
  { kind: 'approval with the user’s words', value: 'not on Fridays' },
  { kind: 'decision of the agent', value: 'I decided to name it computeRebate' },
]

const INPUTS: { [round: number]: string } = {
  0: 'The deployment is described in infra/deploy/zeta-7.yaml. Always end a commit message with MRU-4821. Begin with the first module.',
  1: '포트는 48213입니다. 절대로 운영 서버에 배포하지 마세요. 다음 모듈을 고쳐 주세요.',
  2: 'For the record: we decided to store money as integer cents. Go on.',
}

/** Poor in every way that a model can be. */
export const POOR: Step[] = [
  { reply: [{ text: ' ' }] },
  { reply: [{ text: 'The user wants a poem about cats. Everything is done. Port 99999, MySQL 5.' }] },
  { reply: [{ text: 'The goal is to' }], stop: 'length' },
  { reply: [{ refusal: 'I cannot help with that.' }] },
  { error: { status: 400, message: 'no summaries today' } },
]

export interface LongSession {
  rounds: number
  context: ContextSettings
  summaries?: Step[]
  /** Lines of each file that is read. */
  lines?: number
}

export const TURNS_PER_ROUND = 5

/** A session of many rounds: each reads a module, edits it, reads it again, runs a command and answers. */
export async function playLongSession({ rounds, context, summaries = POOR, lines = 90 }: LongSession) {
  const { path: root, dispose } = await temporaryDirectory()
  await mkdir(join(root, 'src'))
  for (let n = 0; n < 8; n++) await writeFile(join(root, `src/module-${n}.ts`), moduleText(n, lines))
  const mind = createMind(summaries)
  const model = await startScriptedModel({ script: mind.answer })
  const blobs = createMemoryBlobs()
  const log = createMemoryLog({ now: () => 1_700_000_000_000, blobs })
  const tools = createTools({ root, environment: process.env })
  const levels: number[] = []
  const live = createLiveBus()
  live.subscribe('s', (event) => event.type === 'context-level' && levels.push(event.tokens / event.limit))
  let ids = 0
  const deps: SessionDeps = {
    log,
    blobs,
    live,
    provider: createProvider({ vendor: 'anthropic', key: 'k', baseUrl: model.url, limits: { retries: 0 } }),
    tools,
    decide: async ({ tool, access }) => {
      const isDeploy = access.some((one) => one.kind === 'run' && JSON.stringify(one).includes('deploy'))
      return { verdict: tool === 'RunCommand' && isDeploy ? 'ask' : 'allow', rule: 'test', reason: 'it deploys' }
    },
    settings: {
      provider: 'anthropic',
      model: 'claude-test',
      system: 'You are a test.',
      params: {},
      limits: { turns: 1_000 },
      isUnattended: false,
      isDryRun: false,
      forceFirstTool: false,
      context,
    },
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    now: () => performance.now(),
    newId: () => `id${++ids}`,
  }
  await log.create('s', start)
  const stop = new AbortController()
  const answering = answerQuestions(deps, stop.signal)
  const reasons: string[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      mind.begin(round)
      await log.admit('s', input(`round ${round}`, INPUTS[round] ?? `Round ${round}: the next module, please.`))
      reasons.push(await runSession(deps, 's', new AbortController().signal))
      if (reasons.at(-1) !== 'done') break
    }
    const facts = await collect(log.read('s'))
    const verified = await verifySession(log.read('s'), { id: 's', blobs, hash: deps.hash })
    return { facts, verified, reasons, levels, problems: model.problems, ...mind.heard, requests: [...model.requests] }
  } finally {
    stop.abort()
    await answering
    await tools.close()
    await model.close()
    await dispose()
  }
}

/** What a request shows the model, as one text, what it asked for itself included. */
export const textOf = ({ rawBody }: ReceivedRequest) => new TextDecoder().decode(rawBody)

export const isSummary = ({ view }: ReceivedRequest) =>
  view.texts[0]?.startsWith('You summarise conversations') === true

export const factsOf = <T extends Recorded['type']>(facts: Recorded[], type: T) =>
  facts.filter((fact) => fact.type === type) as Extract<Recorded, { type: T }>[]

function moduleText(n: number, lines: number): string {
  const line = (at: number) =>
    `export const value${n}x${at} = compute(${at}, 'module ${n}', { step: ${at * 3} }) // line ${at}`
  return `// module ${n}, version 0\n${Array.from({ length: lines }, (_, at) => line(at)).join('\n')}\n`
}

// The mind of the model: five steps a round, and what it says depends on what it sees.
function createMind(summaries: Step[]) {
  let round = 0
  let step = 0
  let summary = 0
  const heard = { answers: [] as string[], asked: [] as ReceivedRequest[] }
  const specials: { [at: string]: ReplyPart[] } = {
    '1.3': [{ call: 'AskUser', args: { question: 'Which database?', options: ['PostgreSQL 16, no other', 'SQLite'] } }],
    '2.3': [
      { call: 'TodoList', args: { items: [{ text: 'measure the cold start of zebra-index', status: 'pending' }] } },
    ],
    '3.3': [{ call: 'ReadFile', args: { path: 'src/ghost-file.ts' } }],
    '4.3': [{ call: 'RunCommand', args: { command: 'echo build-id 9f31c7e2' } }],
    '5.3': [{ call: 'RunCommand', args: { command: 'echo deploy now' } }],
    '6.4': [{ text: 'I decided to name it computeRebate, as the old name was taken. The module is done.' }],
  }
  const usual = (): ReplyPart[] => {
    const path = `src/module-${round % 8}.ts`
    const version = Math.floor(round / 8)
    switch (step) {
      case 0:
      case 2:
        return [{ text: `Looking at ${path}.` }, { call: 'ReadFile', args: { path } }]
      case 1:
        return [{ call: 'ApplyPatch', args: { patch: patchOf(path, round % 8, version) } }]
      case 3:
        return [{ call: 'ListFiles', args: { path: 'src' } }]
      default:
        return [{ text: `Round ${round} is done; ${path} has version ${version + 1}.` }]
    }
  }
  return {
    heard,
    begin(next: number) {
      round = next
      step = 0
    },
    answer(request: ReceivedRequest): Step {
      if (isSummary(request)) return summaries[summary++ % summaries.length] as Step
      const seen = textOf(request)
      const reply = specials[`${round}.${step}`] ?? usual()
      step++
      // From time to time everything that was planted is asked for.
      if (step === TURNS_PER_ROUND && round >= 8 && round % 6 === 2) {
        heard.asked.push(request)
        const known = PLANTED.filter(({ value }) => seen.includes(value)).length
        heard.answers.push(`${known} of ${PLANTED.length}`)
        return { reply: [{ text: `I know ${known} of ${PLANTED.length}.` }] }
      }
      if (step === TURNS_PER_ROUND) heard.answers.push(JSON.stringify(reply))
      return { reply }
    },
  }
}

function patchOf(path: string, n: number, version: number): string {
  const [before, after] = [version, version + 1].map((one) => `// module ${n}, version ${one}`)
  return `*** Begin Patch\n*** Update File: ${path}\n@@\n-${before}\n+${after}\n*** End Patch`
}

async function answerQuestions({ log }: SessionDeps, signal: AbortSignal): Promise<void> {
  for await (const fact of log.follow('s', 0, signal)) {
    if (fact.type === 'question-ask') {
      const answer = { kind: 'option', option: 'PostgreSQL 16, no other' } as const
      await log.admit('s', {
        type: 'question-answer',
        key: fact.questionId,
        by: person,
        questionId: fact.questionId,
        answer,
      })
    }
    if (fact.type === 'approval-ask') {
      const { callId, actionHash } = fact
      const words = 'not on Fridays'
      await log.admit('s', {
        type: 'approval-answer',
        key: callId,
        by: person,
        callId,
        actionHash,
        option: 'deny',
        words,
      })
    }
  }
}
