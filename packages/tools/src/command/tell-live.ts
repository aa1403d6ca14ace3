import { StringDecoder } from 'node:string_decoder'
import type { ToolContext } from '@maru/protocol'
import type { ProcessOptions } from './start-process.ts'

// What a flooding command may send to those who watch; the result has its end as well.
const LIVE_LIMIT = 200_000

/** Passes output on to whoever watches, as it comes, up to a limit. */
export function tellLive({ progress }: ToolContext): ProcessOptions['onOutput'] {
  const decoders = { stdout: new StringDecoder(), stderr: new StringDecoder() }
  let room = LIVE_LIMIT
  return (stream, bytes) => {
    if (room <= 0) return
    const text = decoders[stream].write(bytes)
    if (text !== '') progress(text.length <= room ? text : `${text.slice(0, room)}\n[… more is not shown live]\n`)
    room -= text.length
  }
}
