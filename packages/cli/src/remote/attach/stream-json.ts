import { printRecord } from '@maru/protocol'
import { CliError } from '../../cli-error.ts'
import type { Invocation } from '../../command.ts'
import { EXIT, type ExitCode } from '../../exit-code.ts'
import { printable } from '../../terminal/printable.ts'
import type { ServerLink } from '../link.ts'
import { refused } from '../open-link.ts'
import { createInTurn } from './in-turn.ts'

/** A session as lines for a script: each fact once and in order, live events between them, until it is told to stop. */
export function streamJson({ signal, stdout, t, notice }: Invocation, link: ServerLink, id: string): Promise<ExitCode> {
  let writing: Promise<unknown> = Promise.resolve()
  const write = (line: string) => {
    writing = writing.then(() => stdout.line(line))
  }
  const inTurn = createInTurn((event) => write(JSON.stringify(event)))
  return new Promise<ExitCode>((resolve, reject) => {
    const following = link.listen(id, 0, {
      facts(facts) {
        for (const record of facts) {
          write(printRecord(record))
          inTurn.fact(record)
        }
      },
      open: inTurn.open,
      live: inTurn.live,
      gone: () => end(() => reject(new CliError('session-gone', t('remote.gone', { id: printable(id) })))),
    })
    const stop = () => end(() => resolve(EXIT.interrupted))
    let wasUp = true
    const unwatch = link.connection.onChange(() => {
      const { isUp, isRefused } = link.connection
      if (isRefused) end(() => reject(refused(link.url, { t })))
      else if (wasUp && !isUp) void notice(t('remote.cut', { url: printable(link.url) }))
      else if (!wasUp && isUp) void notice(t('remote.back'))
      wasUp = isUp
    })
    const end = (settle: () => void) => {
      following.stop()
      unwatch()
      signal.removeEventListener('abort', stop)
      void writing.then(settle)
    }
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
  })
}
