import { createHash } from 'node:crypto'
import type { BlobStore } from '@maru/protocol'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

/** What every blob store promises. */
export function blobStoreContract(
  name: string,
  create: () => Promise<{ blobs: BlobStore; dispose(): Promise<void> }>,
): void {
  describe(`${name} keeps the contract of a blob store`, () => {
    let blobs: BlobStore
    let dispose: () => Promise<void>
    beforeEach(async () => ({ blobs, dispose } = await create()))
    afterEach(() => dispose())

    test('content comes back by its hash, whole or in part', async () => {
      const text = '가나다 content'
      const ref = await blobs.put('s', text)
      expect(ref).toEqual({ hash: createHash('sha256').update(text).digest('hex'), bytes: Buffer.byteLength(text) })
      const whole = Buffer.from(text)
      expect(Buffer.from((await blobs.get('s', ref.hash)) ?? [])).toEqual(whole)
      for (const [start, end] of [
        [0, 3],
        [3, 9],
        [10, 999],
        [999, 1000],
        [5, 5],
      ] as const) {
        expect(Buffer.from((await blobs.get('s', ref.hash, { start, end })) ?? [])).toEqual(whole.subarray(start, end))
      }
    })

    test('bytes need not be text, and may be none', async () => {
      for (const bytes of [new Uint8Array(), Uint8Array.from([0, 255, 254, 10])]) {
        const { hash } = await blobs.put('s', bytes)
        expect([...((await blobs.get('s', hash)) ?? [])]).toEqual([...bytes])
      }
    })

    test('the same content put at once from many sides is one blob', async () => {
      const refs = await Promise.all(Array.from({ length: 10 }, () => blobs.put('s', 'the same')))
      expect(new Set(refs.map(({ hash }) => hash)).size).toBe(1)
      await blobs.release('s', refs[0]?.hash)
      expect(await blobs.get('s', refs[0]?.hash ?? '')).toBeUndefined()
    })

    test('nobody gets what only another holds', async () => {
      const { hash } = await blobs.put('s', 'mine')
      expect(await blobs.get('other', hash)).toBeUndefined()
      await blobs.release('other', hash)
      expect(await blobs.get('s', hash)).toBeDefined()
    })

    test('shared content stays until its last holder lets go', async () => {
      const { hash } = await blobs.put('parent', 'content')
      await blobs.share('parent', 'fork', [hash])
      await blobs.share('nobody', 'fork', [hash])
      await blobs.release('parent')
      await blobs.release('parent')
      expect(await blobs.get('parent', hash)).toBeUndefined()
      expect(await blobs.get('fork', hash)).toBeDefined()
      await blobs.release('fork', hash)
      expect(await blobs.get('fork', hash)).toBeUndefined()
    })
  })
}
