import { join } from 'node:path'
import { blobStoreContract, sessionLogContract, temporaryDirectory } from '@maru/testkit'
import { openJsonlStore } from '../src/index.ts'

sessionLogContract('JSONL', async () => {
  const { path, dispose } = await temporaryDirectory()
  return {
    // A directory is one person's.
    open: async (owner, mask) => openJsonlStore({ directory: join(path, owner), now: Date.now, ...(mask && { mask }) }),
    dispose,
  }
})

blobStoreContract('files', async () => {
  const { path, dispose } = await temporaryDirectory()
  return { blobs: openJsonlStore({ directory: path, now: Date.now }).blobs, dispose }
})
