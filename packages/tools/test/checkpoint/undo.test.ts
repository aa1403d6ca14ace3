import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@maru/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Checkpoints, openCheckpoints } from '../../src/checkpoint/open-checkpoints.ts'
import { gitState, SITUATIONS } from './situations.ts'
import { type Deed, deed, doDeed, fingerprint } from './work-tree.ts'

let base: string
let dispose: () => Promise<void>
beforeAll(async () => {
  ;({ path: base, dispose } = await temporaryDirectory())
})
afterAll(() => dispose())

const signal = new AbortController().signal
const RUNS = Number(process.env['MARU_UNDO_RUNS'] ?? 4)

async function take(checkpoints: Checkpoints, since?: string): Promise<string> {
  const taken = await checkpoints.take(signal, since === undefined ? {} : { since })
  if (taken.kind === 'problem') throw new Error(taken.diagnostic.message)
  return taken.id
}

describe.each(Object.entries(SITUATIONS))('undo in %s', (name, make) => {
  let root: string
  let checkpoints: Checkpoints
  beforeAll(async () => {
    const place = join(base, name.replaceAll(' ', '-'))
    await mkdir(place)
    root = await make(place)
    checkpoints = await openCheckpoints({ root, store: `${place}.store` })
  })
  afterAll(() => checkpoints.close())

  test('a run is taken back byte for byte, and git does not notice', async () => {
    const state = await gitState(root)
    const run = async (deeds: Deed[]) => {
      const tree = fingerprint(root)
      const before = await take(checkpoints)
      for (const one of deeds) doDeed(root, one)
      const after = await take(checkpoints, before)
      const result = await checkpoints.restore(before, { signal, onlyIfUnchangedSince: after })
      expect(result).toMatchObject({ kind: 'restored', conflicts: [] })
      expect(fingerprint(root)).toEqual(tree)
      expect(await take(checkpoints)).toBe(before)
    }
    await fc.assert(fc.asyncProperty(fc.array(deed, { minLength: 1, maxLength: 12 }), run), {
      numRuns: RUNS,
      endOnFailure: true,
    })
    expect(await gitState(root)).toEqual(state)
  })

  test('what a person changed since is left alone, and everything else is taken back', async () => {
    const run = async (deeds: Deed[], own: Deed[]) => {
      const tree = fingerprint(root)
      const before = await take(checkpoints)
      for (const one of deeds) doDeed(root, one)
      const after = await take(checkpoints, before)
      const left = fingerprint(root)
      for (const one of own) doDeed(root, one)
      const mine = fingerprint(root)
      const touched = Object.keys({ ...left, ...mine }).filter((path) => left[path] !== mine[path])
      await checkpoints.restore(before, { signal, onlyIfUnchangedSince: after })
      const now = fingerprint(root)
      const isTheirs = (path: string) => touched.some((one) => isRelated(one, path))
      for (const path of new Set([...Object.keys(tree), ...Object.keys(now)])) {
        if (!isTheirs(path)) expect([path, now[path]]).toEqual([path, tree[path]])
      }
      for (const path of touched)
        if (mine[path]?.startsWith('file')) expect([path, now[path]]).toEqual([path, mine[path]])
      // And with a word of the person's, everything is.
      await checkpoints.restore(before, { signal })
      expect(fingerprint(root)).toEqual(tree)
    }
    const deeds = fc.array(deed, { minLength: 1, maxLength: 8 })
    await fc.assert(fc.asyncProperty(deeds, fc.array(deed, { minLength: 1, maxLength: 3 }), run), {
      numRuns: RUNS,
      endOnFailure: true,
    })
  })
})

function isRelated(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)
}
