import type { Key, Person, Scope } from '@maru/store'
import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { placeOf } from '../history/open-history-for.ts'
import { findServer, PATIENT_MS } from '../remote/find-server.ts'
import { printable } from '../terminal/printable.ts'

export interface TokenWish {
  /** Of whoever calls, if nobody is named. */
  person?: Person | undefined
  label: string
  scopes: Scope[]
  expiresAt?: number | undefined
}

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
}

/** Finds whom to ask, for as long as a command asks. An embedded history is the server's alone while one runs. */
export async function withKeeper(
  invocation: Invocation,
  work: (keeper: Keeper) => Promise<ExitCode>,
): Promise<ExitCode> {
  const isShared = placeOf(invocation).databaseUrl !== undefined
  const server = isShared ? undefined : await findServer(invocation, PATIENT_MS)
  if (server) {
    const { openServerKeeper } = await import('../remote/server-keeper.ts')
    return work(await openServerKeeper(server, invocation))
  }
  const { openOwnKeeper } = await import('./own-keeper.ts')
  const { keeper, close } = await openOwnKeeper(invocation)
  try {
    return await work(keeper)
  } finally {
    await close()
  }
}

/** Somebody by name; an error in the reader's words if there is nobody of that name. */
export async function expectPerson({ t }: Invocation, keeper: Keeper, name: string): Promise<Person> {
  const person = await keeper.find(name)
  if (!person) throw new CliError('no-such-user', t('user.unknown', { name: printable(name) }))
  return person
}
