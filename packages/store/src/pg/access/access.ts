/** A person with a part in the history; `id` is the owner of every row of theirs. */
export interface Person {
  id: string
  name: string
  createdAt: number
}

/** What a key may be used for. `read` sees, `write` changes conversations, `run` runs agents and answers them, `admin` all. */
export type Scope = 'read' | 'write' | 'run' | 'admin'

/** A key to a person's part: an API token, or what a browser's cookie carries. Only a hash of it is ever stored. */
export interface Key {
  id: string
  kind: 'token' | 'cookie'
  person: Person
  /** What people call it: "laptop", a browser's name. */
  label: string
  scopes: Scope[]
  createdAt: number
  expiresAt?: number
  lastUsedAt?: number
}

export interface NewKey {
  kind: Key['kind']
  owner: string
  /** SHA-256 of the secret, as hexadecimal digits: whoever made it has shown it to its owner already. */
  hash: string
  label: string
  scopes: Scope[]
  expiresAt?: number
}

export interface AuditNote {
  at: number
  /** The name of whose doing it was, as far as they are still there. */
  user?: string
  action: string
  door?: string
  address?: string
  detail?: string
}

/** Who may come in. Nothing here is ever asked in the name of a request: it comes before there is one. */
export interface Access {
  people(): Promise<Person[]>
  addPerson(name: string): Promise<Person>
  findPerson(name: string): Promise<(Person & { passwordHash?: string }) | undefined>
  /**
   * Who signed in before has to do so again: every cookie of theirs ends, but for `except`. Gives the keys that ended.
   * Tokens stay: they are taken back one by one.
   */
  setPassword(owner: string, passwordHash: string | undefined, except?: Key['id']): Promise<Key['id'][]>
  /** With everything of theirs: sessions, blobs, keys. */
  removePerson(owner: string): Promise<void>

  addKey(key: NewKey): Promise<Key>
  /** Nothing for one that is unknown, revoked or over. */
  findKey(hash: string): Promise<Key | undefined>
  keys(owner?: string): Promise<Key[]>
  /** By id; false if there is none. A new hash in one step, for cookies that are renewed. */
  revokeKey(id: string): Promise<boolean>
  /** Another secret for the same key, from one moment to the next; false if there is none that still holds. */
  renewKey(id: string, renewed: { hash: string; expiresAt?: number }): Promise<boolean>

  /** A link or a pairing code: good once, for a short time. */
  addOneTime(entry: { kind: 'link' | 'pair'; owner: string; hash: string; expiresAt: number }): Promise<void>
  /** Whose it was; from now on it is nobody's. */
  takeOneTime(kind: 'link' | 'pair', hash: string): Promise<Person | undefined>

  note(entry: Omit<AuditNote, 'at' | 'user'> & { owner?: string }): Promise<void>
  audit(options?: { owner?: string; limit?: number }): Promise<AuditNote[]>

  /** Takes from a bucket that fills by itself: 0, or the seconds to wait until there is enough. One bucket for all nodes. */
  take(subject: string, kind: string, wanted: { amount?: number; capacity: number; perMinute: number }): Promise<number>
}
