// Opens a history, says what is in it, then writes until it is killed: `writer pglite|postgres HOME|URL ROUND`.
import { openHistory } from '@maru/store'
import { collect, person } from '@maru/testkit'

const [engine = '', place = '', round = ''] = process.argv.slice(2)
const history = await openHistory({
  home: place,
  now: Date.now,
  ...(engine === 'postgres' && { databaseUrl: place }),
})
const { log, conversations } = await history.open('writer')
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)

await log.create('s', { agent: { kind: 'maru' }, door: 'terminal' }).catch(() => undefined)
const stored = await collect(log.read('s'))
const { items } = await conversations.list()
const shown: number[] = []
for (let before: number | undefined; ; ) {
  const page = await conversations.messages('s', { limit: 200, ...(before !== undefined && { before }) })
  shown.unshift(...page.map(({ seq }) => seq))
  if (page.length < 200) break
  before = page[0]?.seq
}
say({ stored, statistics: { messages: items[0]?.messages, tokens: items[0]?.tokens }, shown })

if (round === 'look') {
  await log.close()
  await history.close()
} else {
  await Promise.all([1, 2].map(talk).concat(work()))
}

async function talk(door: number): Promise<void> {
  for (let n = 0; ; n++) {
    const name = `${round}.${door}.${n}`
    const parts = [{ type: 'text' as const, text: `서버 message ${name}` }]
    const { seq } = await log.admit('s', { type: 'message-add', key: name, by: person, role: 'user', parts, tokens: 3 })
    say({ seqs: [seq], name })
  }
}

async function work(): Promise<void> {
  const { epoch, last } = await log.lease('s')
  let expect = last
  for (let n = 0; ; n++) {
    const name = `${round}.turn.${n}`
    const written = await log.append('s', { epoch, expect }, [
      { type: 'turn-start', turnId: name, runId: 'r', model: 'm' },
      {
        type: 'turn-end',
        turnId: name,
        parts: [{ type: 'text', text: name }],
        stop: 'end',
        usage: { input: 1, output: 7 },
      },
    ])
    expect = written.at(-1)?.seq ?? expect
    say({ seqs: written.map(({ seq }) => seq), name })
  }
}
