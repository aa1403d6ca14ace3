import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collect, input, person, start, temporaryDirectory, toolEnd, toolStart, upTo } from '@maru/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type History,
  type JsonlStore,
  mirrorSessions,
  moveSession,
  type OwnHistory,
  openJsonlStore,
} from '../../src/index.ts'
import { ENGINES, freshName, START_MS, useHistory } from './engines.ts'

describe.each(ENGINES)('sessions in files, mirrored into %s,', { timeout: START_MS }, (engine) => {
  let history: History
  let own: OwnHistory
  let files: JsonlStore
  let directory = ''
  let dispose: () => Promise<void>

  beforeEach(async () => {
    history = await useHistory(engine)
    own = await history.open(freshName('mirrored'))
    ;({ path: directory, dispose } = await temporaryDirectory())
    files = openJsonlStore({ directory, now: Date.now })
  }, START_MS)
  afterEach(async () => {
    await Promise.all([own.log.close(), files.log.close()])
    await dispose()
  })

  const mirror = (source = 'here', signal = new AbortController().signal) =>
    mirrorSessions(history, own, { directory, source, signal })
  const ids = async () => (await collect(own.log.list())).map(({ id }) => id).sort()
  const texts = async (id: string) => (await own.conversations.messages(id)).map(({ content }) => content)

  test('are the same facts there, and never twice', async () => {
    await files.log.create('a', start)
    await files.log.admit('a', { type: 'title-set', key: 't', by: person, title: '서버 배포' })
    await files.log.admit('a', input('1', '웹서버를 고칩니다'))
    const lease = await files.log.lease('a')
    await files.log.append('a', { epoch: lease.epoch, expect: lease.last }, [toolStart('c'), toolEnd('c', 'out')])
    await lease.release()
    expect(await mirror()).toEqual({ sessions: 1, facts: 5, gone: 0, problems: [] })
    expect(await collect(own.log.read('a'))).toEqual(await collect(files.log.read('a')))
    expect((await own.search('서버')).hits.map(({ role }) => role).sort()).toEqual(['title', 'user'])
    expect(await mirror()).toEqual({ sessions: 0, facts: 0, gone: 0, problems: [] })
    await files.log.admit('a', input('2', 'more'))
    expect(await mirror()).toMatchObject({ sessions: 1, facts: 1 })
    expect(await collect(own.log.read('a'))).toEqual(await collect(files.log.read('a')))
  })

  test('keep what they are forks of, whether it is there or not', async () => {
    await files.log.create('b-parent', start)
    for (const n of upTo(3)) await files.log.admit('b-parent', input(`${n}`, `word ${n}`))
    // Found before its parent, by its name.
    await files.log.create('a-fork', { ...start, forkOf: { id: 'b-parent', seq: 3 } })
    await files.log.admit('a-fork', input('own', 'of the fork'))
    await files.log.create('c-orphan', { ...start, forkOf: { id: 'b-parent', seq: 2 } })
    expect(await mirror()).toMatchObject({ sessions: 3, facts: 7, problems: [] })
    // What they share is there once.
    expect((await own.search('word')).hits).toHaveLength(3)
    expect(await texts('a-fork')).toEqual(['word 1', 'word 2', 'of the fork'])
    expect(await collect(own.log.read('a-fork'))).toEqual(await collect(files.log.read('a-fork')))
    await files.log.erase('b-parent')
    expect(await mirror()).toMatchObject({ gone: 1 })
    expect(await texts('a-fork')).toEqual(['word 1', 'word 2', 'of the fork'])
    expect(await ids()).toEqual(['a-fork', 'c-orphan'])
    await files.log.create('d-late', { ...start, forkOf: { id: 'a-fork', seq: 2 } })
    rmSync(join(directory, 'a-fork.jsonl'))
    expect(await mirror()).toMatchObject({ sessions: 1, gone: 1, problems: [] })
    expect(await texts('d-late')).toEqual(['word 1'])
    expect(await own.log.list()[Symbol.asyncIterator]().next()).toMatchObject({
      value: { id: 'd-late', start: { forkOf: { id: 'a-fork', seq: 2 } } },
    })
  })

  test('lose what was erased from them, content included', async () => {
    await files.log.create('s', start)
    const long = `${'lorem '.repeat(4_000)} 마지막말`
    const blob = await files.blobs.put('s', long)
    await files.log.admit('s', {
      ...input('long'),
      parts: [{ type: 'text', text: 'lorem', blob }],
    } as ReturnType<typeof input>)
    await files.log.admit('s', input('kept', 'needle'))
    await mirror()
    expect((await own.search('마지막말')).hits).toHaveLength(1)
    expect(await own.blobs.get('s', blob.hash)).toHaveLength(long.length + 2 * 4)
    await files.log.erase('s', 2)
    await mirror()
    expect((await own.search('마지막말')).hits).toEqual([])
    expect(await own.blobs.get('s', blob.hash)).toBeUndefined()
    expect((await own.search('needle')).hits).toHaveLength(1)
    expect(await collect(own.log.read('s'))).toEqual(await collect(files.log.read('s')))
  })

  test('of two places stay apart', async () => {
    await files.log.create('s', start)
    await mirror('one')
    const other = await temporaryDirectory()
    const options = { directory: other.path, source: 'two', signal: new AbortController().signal }
    await openJsonlStore({ directory: other.path, now: Date.now }).log.create('t', start)
    expect(await mirrorSessions(history, own, options)).toMatchObject({ sessions: 1, gone: 0 })
    await openJsonlStore({ directory: other.path, now: () => 1 }).log.create('s', start)
    expect(await mirrorSessions(history, own, options)).toMatchObject({ problems: [{ id: 's' }] })
    expect(await ids()).toEqual(['s', 't'])
    await other.dispose()
  })

  test('are brought as far as they can be read, and a torn end is waited for', async () => {
    const path = (id: string) => join(directory, `${id}.jsonl`)
    for (const id of ['good', 'bad', 'torn']) {
      await files.log.create(id, start)
      for (const n of upTo(3)) await files.log.admit(id, input(`${n}`, `${id} ${n}`))
    }
    const lines = readFileSync(path('bad'), 'utf8').split('\n')
    writeFileSync(path('bad'), [...lines.slice(0, 2), 'garbage', ...lines.slice(2)].join('\n'))
    const whole = readFileSync(path('torn'))
    writeFileSync(path('torn'), whole.subarray(0, whole.length - 10))
    expect(await mirror()).toMatchObject({ problems: [{ id: 'bad', problem: 'line 3: not JSON' }] })
    expect(await texts('good')).toHaveLength(3)
    expect(await texts('bad')).toEqual(['bad 1'])
    expect(await texts('torn')).toHaveLength(2)
    appendFileSync(path('torn'), whole.subarray(whole.length - 10))
    expect(await mirror()).toMatchObject({ facts: 1, problems: [] })
    expect(await texts('torn')).toHaveLength(3)
  })

  test('go on where they were interrupted', async () => {
    for (const n of upTo(5)) await files.log.create(`s${n}`, start)
    const stop = new AbortController()
    const onProgress = ({ done }: { done: number }) => (done === 2 ? stop.abort() : undefined)
    await mirrorSessions(history, own, { directory, source: 'here', signal: stop.signal, onProgress })
    expect(await ids()).toEqual(['s1', 's2'])
    expect(await mirror()).toMatchObject({ sessions: 3 })
    expect(await ids()).toHaveLength(5)
  })

  test('are only shown until they move; then they go on there, and the file stays as it was', async () => {
    await files.log.create('s', start)
    await files.log.admit('s', input('1', '파일에서 한 말'))
    await mirror()
    await expect(own.log.admit('s', input('2', 'too early'))).rejects.toMatchObject({ code: 'moved' })
    await expect(own.log.lease('s')).rejects.toMatchObject({ code: 'moved' })
    await files.log.admit('s', input('3', 'said at the last moment'))
    await files.log.close()
    await moveSession(history, own, { directory, source: 'here', id: 's' })
    await own.log.admit('s', input('4', 'and here'))
    expect(await texts('s')).toEqual(['파일에서 한 말', 'said at the last moment', 'and here'])
    expect((await collect(own.log.read('s'))).map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
    files = openJsonlStore({ directory, now: Date.now })
    await expect(files.log.admit('s', input('5', 'no more'))).rejects.toMatchObject({ code: 'moved' })
    expect(await mirror()).toEqual({ sessions: 0, facts: 0, gone: 0, problems: [] })
    await own.rebuild('s')
    await own.log.admit('s', input('6', 'still'))
    rmSync(join(directory, 's.jsonl'))
    await mirror()
    expect(await texts('s')).toHaveLength(4)
  })

  test('that are being worked on do not move, and a move that was cut short is brought to its end', async () => {
    await files.log.create('busy', start)
    await mirror()
    const lease = await files.log.lease('busy')
    const move = moveSession(history, own, { directory, source: 'here', id: 'busy' })
    await expect(move).rejects.toMatchObject({ code: 'held' })
    await expect(own.log.admit('busy', input('1'))).rejects.toMatchObject({ code: 'moved' })
    await files.log.append('busy', { epoch: lease.epoch, expect: lease.last }, [{ type: 'session-move', to: 'store' }])
    await mirror()
    await own.log.admit('busy', input('2', 'here'))
    expect(await texts('busy')).toEqual(['here'])
  })
})
