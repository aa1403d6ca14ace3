import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { EXIT } from '../exit-code.ts'

export const PORT = 4280
const TRIED = 20

/** Starts on the port that was asked for; without a wish, on ours or the next that is free. */
export async function listenOn<T>(
  wanted: number | undefined,
  start: (port: number) => Promise<T>,
  { t }: Pick<Invocation, 't'>,
): Promise<T> {
  if (wanted === undefined) return listenNear(PORT, start)
  try {
    return await start(wanted)
  } catch (error) {
    if (!isTaken(error)) throw error
    throw new CliError('port-taken', t('serve.port-taken', { port: wanted }), { exit: EXIT.failed, cause: error })
  }
}

async function listenNear<T>(first: number, start: (port: number) => Promise<T>): Promise<T> {
  for (let port = first; port < first + TRIED; port++) {
    try {
      return await start(port)
    } catch (error) {
      if (!isTaken(error)) throw error
    }
  }
  return start(0)
}

function isTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException | undefined)?.code === 'EADDRINUSE'
}
