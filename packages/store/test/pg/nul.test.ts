import type { RunnerFact } from '@maru/protocol'
import { collect, input, person, start } from '@maru/testkit'
import { expect, test } from 'vitest'
import { ENGINES, freshName, START_MS, useHistory } from './engines.ts'

test.each(ENGINES)(
  'a session of %s in which somebody said U+0000 runs, hides and erases',
  { timeout: START_MS },
  async (engine) => {
    const own = await (await useHistory(engine)).open(freshName('nul'))
    await own.log.create('s', start)
    await own.log.admit('s', input('a\0', 'before\0behind'))
    const lease = await own.log.lease('s')
    const turn = (turnId: string): RunnerFact[] => [
      { type: 'turn-start', turnId, runId: 'r', model: 'm' },
      { type: 'turn-end', turnId, parts: [{ type: 'text', text: `${turnId}\0answer` }], stop: 'end' },
    ]
    await own.log.append('s', { epoch: lease.epoch, expect: lease.last }, [...turn('t1'), ...turn('t2')])
    await own.log.admit('s', { type: 'message-hide', key: 'h\0', by: { ...person, id: '\0' }, target: 2 })
    await own.log.erase('s', 3)
    expect((await own.conversations.messages('s')).map(({ content, model }) => [content, model])).toEqual([
      ['t1\ufffdanswer', null],
      ['t2\ufffdanswer', 'm'],
    ])
    await own.log.erase('s', 4)
    expect((await own.conversations.list()).items).toMatchObject([{ messages: 1 }])
    expect(await collect(own.log.read('s'))).toHaveLength(7)
    await own.log.close()
  },
)
