import { collect, person, start, upTo } from '@maru/testkit'
import { describe, expect, test } from 'vitest'
import { addJob, askForDueSummaries, askForSummary, type Job, runDueJobs, summaryJobs } from '../../src/index.ts'
import { ENGINES, freshName, START_MS, useHistory } from './engines.ts'

const signal = new AbortController().signal

describe.each(ENGINES)('jobs of %s', { timeout: START_MS }, (engine) => {
  test('are done once each, however many workers there are and however often they were asked for', async () => {
    const history = await useHistory(engine)
    const kind = freshName('count')
    const owners = await Promise.all(['a', 'b'].map((name) => history.open(freshName(name))))
    for (const { owner } of owners) {
      for (const n of upTo(10)) {
        for (const _ of [1, 2]) await addJob(history.engine, owner, { kind, key: `${n}`, payload: { n } })
      }
    }
    const done: string[] = []
    const handlers = { [kind]: async ({ owner, key }: Job) => void done.push(`${owner} ${key}`) }
    const counts = await Promise.all(upTo(4).map(() => runDueJobs(history.engine, { handlers, signal })))
    expect(counts.reduce((a, b) => a + b)).toBe(20)
    expect(new Set(done).size).toBe(20)
    expect(done).toHaveLength(20)
    await Promise.all(owners.map(({ log }) => log.close()))
  })

  test('go to another worker when theirs has died, and are left alone after too many failures', async () => {
    const history = await useHistory(engine)
    const own = await history.open(freshName('crash'))
    const kind = freshName('fragile')
    await addJob(history.engine, own.owner, { kind, key: 'k', payload: {} })
    const run = (work: (job: Job) => Promise<void>) =>
      runDueJobs(history.engine, { handlers: { [kind]: work }, signal, mostAttempts: 3 })
    const set = (what: string) =>
      history.engine.asOwner((db) => db.query(`update maru.job set ${what} where owner = $1`, [own.owner]))
    // As a worker that took it and is no more; then as one that is still at it.
    await set(`lease = gen_random_uuid(), attempts = 1, lease_until = clock_timestamp() + interval '1 h'`)
    expect(await run(async () => undefined)).toBe(0)
    await set(`lease_until = clock_timestamp() - interval '1 s'`)
    const fails = async () => {
      throw new Error('no luck')
    }
    expect(await run(fails)).toBe(0)
    await set(`run_at = clock_timestamp()`)
    const seen: number[] = []
    expect(
      await run(async ({ attempts }) => {
        seen.push(attempts)
        throw new Error('again')
      }),
    ).toBe(0)
    await set(`run_at = clock_timestamp()`)
    expect(await run(async () => undefined)).toBe(0)
    expect(seen).toEqual([3])
    const rows = await history.engine.as(own.owner, (db) => db.query('select attempts, problem from maru.job', []))
    expect(rows).toEqual([{ attempts: 3, problem: 'again' }])
    await own.log.close()
  })

  test('summarise what has grown, once, and not what has not', async () => {
    const history = await useHistory(engine)
    const own = await history.open(freshName('summary'))
    for (const [id, count] of [
      ['long', 51],
      ['short', 5],
    ] as const) {
      await own.log.create(id, start)
      await Promise.all(
        upTo(count).map((n) =>
          own.log.admit(id, {
            type: 'message-add',
            key: `${n}`,
            by: person,
            role: 'user',
            parts: [{ type: 'text', text: `${id} ${n}` }],
          }),
        ),
      )
    }
    expect(await askForDueSummaries(history.engine, own.owner, 0)).toBe(1)
    expect(await askForDueSummaries(history.engine, own.owner, 0)).toBe(1)
    // Others who share this history may have left jobs of their own.
    const asked: string[] = []
    const handlers = await summaryJobs(
      (owner) => {
        asked.push(owner)
        return history.openOwner(owner)
      },
      async (messages, { maxWords }) => `${messages.length} messages in ${maxWords} words`,
    )
    const run = async () => {
      asked.length = 0
      await runDueJobs(history.engine, { handlers, signal })
      return asked.filter((owner) => owner === own.owner).length
    }
    expect(await run()).toBe(1)
    const summaries = async () =>
      (await collect(own.log.read('long'))).flatMap((fact) => (fact.type === 'summary-add' ? [fact] : []))
    expect(await summaries()).toMatchObject([{ text: '51 messages in 500 words', covers: { from: 2, to: 52 } }])
    expect(await askForDueSummaries(history.engine, own.owner, 0)).toBe(0)
    // Its worker died right behind it: it is done again and stored once.
    await askForSummary(history.engine, own.owner, { id: 'long', to: 52 })
    expect(await run()).toBe(1)
    expect(await summaries()).toHaveLength(1)
    await own.log.close()
  })
})
