/** One server-sent event, or a comment line. Pauses, noise and failures count deltas; `isEnd` is the first ending event. */
export type SseEvent =
  | { readonly event?: string; readonly data: string; readonly isDelta?: boolean; readonly isEnd?: boolean }
  | { readonly comment: string }

/** An event as text, ready for the player. */
export type Frame = { readonly text: string; readonly isDelta: boolean }

export function frameEvent(event: SseEvent, lineEnd: '\n' | '\r\n'): Frame {
  if ('comment' in event) return { text: `: ${event.comment}${lineEnd}${lineEnd}`, isDelta: false }
  const name = event.event === undefined ? '' : `event: ${event.event}${lineEnd}`
  return { text: `${name}data: ${event.data}${lineEnd}${lineEnd}`, isDelta: event.isDelta === true }
}
