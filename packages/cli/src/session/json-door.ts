import { type Live, printRecord, type Recorded } from '@maru/protocol'
import type { Invocation } from '../command.ts'
import type { Door } from './door.ts'

/** One JSON object per line on stdout: facts as they are stored, live events as they come, then the result. */
export function createJsonDoor({ stdout, notice }: Invocation): Door {
  let writing = Promise.resolve()
  const line = (text: string) => {
    writing = writing.then(() => stdout.line(text))
  }
  return {
    past: () => undefined,
    live: (event: Live) => line(JSON.stringify(event)),
    fact: (record: Recorded) => line(printRecord(record)),
    notice(text) {
      writing = writing.then(() => notice(text))
    },
    async end(result) {
      if (result?.reason === 'failed')
        line(JSON.stringify({ type: 'error', code: 'failed', message: result.detail ?? '' }))
      const { misfit, ...shown } = result ?? {}
      if (misfit !== undefined) line(JSON.stringify({ type: 'error', code: 'output-schema-mismatch', message: misfit }))
      if (result) line(JSON.stringify({ type: 'result', ...shown }))
      await writing
    },
  }
}
