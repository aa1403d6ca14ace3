import { alteredLog, type BlobStore, type SessionLog } from '@maru/protocol'
import { type Mask, maskFact } from '@maru/store'

/** The same log; values that are known to be secret never leave this machine. */
export function maskedLog(log: SessionLog, mask: Mask): SessionLog {
  return alteredLog(log, {
    admit: (id, fact) => log.admit(id, maskFact(fact, mask)),
    append: (id, holder, facts) =>
      log.append(
        id,
        holder,
        facts.map((fact) => maskFact(fact, mask)),
      ),
  })
}

export function maskedBlobs(blobs: BlobStore, mask: Mask): BlobStore {
  return {
    ...blobs,
    put: (holder, content) => blobs.put(holder, typeof content === 'string' ? mask(content) : content),
  }
}
