import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Checkpoints, openCheckpoints } from '../../src/checkpoint/open-checkpoints.ts'
import { sweepSnapshots } from '../../src/checkpoint/sweep-snapshots.ts'
import { hashOf } from '../../src/hash.ts'

let base: string
let root: string
let store: string
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'maru-sweep-'))
  root = mkdtempSync(join(base, 'root-'))
  store = join(base, 'store')
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const { signal } = new AbortController()

async function take(files: { [name: string]: string }): Promise<string> {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text)
  return use(async (checkpoints) => {
    const taken = await checkpoints.take(signal)
    if (taken.kind === 'problem') throw new Error(taken.diagnostic.message)
    return taken.id
  })
}

async function use<T>(work: (checkpoints: Checkpoints) => Promise<T>): Promise<T> {
  const checkpoints = await openCheckpoints({ root, store })
  try {
    return await work(checkpoints)
  } finally {
    await checkpoints.close()
  }
}

const isThere = (text: string) => use(async (checkpoints) => (await checkpoints.read(hashOf(text))) !== undefined)
const free = async () => true

test('what only the gone snapshots had goes, and what is left can be restored whole', async () => {
  const first = await take({ a: 'one', same: 'same' })
  const second = await take({ a: 'two' })
  await take({ a: 'three' })
  const swept = await sweepSnapshots({ store, keep: [second], gone: new Set([first]), isFree: free })
  expect(swept).toMatchObject({ kind: 'swept' })
  expect(await Promise.all([isThere('one'), isThere('two'), isThere('same'), isThere('three')])).toEqual([
    ...[false, true, true, false],
  ])
  const restored = await use((checkpoints) => checkpoints.restore(second, { signal }))
  expect(restored).toMatchObject({ kind: 'restored', conflicts: [] })
  expect(await use((checkpoints) => checkpoints.changed(second, { signal }))).toEqual([])
})

test('a store that has nothing of what went is left as it is', async () => {
  await take({ a: 'one' })
  const before = readdirSync(join(store, 'packs'))
  const gone = new Set([hashOf('elsewhere')])
  expect(await sweepSnapshots({ store, keep: [], gone, isFree: free })).toMatchObject({ removed: 0 })
  expect(readdirSync(join(store, 'packs'))).toEqual(before)
  expect(await sweepSnapshots({ store: join(base, 'none'), keep: [], gone, isFree: free })).toMatchObject({
    removed: 0,
  })
})

test('should somebody come in the middle of it, everything is left where it was', async () => {
  const first = await take({ a: 'one' })
  const second = await take({ a: 'two' })
  let asked = 0
  const isFree = async () => ++asked === 1
  expect(await sweepSnapshots({ store, keep: [second], gone: new Set([first]), isFree })).toEqual({ kind: 'busy' })
  expect(await Promise.all([isThere('one'), isThere('two')])).toEqual([true, true])
  const again = await sweepSnapshots({ store, keep: [second], gone: new Set([first]), isFree: free })
  expect(again).toMatchObject({ kind: 'swept' })
  expect(await Promise.all([isThere('one'), isThere('two')])).toEqual([false, true])
  expect(readdirSync(join(store, 'packs')).filter((name) => !/\.(pack|index)$/.test(name))).toEqual([])
})

test('one that was cut short is finished by the next, and loses nothing that is needed', async () => {
  const first = await take({ a: 'one' })
  const second = await take({ a: 'two' })
  const options = { store, keep: [second], gone: new Set([first]) }
  let asked = 0
  const dies = async () => {
    if (++asked === 1) return true
    throw new Error('the process ends here')
  }
  await expect(sweepSnapshots({ ...options, isFree: dies })).rejects.toThrow('ends here')
  expect(await isThere('two')).toBe(true)
  await sweepSnapshots({ store, keep: [second], gone: new Set([second]), isFree: free })
  expect(await Promise.all([isThere('one'), isThere('two')])).toEqual([false, true])
  expect(readdirSync(join(store, 'packs')).sort()).toHaveLength(2)
})
