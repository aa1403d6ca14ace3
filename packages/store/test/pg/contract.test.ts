import { blobStoreContract, sessionLogContract } from '@maru/testkit'
import { ENGINES, freshName, useHistory } from './engines.ts'

for (const engine of ENGINES) {
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
