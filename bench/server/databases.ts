import { randomBytes } from 'node:crypto'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { type History, openHistory, sha256 } from '@maru/store'
import { temporaryDirectory, testPostgres } from '@maru/testkit'
import { tell } from '../store/show.ts'

/** Where a history is, and whose it is. */
export interface Place {
  home: string
  databaseUrl?: string
  owner: Person
}

export interface Person {
  id: string
  name: string
  token: string
}

export interface Database {
  kind: History['kind']
  people: Person[]
  /** For a process that has it to itself. */
  ours: Place
  /** For another at the same time: the same server, or a copy. */
  theirs: Place
  dispose(): Promise<void>
}

/** A database of a kind with some people, filled by whoever wants it filled; nothing where there is none of this kind. */
export async function makeDatabase(
  kind: History['kind'],
  { people, fill }: { people: number; fill(history: History, people: Person[]): Promise<void> },
): Promise<Database | undefined> {
  const databaseUrl = kind === 'postgres' ? await newDatabase() : undefined
  if (kind === 'postgres' && databaseUrl === undefined) return undefined
  const { path, dispose } = await temporaryDirectory()
  const url = databaseUrl !== undefined && { databaseUrl }
  const home = join(path, 'ours')
  const history = await openHistory({ home, ...url, now: Date.now, isDurable: false })
  const all: Person[] = []
  try {
    for (let n = 0; n < people; n++) all.push(await addPerson(history, `person ${n}`))
    await fill(history, all)
    await history.engine.asOwner((db) => db.query('analyze', []))
  } finally {
    await history.close()
  }
  const [owner] = all
  if (!owner) throw new Error('a history is somebody’s')
  const copy = join(path, 'theirs')
  // An embedded one is held by one process.
  if (kind === 'pglite') await cp(home, copy, { recursive: true })
  return { kind, people: all, ours: { home, ...url, owner }, theirs: { home: copy, ...url, owner }, dispose }
}

async function newDatabase(): Promise<string | undefined> {
  try {
    return await (await testPostgres()).createDatabase()
  } catch (error) {
    tell(`without PostgreSQL: ${(error as Error).message}`)
    return undefined
  }
}

async function addPerson({ access }: History, name: string): Promise<Person> {
  const { id } = await access.addPerson(name)
  const token = `maru_${randomBytes(32).toString('base64url')}`
  await access.addKey({ kind: 'token', owner: id, hash: sha256(token), label: 'bench', scopes: ['read', 'write'] })
  return { id, name, token }
}
