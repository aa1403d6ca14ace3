import { blobStoreContract, sessionLogContract } from '@maru/testkit'
import { beforeAll } from 'vitest'
import { ENGINES, freshName, START_MS, useHistory } from './engines.ts'

for (const engine of ENGINES) {
  beforeAll(() => useHistory(engine), START_MS)

  sessionLogContract(engine, async () => {
    const history = await useHistory(engine)
    const test = freshName('contract')
    return {
      open: (owner, mask) => history.open(`${owner} of ${test}`, mask && { mask }),
      dispose: async () => undefined,
    }
  })

  blobStoreContract(engine, async () => {
    const { log, blobs } = await (await useHistory(engine)).open(freshName('blobs'))
    return { blobs, dispose: () => log.close() }
  })
}
