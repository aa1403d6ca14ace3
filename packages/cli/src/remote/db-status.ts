import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { describePlace } from '../history/examine-history.ts'
import { placeOf } from '../history/open-history-for.ts'
import { sizeOf } from '../history/size-of.ts'
import { printable } from '../terminal/printable.ts'
import type { FoundServer } from './find-server.ts'
import { openApi, toCliError } from './open-link.ts'

/**
 * What a server says of the history that it alone can open; what cannot be asked of it is said. Nothing where the history
 * is on a database that several may use: then it is looked at as ever.
 */
export async function askServer(
  invocation: Invocation,
  { server, action }: { server: FoundServer; action: string },
): Promise<ExitCode | undefined> {
  if (placeOf(invocation).databaseUrl !== undefined) return undefined
  const { json, stdout, t } = invocation
  const { url, pid } = server
  if (action !== 'status') {
    const message = t('remote.held', { url: printable(url), pid, command: `maru db ${action}` })
    throw new CliError('history-held', message)
  }
  const { conversations, messages, bytes } = await (await openApi(server)).usage().catch(toCliError(t))
  const place = describePlace(invocation)
  if (json) await stdout.line(JSON.stringify({ place, server: { url, pid }, conversations, messages, bytes }))
  else
    await stdout.line(
      t('remote.status', { place, url: printable(url), pid, conversations, messages, size: sizeOf(bytes) }),
    )
  return EXIT.done
}
