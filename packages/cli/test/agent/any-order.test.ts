import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openJsonlStore } from '@maru/store'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CliError } from '../../src/cli-error.ts'
import { verifyLog } from '../../src/replay/verify-log.ts'
import { createHouse, type Talk } from './talk.ts'

type Act =
  | 'steer'
  | 'queue'
  | 'interrupt'
  | 'fork'
  | 'fork-early'
  | 'begin'
  | 'open'
  | 'model'
  | 'wait'
  | 'rest'
  | 'reopen'

const act = fc.constantFrom<Act>(
  ...([
    'steer',
    'steer',
    'queue',
    'interrupt',
    'fork',
    'fork-early',
    'begin',
    'open',
    'model',
    'wait',
    'rest',
    'reopen',
  ] as const),
)

test('whatever is said, stopped, forked and opened in whatever order, no log breaks and no word is lost', {
  timeout: 120_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 4, maxLength: 14 }), async (acts) => {
      const said = await doAll(acts)
      expect(said.lost).toEqual([])
    }),
    { numRuns: 12 },
  )
})

async function doAll(acts: readonly Act[]) {
  let requests = 0
  const house = await createHouse({
    files: { 'a.txt': 'a\n' },
    script: () => {
      const read = { call: 'ReadFile', args: { path: 'a.txt' } }
      return ++requests % 3 === 1 ? { reply: [{ text: 'Reading.' }, read] } : { reply: [{ text: 'Done with it.' }] }
    },
  })
  const directory = join(house.path, 'home', 'sessions')
  const words: string[] = []
  let talking = await house.open()
  for (const [at, one] of acts.entries()) {
    // What cannot be done while it works is refused by that name; anything else is a bug.
    await step(one, `word ${at};`).catch((error: unknown) => {
      if (!(error instanceof CliError && error.code === 'busy')) throw error
    })
  }
  await talking.idle()
  await talking.conversation.say('the last word;', 'queue')
  await talking.idle()
  // Whatever was left there was taken up with it.
  expect(talking.conversation.isLeftOpen).toBe(false)
  await talking.conversation.close()
  const taken = await readTaken(directory)
  for (const id of logsIn(directory)) {
    expect(await verifyLog(join(directory, `${id}.jsonl`))).toMatchObject({ requests: expect.any(Number) })
  }
  return { lost: words.filter((word) => !taken.includes(word)) }

  async function step(one: Act, word: string): Promise<void> {
    const { conversation, heard, until, idle } = talking
    switch (one) {
      case 'steer':
      case 'queue':
        await conversation.say(word, one)
        words.push(word)
        return
      case 'interrupt':
        return conversation.interrupt()
      case 'fork':
        return conversation.fork()
      case 'fork-early':
        return conversation.fork(heard.facts.find(({ record }) => record.type === 'turn-end')?.record.seq ?? 1)
      case 'begin':
        return conversation.begin()
      case 'open': {
        const other = logsIn(directory).find((id) => id !== conversation.sessionId)
        return other === undefined ? undefined : conversation.open(other)
      }
      case 'model':
        return conversation.change({ model: conversation.settings.model === 'scripted' ? 'other' : 'scripted' })
      case 'wait': {
        const seen = heard.facts.length
        await until(() => heard.facts.length > seen || conversation.state === 'idle')
        return
      }
      case 'rest':
        return idle()
      case 'reopen':
        talking = await reopen(talking)
        return
      default:
        one satisfies never
    }
  }

  async function reopen({ conversation }: Talk): Promise<Talk> {
    const { sessionId } = conversation
    await conversation.close()
    return logsIn(directory).includes(sessionId) ? house.open([], { resume: sessionId }) : house.open()
  }
}

const logsIn = (directory: string) =>
  readdirSync(directory).flatMap((name) => (name.endsWith('.jsonl') ? [name.slice(0, -'.jsonl'.length)] : []))

// What was said and stands in a log, whether a run has taken it up or it still waits to be.
async function readTaken(directory: string): Promise<string[]> {
  const { log } = openJsonlStore({ directory, now: Date.now })
  const words: string[] = []
  for (const id of logsIn(directory)) {
    for await (const record of log.read(id)) {
      if (record.type !== 'input-admit') continue
      for (const part of record.parts) if (part.type === 'text') words.push(part.text)
    }
  }
  await log.close()
  return words
}
