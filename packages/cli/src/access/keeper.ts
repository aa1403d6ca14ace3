import type { api } from '@maru/protocol'
import type { Key, Person, Scope } from '@maru/store'

export interface TokenWish {
  /** Of whoever calls, if nobody is named. */
  person?: Person | undefined
  label: string
  scopes: Scope[]
  expiresAt?: number | undefined
}

/** So many notes are shown: enough to see what happened lately. */
export const NOTES_SHOWN = 100

/** Whoever looks after who may come in: this process, or a server that holds the history. */
export interface Keeper {
  /** The number of whoever calls. */
  readonly me: string
  people(): Promise<(Person & { hasPassword: boolean })[]>
  find(name: string): Promise<Person | undefined>
  /** An error with the code `exists` or `rejected` for a name that cannot be had. */
  add(name: string, password: string | undefined): Promise<Person>
  setPassword(person: Person, password: string): Promise<void>
  /** How many conversations somebody has. */
  count(person: Person): Promise<number>
  /** With everything of theirs. */
  remove(person: Person): Promise<void>
  /** Somebody's, or everybody's. */
  keys(person?: Person): Promise<Key[]>
  addToken(wish: TokenWish): Promise<{ token: string; key: Key }>
  /** False if it was over already. */
  revoke(key: Key): Promise<boolean>
  /** What somebody or anybody did, the newest first. */
  notes(person?: Person): Promise<api.AuditNote[]>
}
