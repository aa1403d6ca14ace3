import type { BlobStore, DoorFact, Json, Part, SessionLog } from '@maru/protocol'
import type { ConversationPatch, History, OwnHistory } from '@maru/store'
import type { Environment } from '../environment.ts'
import { createSessionMasking, type SessionMasking } from '../session/masking.ts'
import { forgetServed } from '../undo/served-trees.ts'

/**
 * A history through which no secret of a person goes into the log, whatever door they came by, and from which nothing is
 * erased without what was kept beside it.
 */
export interface MaskedHistory {
  history: History
  /** What masks for the person whose content this is: an agent of theirs may need the value behind a mask of a door. */
  maskingOf(blobs: BlobStore): SessionMasking
  /** The same content for whoever masks by themselves: an agent does, and what a vendor gave it has to stay as it is. */
  plainOf(blobs: BlobStore): BlobStore
}

interface MaskPlace {
  readonly home: string
  readonly env: Environment
  /** Values that are secret wherever they stand. */
  readonly known: readonly string[]
}

/** The same history, masked. Each person has masks of their own: nobody gets at what another said. */
export function maskHistory(history: History, { known, ...place }: MaskPlace): MaskedHistory {
  const ofOwner = new Map<string, SessionMasking>()
  // Not by their logs: the server puts one of its own around each.
  const ofBlobs = new WeakMap<BlobStore, { masking: SessionMasking; plain: BlobStore }>()
  const create = () => {
    const masking = createSessionMasking(place)
    for (const value of known) masking.know(value)
    return masking
  }
  const mask = async (owner: string, open: (mask: (text: string) => string) => Promise<OwnHistory>) => {
    const masking = ofOwner.get(owner) ?? create()
    ofOwner.set(owner, masking)
    // The log cannot wait for it later.
    await masking.load()
    const own = await open(masking.maskStored)
    const blobs = maskBlobs(own.blobs, masking)
    ofBlobs.set(blobs, { masking, plain: own.blobs })
    const conversations: OwnHistory['conversations'] = {
      ...own.conversations,
      patch: async (id, patch, version) => own.conversations.patch(id, await maskPatch(patch, masking), version),
    }
    return { ...own, blobs, conversations, log: maskLog(own.log, masking, place.home) }
  }
  const openOwner: History['openOwner'] = (owner, options) =>
    options?.mask
      ? history.openOwner(owner, options)
      : mask(owner, (known) => history.openOwner(owner, { mask: known }))
  return {
    history: {
      ...history,
      openOwner,
      async open(name, options) {
        const own = await history.open(name, options)
        if (options?.mask) return own
        await own.log.close()
        return openOwner(own.owner)
      },
    },
    maskingOf: (blobs) => ofBlobs.get(blobs)?.masking ?? create(),
    plainOf: (blobs) => ofBlobs.get(blobs)?.plain ?? blobs,
  }
}

function maskLog(log: SessionLog, masking: SessionMasking, home: string): SessionLog {
  return {
    create: (...given) => log.create(...given),
    list: () => log.list(),
    lease: (id) => log.lease(id),
    admit: async (id, fact) => log.admit(id, await maskSaid(fact, masking)),
    append: (...given) => log.append(...given),
    read: (...given) => log.read(...given),
    follow: (...given) => log.follow(...given),
    watch: (...given) => log.watch(...given),
    async erase(id, seq) {
      await log.erase(id, seq)
      forgetServed(home, id, { isWhole: seq === undefined })
    },
    close: () => log.close(),
  }
}

// What is too long for a fact leaves it before the log sees it.
function maskBlobs(blobs: BlobStore, { admit }: SessionMasking): BlobStore {
  return {
    ...blobs,
    put: async (holder, content) => blobs.put(holder, typeof content === 'string' ? await admit(content) : content),
  }
}

// What people say, in each place where a door puts it.
async function maskSaid(fact: DoorFact, { admit }: SessionMasking): Promise<DoorFact> {
  switch (fact.type) {
    case 'input-admit':
      return { ...fact, parts: await maskParts(fact.parts, admit) }
    case 'message-add': {
      const parts = await maskParts(fact.parts, admit)
      return fact.metadata === undefined
        ? { ...fact, parts }
        : { ...fact, parts, metadata: await maskJson(fact.metadata, admit) }
    }
    case 'approval-answer':
      return fact.words === undefined ? fact : { ...fact, words: await admit(fact.words) }
    case 'question-answer':
      if (fact.answer.kind !== 'words') return fact
      return { ...fact, answer: { ...fact.answer, words: await admit(fact.answer.words) } }
    case 'title-set':
      return { ...fact, title: await admit(fact.title) }
    default:
      return fact
  }
}

function maskParts(parts: readonly Part[], admit: SessionMasking['admit']): Promise<Part[]> {
  return Promise.all(
    parts.map(async (part) => (part.type === 'text' ? { ...part, text: await admit(part.text) } : part)),
  )
}

// Names stay: whoever gave them finds its values by them.
async function maskJson(value: Json, admit: SessionMasking['admit']): Promise<Json> {
  if (typeof value === 'string') return admit(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return Promise.all(value.map((item) => maskJson(item, admit)))
  const entries = Object.entries(value).map(async ([name, inner]) => [name, await maskJson(inner, admit)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

async function maskPatch(patch: ConversationPatch, { admit }: SessionMasking): Promise<ConversationPatch> {
  const { description, project, service, tags } = patch
  return {
    ...patch,
    ...(description !== undefined && { description: await admit(description) }),
    ...(typeof project === 'string' && { project: await admit(project) }),
    ...(service !== undefined && { service: await admit(service) }),
    ...(tags !== undefined && { tags: await Promise.all(tags.map(admit)) }),
  }
}
