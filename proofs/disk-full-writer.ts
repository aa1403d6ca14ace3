// Runs on a small disk of its own: fills it up while writing, then makes room and goes on.
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LogError } from '@maru/protocol'
import { openJsonlStore } from '@maru/store'
import { collect, input, start, toolEnd, toolStart } from '@maru/testkit'

const [directory = '', seed = '0'] = process.argv.slice(2)
const filler = join(directory, 'filler')
writeFileSync(filler, Buffer.alloc(64 * 1024))
const step = 50 + Number(seed) * 97
const acknowledged: number[] = []
const refusals = new Set<string>()

let store = openJsonlStore({ directory, now: Date.now })
await store.log.create('s', start)
let lease = await store.log.lease('s')
let own = lease.last
await fill()
await fillBlobs()
expectStored(await collect(store.log.read('s')))

// Room again: the same process goes on where it stood.
rmSync(filler)
await write(1_000_000, 20)
expectStored(await collect(store.log.read('s')))

// And so does the next one.
await store.log.close()
store = openJsonlStore({ directory, now: Date.now })
lease = await store.log.lease('s')
own = lease.last
await write(2_000_000, 20)
expectStored(await collect(store.log.read('s')))
if (!refusals.has('full')) throw new Error('the disk never filled up')
console.log(JSON.stringify({ acknowledged: acknowledged.length, refusals: [...refusals] }))

async function fill(): Promise<void> {
  for (let n = 0, refused = 0; refused < 10; n++) refused += (await write(n, 1)) ? 0 : 1
}

async function write(from: number, count: number): Promise<boolean> {
  for (let n = from; n < from + count; n++) {
    const size = (n * step) % 9_000
    try {
      if (n % 2 === 0) acknowledged.push((await store.log.admit('s', input(`k${n}`, '가'.repeat(size / 3)))).seq)
      else {
        const facts = [toolStart(`c${n}`), toolEnd(`c${n}`, 'x'.repeat(size))]
        const written = await store.log.append('s', { epoch: lease.epoch, expect: own }, facts)
        own = written.at(-1)?.seq ?? own
        acknowledged.push(...written.map(({ seq }) => seq))
      }
    } catch (error) {
      if (!(error instanceof LogError)) throw error
      refusals.add(error.code)
      return false
    }
  }
  return true
}

async function fillBlobs(): Promise<void> {
  try {
    for (let n = 0; n < 100; n++) await store.blobs.put('s', `${n}`.repeat(20_000))
    throw new Error('blobs fit on a full disk')
  } catch (error) {
    if (!(error instanceof LogError && error.code === 'full')) throw error
  }
  const left = readdirSync(join(directory, 's', 'blobs')).filter((name) => name.endsWith('.new'))
  if (left.length > 0) throw new Error(`a blob was left half written: ${left}`)
}

function expectStored(stored: { seq: number }[]): void {
  stored.forEach(({ seq }, index) => {
    if (seq !== index + 1) throw new Error(`seq ${seq} in place ${index + 1}`)
  })
  for (const seq of acknowledged) if (!stored[seq - 1]) throw new Error(`${seq} was acknowledged and is not stored`)
  if (stored.length !== acknowledged.length + 1)
    throw new Error(`${stored.length} stored, ${acknowledged.length} acknowledged`)
}
