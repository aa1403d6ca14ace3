import { blobStoreContract, liveBusContract, sessionLogContract } from '@maru/testkit'
import { createLiveBus, createMemoryBlobs, createMemoryLog } from '../src/index.ts'

sessionLogContract('memory', async () => ({
  async open(_owner, mask) {
    const blobs = createMemoryBlobs()
    return { log: createMemoryLog({ now: Date.now, blobs, ...(mask && { mask }) }), blobs }
  },
  dispose: async () => undefined,
}))

blobStoreContract('memory', async () => ({ blobs: createMemoryBlobs(), dispose: async () => undefined }))

liveBusContract('the bus of one process', createLiveBus)
