import type { Person } from '@maru/store'
import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { placeOf } from '../history/open-history-for.ts'
import { findServer, PATIENT_MS } from '../remote/find-server.ts'
import { printable } from '../terminal/printable.ts'
import type { Keeper } from './keeper.ts'

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
