import { type Fact, type Json, LogError, type Part, spillParts } from '@maru/protocol'
import type { NewSession } from '../pg/begin-sessions.ts'
import type { OwnHistory } from '../pg/history.ts'
import { sha256 } from '../sha256.ts'
import { identitiesOf, importedId, isImported, nameOf, shortKey } from './import-names.ts'
import type { ImportFact, ImportPart, ImportSource, ImportStep, SessionStep, TimedFact } from './steps.ts'

/** What came in, or would. */
export interface Imported {
  /** Sessions that were not there, those that became longer, and those that were there as they are. */
  added: number
  grown: number
  same: number
  messages: number
  /** Messages that hold something to be careful with; what is secret in them is masked. */
  sensitive: number
}

export interface ImportWriterOptions {
  own: OwnHistory
  now(): number
  /** Only counts. */
  isDry: boolean
  /** Whether a text holds something to be careful with. */
  isSensitive(text: string): boolean
}

interface Held extends TimedFact {
  node?: string
}

interface Session {
  id: string
  step: SessionStep
  isThere: boolean
  /** What of the source is stored already, and where. */
  known: Map<string, number>
  /** Of these, what the source has not said again yet. */
  unseen: Set<string>
  titles: Set<string>
  nodes: Map<string, number>
  held: Held[]
  bytes: number
  head: number
  hasGrown: boolean
}

const MOST_HELD = 300
const MOST_BYTES = 2_000_000
const MOST_OPEN = 200
// What is looked at before anything is asked, and what is stored together: several small sessions, or one that is large.
const MOST_TOGETHER = 64
const BYTES_TOGETHER = 1_000_000

type Told = Exclude<ImportStep, { kind: 'problem' }>

/**
 * Stores what a reader tells. What is there already is known by the source's own names and stays as it is, also where a
 * person has erased it; what lies behind the last of it is added.
 */
export class ImportWriter {
  readonly result: Imported = { added: 0, grown: 0, same: 0, messages: 0, sensitive: 0 }
  readonly #options: ImportWriterOptions
  readonly #sessions = new Map<string, Session>()
  /** Those that were put aside, and those of them that the result knows of. */
  readonly #left = new Map<string, SessionStep>()
  readonly #counted = new Set<string>()
  /** Told, and not looked at yet: what is there of several sessions is asked at once. */
  #ahead: Told[] = []
  #aheadBytes = 0
  readonly #absent = new Set<string>()
  /** To be stored with others. */
  #begun = new Map<string, NewSession>()
  #begunBytes = 0

  constructor(options: ImportWriterOptions) {
    this.#options = options
  }

  async take(step: Told): Promise<void> {
    this.#ahead.push(step)
    this.#aheadBytes += step.kind === 'fact' ? sizeOf(step.fact) : BYTES_TOGETHER / MOST_TOGETHER
    if (this.#aheadBytes >= BYTES_TOGETHER) await this.#catchUp()
  }

  /** Everything so far is stored. */
  async settle(): Promise<void> {
    await this.#catchUp()
    await this.#settle()
    await this.#store()
  }

  async #catchUp(): Promise<void> {
    const told = this.#ahead
    this.#ahead = []
    this.#aheadBytes = 0
    const ids = told.flatMap((step) => (step.kind === 'session' ? [importedId(step.source, step.key)] : []))
    const known = ids.length > 0 ? await this.#options.own.known(ids) : new Set()
    for (const id of ids) if (!known.has(id)) this.#absent.add(id)
    for (const step of told) await this.#look(step)
    this.#absent.clear()
  }

  async #look(step: Told): Promise<void> {
    switch (step.kind) {
      case 'session':
        await this.#enter(step)
        return
      case 'fact':
        await this.#add(step)
        return
      case 'settled':
        await this.#settle(step.session)
        return
      default:
        step satisfies never
    }
  }

  /** One session, or everything so far, is complete and forgotten here. */
  async #settle(only?: string): Promise<void> {
    const settled = [...this.#sessions].filter(([key]) => only === undefined || key === only)
    // All of them are there before the first is forgotten: a fork asks its parent where it begins.
    for (const [, session] of settled) await this.#flush(session)
    for (const [key, session] of settled) {
      await this.#retitle(session)
      this.#sessions.delete(key)
      if (this.#counted.has(key)) continue
      this.result[session.isThere ? (session.hasGrown ? 'grown' : 'same') : 'added']++
      if (this.#left.has(key)) this.#counted.add(key)
    }
  }

  async #store(): Promise<void> {
    const begun = [...this.#begun.values()]
    this.#begun.clear()
    this.#begunBytes = 0
    if (begun.length === 0) return
    const { own } = this.#options
    await own.begin(begun).catch(async (error: unknown) => {
      // One of them cannot be stored: those before it are.
      if (!(error instanceof LogError) || error.code === 'failed') throw error
      for (const { id, ...batch } of begun) await own.add(id, batch)
    })
  }

  async #enter(step: SessionStep): Promise<Session> {
    const open = this.#sessions.get(step.key)
    if (open) {
      Object.assign(open.step, step)
      return open
    }
    const session: Session = {
      id: importedId(step.source, step.key),
      step: { ...step },
      isThere: false,
      known: new Map(),
      unseen: new Set(),
      titles: new Set(),
      nodes: new Map(),
      held: [],
      bytes: 0,
      head: 0,
      hasGrown: false,
    }
    this.#sessions.set(step.key, session)
    await this.#recall(session)
    // Tables may go to and fro between thousands: those that rest are entered again when they are spoken of.
    if (step.source === 'usage-log' && this.#sessions.size > MOST_OPEN) {
      const [oldest] = this.#sessions.values()
      if (oldest) {
        this.#left.set(oldest.step.key, oldest.step)
        await this.#settle(oldest.step.key)
      }
    }
    return session
  }

  /** Reads what an earlier import has stored of it. */
  async #recall(session: Session): Promise<void> {
    if (this.#absent.delete(session.id) && !this.#begun.has(session.id)) return
    await this.#store()
    try {
      for await (const record of this.#options.own.log.read(session.id)) {
        session.isThere = true
        session.head = record.seq
        // A fork begins with what it has from its parent, of which its source speaks no more.
        if (record.type === 'session-start') session.unseen.clear()
        if (record.type === 'title-set') session.titles.add(record.key)
        for (const name of identitiesOf(record)) {
          session.known.set(name, record.seq)
          if (isImported(record)) session.unseen.add(name)
        }
      }
    } catch (error) {
      if (!(error instanceof LogError && error.code === 'missing')) throw error
    }
  }

  async #add({ session: key, ...held }: Held & { session: string }): Promise<void> {
    const left = this.#left.get(key)
    const session = this.#sessions.get(key) ?? (left && (await this.#enter(left)))
    if (!session) throw new Error(`a fact of ${key}, which never began`)
    const name = nameOf(held.fact)
    const seq = session.known.get(name)
    if (seq !== undefined) {
      session.unseen.delete(name)
      if (held.node !== undefined) session.nodes.set(held.node, seq)
      // What stood before it and is not here was taken away by somebody.
      session.held = []
      session.bytes = 0
      return
    }
    session.held.push(held)
    session.bytes += sizeOf(held.fact)
    const isFull = session.held.length >= MOST_HELD || session.bytes >= MOST_BYTES
    if (isFull && session.unseen.size === 0) await this.#flush(session)
  }

  async #flush(session: Session): Promise<void> {
    const { held } = session
    session.held = []
    session.bytes = 0
    if (held.length === 0 && (session.isThere || session.head > 0)) return
    session.hasGrown = true
    this.#count(held)
    if (this.#options.isDry) {
      for (const { node } of held) if (node !== undefined) session.nodes.set(node, ++session.head)
      session.head++
      return
    }
    const facts: { fact: Fact; at: number }[] = []
    for (const { fact, at } of held) {
      facts.push({ fact: await this.#factOf(session, fact), at: at ?? session.step.at ?? this.#options.now() })
    }
    if (session.head === 0) await this.#begin(session, { held, facts })
    else {
      await this.#store()
      const added = await this.#options.own.add(session.id, { facts })
      this.#number(session, held, (added[0]?.seq ?? 0) - 1)
    }
  }

  async #begin(session: Session, { held, facts }: { held: Held[]; facts: NewSession['facts'] }): Promise<void> {
    const start = await this.#startOf(session)
    const title = titleOf(session)
    this.#begun.set(session.id, { id: session.id, start, facts: [...title, ...facts] })
    this.#begunBytes += held.reduce((bytes, { fact }) => bytes + sizeOf(fact), BYTES_TOGETHER / MOST_TOGETHER)
    // Numbers are dense, from the beginning or from where it leaves its parent.
    this.#number(session, held, (start.start.forkOf?.seq ?? 0) + 1 + title.length)
    if (this.#begunBytes >= BYTES_TOGETHER) await this.#store()
  }

  #number(session: Session, held: Held[], before: number): void {
    session.head = before + held.length
    for (const [n, { node }] of held.entries()) if (node !== undefined) session.nodes.set(node, before + 1 + n)
  }

  async #startOf({ step }: Session): Promise<NonNullable<Parameters<OwnHistory['add']>[1]['start']>> {
    const { source, key, cwd, fork } = step
    const at = step.at ?? this.#options.now()
    const parent = fork && this.#sessions.get(fork.of)
    if (parent && (parent.head === 0 || (fork.behind !== undefined && !parent.nodes.has(fork.behind)))) {
      await this.#flush(parent)
    }
    const seq = fork?.behind === undefined ? 1 : (parent?.nodes.get(fork.behind) ?? 1)
    return {
      at,
      start: {
        agent: { kind: 'import', program: source, externalId: key },
        door: 'import',
        ...(cwd !== undefined && { cwd }),
        ...(parent && { forkOf: { id: parent.id, seq } }),
      },
    }
  }

  // The title is no part of what was said: it may have changed without anything else.
  async #retitle(session: Session): Promise<void> {
    const [title] = titleOf(session)
    if (!title || !session.isThere || this.#options.isDry || session.titles.has(titleKey(session))) return
    await this.#store()
    await this.#options.own.add(session.id, { facts: [title] })
    session.hasGrown = true
  }

  #count(held: Held[]): void {
    for (const { fact } of held) {
      if (fact.type !== 'message') continue
      this.result.messages++
      const isSensitive = fact.parts.some((part) => 'text' in part && this.#options.isSensitive(part.text))
      if (isSensitive) this.result.sensitive++
    }
  }

  async #factOf(session: Session, fact: ImportFact): Promise<Fact> {
    const { source } = session.step
    switch (fact.type) {
      case 'message': {
        const { key, role, parts, who, metadata, ...about } = fact
        const kind = role === 'user' ? 'person' : role === 'assistant' ? 'agent' : 'program'
        const by = { kind, id: who ?? source, door: 'import' } as const
        const extra = metadata === undefined ? {} : { metadata: await this.#fitting(session, metadata) }
        return {
          ...about,
          ...extra,
          key: shortKey(key),
          role,
          type: 'message-add',
          by,
          origin: source,
          parts: await this.#spill(session, parts),
        }
      }
      case 'call-end': {
        const { callId, outcome, exit, ms, parts } = fact
        const result = { ...(exit !== undefined && { exit }), ...(ms !== undefined && { ms }) }
        return { type: 'tool-end', callId, outcome, result, parts: await this.#spill(session, parts) }
      }
      case 'settings': {
        const { type: _type, key, ...settings } = fact
        return { type: 'settings-change', key: shortKey(key), by: program(source), ...settings }
      }
      case 'foreign': {
        const { place, value } = fact
        const text = JSON.stringify(value)
        if (text.length <= MOST_INLINE) return { type: 'foreign', source, body: { place, value } }
        return { type: 'foreign', source, body: { place }, blob: await this.#options.own.blobs.put(session.id, text) }
      }
      default:
        return fact satisfies never
    }
  }

  async #spill({ id }: Session, parts: ImportPart[]): Promise<Part[]> {
    const { blobs } = this.#options.own
    const stored: Part[] = []
    for (const part of parts) {
      if (part.type !== 'bytes') stored.push(part)
      else
        stored.push({
          type: 'image',
          mediaType: part.mediaType,
          blob: await blobs.put(id, Buffer.from(part.base64, 'base64')),
        })
    }
    return spillParts(stored, id, blobs)
  }

  async #fitting({ id }: Session, metadata: Json): Promise<Json> {
    const text = JSON.stringify(metadata)
    if (text.length <= MOST_INLINE) return metadata
    return { spilled: await this.#options.own.blobs.put(id, text) }
  }
}

const MOST_INLINE = 8_000

function program(source: ImportSource) {
  return { kind: 'program', id: source, door: 'import' } as const
}

function titleOf(session: Session): { fact: Fact; at: number }[] {
  const { title, at = 0, source } = session.step
  if (title === undefined) return []
  return [{ at, fact: { type: 'title-set', key: titleKey(session), by: program(source), title } }]
}

function titleKey({ step: { title = '' } }: Session): string {
  return `title ${sha256(title).slice(0, 16)}`
}

function sizeOf(fact: ImportFact): number {
  if (fact.type === 'foreign') return 500
  if (fact.type === 'settings') return 100
  return fact.parts.reduce(
    (sum, part) => sum + ('text' in part ? part.text.length : 'base64' in part ? part.base64.length : 500),
    200,
  )
}
