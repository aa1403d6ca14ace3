// A process that writes one session as fast as it can and says what was acknowledged, until somebody kills it.
import { writeSync } from 'node:fs'
import { openJsonlStore } from '@maru/store'
import { input, start, toolEnd, toolStart } from '@maru/testkit'

const [directory = '', id = '', round = '0'] = process.argv.slice(2)
const { log } = openJsonlStore({ directory, now: Date.now })
const say = (value: unknown) => writeSync(1, `${JSON.stringify(value)}\n`)

if (round === '0') await log.create(id, start)
const { epoch, last } = await log.lease(id)
let own = last
for (let n = 0; ; n++) {
  const name = `${round}.${n}`
  if (n % 3 === 0) {
    const { seq } = await log.admit(id, input(name, 'x'.repeat(sizeOf(n))))
    say({ seqs: [seq], name })
    continue
  }
  const facts = [toolStart(name), toolEnd(name, 'y'.repeat(sizeOf(n))), toolEnd(name, 'z'.repeat(sizeOf(n + 1)))]
  const written = await log.append(id, { epoch, expect: own }, facts)
  own = written.at(-1)?.seq ?? own
  say({ seqs: written.map(({ seq }) => seq), name })
}

// From a few bytes to several pages, so that a kill can land inside a write.
function sizeOf(n: number): number {
  return [3, 40, 700, 9_000, 60_000, 300_000][n % 6] ?? 0
}
