import { type BlobStore, LogError, MAX_RECORD_BYTES, type Recorded, type SessionLog } from '@maru/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { collect, take, upTo } from './collect.ts'
import { approve, input, start, toolEnd, toolStart, turnEnd } from './facts.ts'

/** One place where logs are kept, empty at first. */
export interface LogHarness {
  open(owner: string, mask?: (text: string) => string): Promise<{ log: SessionLog; blobs: BlobStore }>
  dispose(): Promise<void>
}

/** What every session log promises, whatever it is made of. */
export function sessionLogContract(name: string, create: () => Promise<LogHarness>): void {
  describe(`${name} keeps the contract of a session log`, () => {
    let harness: LogHarness
    let log: SessionLog
    let blobs: BlobStore
    beforeEach(async () => {
      harness = await create()
      ;({ log, blobs } = await harness.open('owner'))
    })
    afterEach(async () => {
      await log.close()
      await harness.dispose()
    })

    /** Has read the one fact of a session, and waits for what comes behind it. */
    const followToTheEnd = async () => {
      const follower = log.follow('s', 0, new AbortController().signal)[Symbol.asyncIterator]()
      expect(await follower.next()).toMatchObject({ value: { seq: 1 } })
      return { next: follower.next() }
    }

    test('a session begins with seq 1 and can be begun only once', async () => {
      expect(await log.create('s', start)).toMatchObject({ seq: 1, type: 'session-start', cwd: '/repo', v: 1 })
      await expectCode(log.create('s', start), 'exists')
      expect(await collect(log.read('s'))).toHaveLength(1)
    })

    test('what is not there is missing, in every way of asking', async () => {
      await expectCode(log.lease('none'), 'missing')
      await expectCode(log.admit('none', input('a')), 'missing')
      await expectCode(collect(log.read('none')), 'missing')
      await expectCode(collect(log.follow('none', 0, new AbortController().signal)), 'missing')
      await expectCode(log.erase('none'), 'missing')
    })

    test('facts are read back as they were acknowledged, from any place on', async () => {
      const first = await log.create('s', start)
      const said = await log.admit('s', input('a', '안녕 👩‍💻\u2028"\\'))
      const lease = await log.lease('s')
      const done = await log.append('s', { epoch: lease.epoch, expect: lease.last }, [toolStart('c'), toolEnd('c')])
      const all = [first, said, ...done]
      expect(all.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
      for (const after of [0, 1, 2, 3, 4, 5]) {
        expect(await collect(log.read('s', after))).toEqual(all.slice(after))
      }
    })

    test('the same key is one fact, however many say it at once', async () => {
      await log.create('s', start)
      // The first keeps the log busy, so that the others are judged together.
      const [, ...said] = await Promise.all(
        [input('other'), ...upTo(20).map((n) => input('same', `text ${n}`))].map((fact) => log.admit('s', fact)),
      )
      expect(new Set(said.map((record) => JSON.stringify(record))).size).toBe(1)
      expect(await log.admit('s', input('same', 'later'))).toEqual(said[0])
      expect(await collect(log.read('s'))).toHaveLength(3)
    })

    test('the first answer wins, and the others are told which it was', async () => {
      await log.create('s', start)
      const answers = await Promise.all(upTo(10).map((n) => log.admit('s', approve(`k${n}`, 'call', `option ${n}`))))
      expect(new Set(answers.map(({ seq }) => seq))).toEqual(new Set([2]))
      expect(await log.admit('s', approve('late', 'call', 'deny'))).toEqual(answers[0])
      expect(await log.admit('s', approve('other', 'another call'))).toMatchObject({ seq: 3 })
    })

    test('one runner at a time, and one that lost its lease can write no more', async () => {
      await log.create('s', start)
      const first = await log.lease('s')
      await expectCode(log.lease('s'), 'held')
      await first.renew()
      await first.release()
      await first.release()
      await expectCode(first.renew(), 'conflict')
      const second = await log.lease('s')
      expect(second.epoch).toBeGreaterThan(first.epoch)
      await expectCode(log.append('s', { epoch: first.epoch, expect: 0 }, [toolStart('c')]), 'conflict')
      await log.append('s', { epoch: second.epoch, expect: second.last }, [toolStart('c')])
      await second.release()
      await expectCode(log.append('s', { epoch: second.epoch, expect: 2 }, [toolEnd('c')]), 'conflict')
    })

    test('a runner that missed a runner fact conflicts; admitted facts never make it conflict', async () => {
      await log.create('s', start)
      const { epoch, last } = await log.lease('s')
      const [one] = await log.append('s', { epoch, expect: last }, [toolStart('c')])
      await log.admit('s', input('in between'))
      const [two] = await log.append('s', { epoch, expect: one?.seq ?? 0 }, [toolEnd('c')])
      expect(two?.seq).toBe(4)
      await expectCode(log.append('s', { epoch, expect: one?.seq ?? 0 }, [toolStart('d')]), 'conflict')
      expect((await collect(log.read('s'))).map(({ type }) => type)).toEqual([
        'session-start',
        'tool-start',
        'input-admit',
        'tool-end',
      ])
    })

    test('a lease knows what the runner before it wrote last', async () => {
      await log.create('s', start)
      const first = await log.lease('s')
      await log.append('s', { epoch: first.epoch, expect: first.last }, [toolStart('c'), toolEnd('c')])
      await log.admit('s', input('after'))
      await first.release()
      expect((await log.lease('s')).last).toBe(3)
    })

    test('an append is all or none', async () => {
      await log.create('s', start)
      const { epoch, last } = await log.lease('s')
      const tooLong = toolEnd('c', 'x'.repeat(MAX_RECORD_BYTES))
      await expectCode(log.append('s', { epoch, expect: last }, [toolStart('c'), tooLong]), 'rejected')
      await expectCode(
        log.append('s', { epoch, expect: last }, [toolStart('c'), { type: 'nonsense' } as never]),
        'rejected',
      )
      expect(await collect(log.read('s'))).toHaveLength(1)
      await log.append('s', { epoch, expect: last }, [toolStart('c')])
    })

    test('doors and runners write only what is theirs', async () => {
      await log.create('s', start)
      const { epoch, last } = await log.lease('s')
      await expectCode(log.admit('s', toolStart('c') as never), 'rejected')
      await expectCode(log.append('s', { epoch, expect: last }, [input('a') as never]), 'rejected')
      await expectCode(log.admit('s', { ...input('a'), parts: 'no list' } as never), 'rejected')
    })

    test('many admit at once while the runner appends and others follow: no gap, no duplicate', async () => {
      await log.create('s', start)
      const stop = new AbortController()
      const total = 1 + 4 * 50 + 2 * 50
      const followers = [0, 1, 37].map((after) => take(log.follow('s', after, stop.signal), total - after))
      const doors = upTo(4).map(async (door) => {
        for (const n of upTo(50)) await log.admit('s', input(`${door}:${n}`))
      })
      const runner = async () => {
        const { epoch, last } = await log.lease('s')
        let own = last
        for (const n of upTo(50)) {
          const written = await log.append('s', { epoch, expect: own }, [toolStart(`c${n}`), toolEnd(`c${n}`)])
          own = written.at(-1)?.seq ?? own
        }
      }
      await Promise.all([...doors, runner()])
      const stored = await collect(log.read('s'))
      expect(stored.map(({ seq }) => seq)).toEqual(upTo(total))
      const [all, afterOne, late] = await Promise.all(followers)
      expect(all).toEqual(stored)
      expect(afterOne).toEqual(stored.slice(1))
      expect(late).toEqual(stored.slice(37))
      stop.abort()
    })

    test('following ends with its signal, also while it waits', async () => {
      await log.create('s', start)
      const stop = new AbortController()
      const seen: Recorded[] = []
      const following = (async () => {
        for await (const record of log.follow('s', 0, stop.signal)) {
          seen.push(record)
          setTimeout(() => stop.abort(), 0)
        }
      })()
      await following
      expect(seen).toHaveLength(1)
      expect(await collect(log.follow('s', 0, AbortSignal.abort()))).toEqual([])
    })

    test('a watcher hears of every session, and goes on from its cursor', async () => {
      const stop = new AbortController()
      const watching = take(log.watch(undefined, stop.signal), 3)
      await log.create('one', start)
      await log.create('two', start)
      await log.admit('one', input('a'))
      const changes = await watching
      expect(changes.map(({ cursor: _cursor, ...change }) => change)).toEqual([
        { id: 'one', seq: 1, kind: 'session-start' },
        { id: 'two', seq: 1, kind: 'session-start' },
        { id: 'one', seq: 2, kind: 'input-admit' },
      ])
      const again = await take(log.watch(changes[0]?.cursor, stop.signal), 2)
      expect(again).toEqual(changes.slice(1))
      const [reset] = await take(log.watch('a cursor from elsewhere', stop.signal), 1)
      expect(reset).toMatchObject({ reset: true })
      stop.abort()
    })

    test('an erased fact leaves its place, its key and nothing else', async () => {
      await log.create('s', start)
      const blob = await blobs.put('s', 'kept only for the erased one')
      const shared = await blobs.put('s', 'kept for both')
      const parts = (hash: typeof blob) => [{ type: 'text' as const, text: 'secret words', blob: hash }]
      await log.admit('s', { ...input('gone'), parts: [...parts(blob), ...parts(shared)] } as never)
      await log.admit('s', { ...input('stays'), parts: [{ type: 'text', text: 'fine', blob: shared }] } as never)
      const stop = new AbortController()
      const follower = log.follow('s', 0, stop.signal)[Symbol.asyncIterator]()
      for (const _ of upTo(3)) await follower.next()
      await log.erase('s', 2)
      await log.erase('s', 2)
      const read = await collect(log.read('s'))
      expect(read.map(({ seq, type }) => [seq, type])).toEqual([
        [1, 'session-start'],
        [2, 'erased'],
        [3, 'input-admit'],
      ])
      expect(JSON.stringify(read)).not.toContain('secret words')
      expect(await blobs.get('s', blob.hash)).toBeUndefined()
      expect(await blobs.get('s', shared.hash)).toBeDefined()
      expect(await log.admit('s', input('gone', 'again'))).toMatchObject({ seq: 2, type: 'erased' })
      const next = await log.admit('s', input('next'))
      expect(next.seq).toBe(4)
      expect((await follower.next()).value).toEqual(next)
      stop.abort()
      await follower.next()
      await expectCode(log.erase('s', 99), 'missing')
      await expectCode(log.erase('s', 1), 'rejected')
    })

    test('an erased session is gone, its blobs too, and who follows it is let go', async () => {
      await log.create('s', start)
      const { hash } = await blobs.put('s', 'content')
      const end = await followToTheEnd()
      await log.erase('s')
      expect(await end.next).toEqual({ done: true, value: undefined })
      await expectCode(collect(log.read('s')), 'missing')
      expect(await blobs.get('s', hash)).toBeUndefined()
      expect(await collect(log.list())).toEqual([])
    })

    test('a fork keeps the facts before the cut, and outlives its parent', async () => {
      await log.create('parent', start)
      const { hash, bytes } = await blobs.put('parent', 'shared content')
      await log.admit('parent', { ...input('a'), parts: [{ type: 'text', text: 'a', blob: { hash, bytes } }] } as never)
      await log.admit('parent', input('b'))
      const before = await collect(log.read('parent'))
      const forkOf = { id: 'parent', seq: 2 }
      expect(await log.create('fork', { ...start, forkOf })).toMatchObject({ seq: 3, type: 'session-start', forkOf })
      expect((await collect(log.read('fork'))).slice(0, 2)).toEqual(before.slice(0, 2))
      await log.erase('parent')
      expect(await log.admit('fork', input('b', 'free in the fork'))).toMatchObject({ seq: 4 })
      expect(await log.admit('fork', input('a', 'taken in the prefix'))).toMatchObject({ seq: 2 })
      expect(new TextDecoder().decode(await blobs.get('fork', hash))).toBe('shared content')
      await expectCode(log.create('bad', { ...start, forkOf: { id: 'fork', seq: 99 } }), 'rejected')
      await expectCode(collect(log.read('bad')), 'missing')
    })

    test('sessions are listed with how they began, their title and their last change', async () => {
      await log.create('one', start)
      await log.admit('one', { ...input('t'), type: 'title-set', title: '첫 대화' } as never)
      await log.create('two', { ...start, door: 'web' })
      const listed = await collect(log.list())
      const byId = Object.fromEntries(listed.map((info) => [info.id, info]))
      expect(byId['one']).toMatchObject({ title: '첫 대화', start: { door: 'terminal' } })
      expect(byId['two']).toMatchObject({ start: { door: 'web' } })
      expect(byId['one']?.changedAt).toBeGreaterThanOrEqual(byId['one']?.startedAt ?? Number.POSITIVE_INFINITY)
    })

    test('one owner sees nothing of another', async () => {
      await log.create('mine', start)
      const other = await harness.open('somebody else')
      try {
        expect(await collect(other.log.list())).toEqual([])
        await expectCode(collect(other.log.read('mine')), 'missing')
        await expectCode(other.log.admit('mine', input('a')), 'missing')
        await other.log.create('mine', start)
        await other.log.erase('mine')
        expect(await collect(log.read('mine'))).toHaveLength(1)
      } finally {
        await other.log.close()
      }
    })

    test('secrets are masked before anything is stored or given back', async () => {
      const { log: masked } = await harness.open('careful', (text) => text.replaceAll('hunter2', '‹secret›'))
      try {
        await masked.create('s', start)
        const said = await masked.admit('s', input('hunter2', 'my password is hunter2'))
        expect(JSON.stringify(said)).toContain('my password is ‹secret›')
        const { epoch, last } = await masked.lease('s')
        const opaque = { type: 'opaque' as const, vendor: 'v', data: { signed: 'hunter2' } }
        const turn = { ...turnEnd('t', 'it is hunter2'), parts: [{ type: 'text', text: 'it is hunter2' }, opaque] }
        await masked.append('s', { epoch, expect: last }, [toolStart('c', { hunter2: ['hunter2'] }), turn as never])
        const stored = await collect(masked.read('s'))
        expect(stored[2]).toMatchObject({ args: { '‹secret›': ['‹secret›'] } })
        expect(stored[3]).toMatchObject({ parts: [{ type: 'text', text: 'it is ‹secret›' }] })
        // A key is how facts are told apart: it is the door's own and stays.
        expect(stored[1]).toMatchObject({ key: 'hunter2' })
      } finally {
        await masked.close()
      }
    })

    test('a mask that would make a fact unreadable is refused, not obeyed', async () => {
      const { log: careless } = await harness.open('careless', (text) => text.replaceAll('queue', '#'))
      try {
        await careless.create('s', start)
        await expectCode(careless.admit('s', input('a')), 'rejected')
        expect(await collect(careless.read('s'))).toHaveLength(1)
      } finally {
        await careless.close()
      }
    })

    test('a name that facts use is content like any other inside arguments', async () => {
      const { log: masked } = await harness.open('inside', (text) => text.replaceAll('hunter2', '‹secret›'))
      try {
        await masked.create('s', { ...start, cwd: '/hunter2' })
        const { epoch, last } = await masked.lease('s')
        const args = { key: 'hunter2', type: 'opaque', nested: { type: 'opaque', kind: 'hunter2' } }
        await masked.append('s', { epoch, expect: last }, [toolStart('c', args)])
        const stored = await collect(masked.read('s'))
        expect(JSON.stringify(stored)).not.toContain('hunter2')
        expect(stored[1]).toMatchObject({ args: { key: '‹secret›', nested: { kind: '‹secret›' } } })
      } finally {
        await masked.close()
      }
    })

    test('a fact copied from elsewhere gets its own number', async () => {
      await log.create('s', start)
      const copied = { ...input('a'), seq: 77, at: 1, v: 9 }
      expect(await log.admit('s', copied)).toMatchObject({ seq: 2, v: 1 })
      expect((await collect(log.read('s'))).map(({ seq }) => seq)).toEqual([1, 2])
    })

    test('behind a move nothing is written, not even what was asked for at the same moment', async () => {
      await log.create('s', start)
      const { epoch, last } = await log.lease('s')
      const move = { type: 'session-move', to: 'store' } as const
      const [, moved, late] = await Promise.allSettled([
        log.admit('s', input('busy')),
        log.append('s', { epoch, expect: last }, [move]),
        log.admit('s', input('late')),
      ])
      expect(moved.status).toBe('fulfilled')
      expect(late).toMatchObject({ status: 'rejected', reason: { code: 'moved' } })
      await expectCode(log.append('s', { epoch, expect: 3 }, [toolStart('c')]), 'moved')
      await expectCode(log.erase('s', 3), 'rejected')
      expect((await collect(log.read('s'))).at(-1)).toMatchObject({ seq: 3, type: 'session-move' })
    })

    test('letting go and coming back at the same moment works', async () => {
      await log.create('s', start)
      for (const n of upTo(20)) {
        const lease = await log.lease('s')
        const [, said] = await Promise.all([lease.release(), log.admit('s', input(`k${n}`))])
        expect(said.seq).toBe(n + 1)
      }
    })

    test('erasing a session ends its lease, and another of that name begins anew', async () => {
      await log.create('s', start)
      const lease = await log.lease('s')
      const end = await followToTheEnd()
      await log.erase('s')
      await expectCode(log.append('s', { epoch: lease.epoch, expect: lease.last }, [toolStart('c')]), 'conflict')
      await log.create('s', { ...start, cwd: '/another' })
      expect(await log.admit('s', input('a'))).toMatchObject({ seq: 2 })
      await lease.release()
      const next = await log.lease('s')
      await log.append('s', { epoch: next.epoch, expect: next.last }, [toolStart('c')])
      expect(await end.next).toEqual({ done: true, value: undefined })
      expect(await collect(log.read('s'))).toHaveLength(3)
    })

    test('erasing has its turn however busy the doors are', async () => {
      await log.create('s', start)
      await log.admit('s', { ...input('t'), type: 'title-set', title: 'secret title' } as never)
      let isOver = false
      const doors = upTo(3).map(async (door) => {
        for (let n = 0; !isOver; n++) await log.admit('s', input(`${door}.${n}`))
      })
      await log.erase('s', 2)
      isOver = true
      await Promise.all(doors)
      expect((await collect(log.list()))[0]).not.toHaveProperty('title')
    })

    test('a fork takes the content of its facts and no other, and a failed one leaves none', async () => {
      await log.create('parent', start)
      const refs = await Promise.all(['one', 'two'].map((text) => blobs.put('parent', text)))
      for (const [n, blob] of refs.entries()) {
        await log.admit('parent', { ...input(`k${n}`), parts: [{ type: 'text', text: 'x', blob }] } as never)
      }
      await log.create('fork', { ...start, forkOf: { id: 'parent', seq: 2 } })
      expect(await blobs.get('fork', refs[0]?.hash ?? '')).toBeDefined()
      expect(await blobs.get('fork', refs[1]?.hash ?? '')).toBeUndefined()
      await expectCode(log.create('bad', { ...start, forkOf: { id: 'parent', seq: 9 } }), 'rejected')
      expect(await blobs.get('bad', refs[0]?.hash ?? '')).toBeUndefined()
      await expectCode(log.create('fork', { ...start, forkOf: { id: 'parent', seq: 3 } }), 'exists')
      expect(await blobs.get('fork', refs[1]?.hash ?? '')).toBeUndefined()
    })

    test('watchers hear of what is erased', async () => {
      const stop = new AbortController()
      const watching = take(log.watch(undefined, stop.signal), 4)
      await log.create('s', start)
      await log.admit('s', input('a'))
      await log.erase('s', 2)
      await log.erase('s')
      expect((await watching).slice(2)).toMatchObject([
        { id: 's', seq: 2, kind: 'erased' },
        { id: 's', gone: true },
      ])
      stop.abort()
    })

    test('closing ends what follows and watches, and nothing can be written any more', async () => {
      await log.create('s', start)
      const { epoch, last } = await log.lease('s')
      const signal = new AbortController().signal
      const following = collect(log.follow('s', 0, signal))
      const watching = collect(log.watch(undefined, signal))
      await log.close()
      expect((await following).length).toBeLessThanOrEqual(1)
      expect(await watching).toEqual([])
      await expectCode(log.append('s', { epoch, expect: last }, [toolStart('c')]), 'closed')
    })

    test('closing twice is fine, and a closed log says so', async () => {
      await log.create('s', start)
      await log.lease('s')
      await log.close()
      await log.close()
      await expectCode(log.admit('s', input('a')), 'closed')
      const again = await harness.open('owner')
      if ((await collect(again.log.list())).length > 0) await (await again.log.lease('s')).release()
      await again.log.close()
    })
  })
}

async function expectCode(promise: Promise<unknown>, code: LogError['code']): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(LogError)
  expect((error as LogError).code).toBe(code)
}
