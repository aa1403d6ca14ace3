/** What is used of a WebSocket: the browser's own has it, and so has the class of `ws`. */
export interface Socket {
  readonly bufferedAmount: number
  send(text: string): void
  close(code?: number, reason?: string): void
  /** Of `ws`: ends it without asking the other side. */
  terminate?(): void
  onopen: ((event: never) => void) | null
  onmessage: ((event: never) => void) | null
  onerror: ((event: never) => void) | null
  onclose: ((event: never) => void) | null
}

/** Browsers ignore the third parameter; there the cookie says who it is. */
export type SocketClass = new (
  url: string,
  protocols?: string[],
  options?: { headers: { [name: string]: string } },
) => Socket

/** Where the socket of a server is: `http://host/` gives `ws://host/ws`. Never holds a token. */
export function socketUrl(url: string): string {
  const base = new URL(url)
  base.protocol = base.protocol.replace('http', 'ws')
  base.pathname = `${base.pathname.replace(/\/$/, '')}/ws`
  base.search = ''
  base.hash = ''
  return base.href
}

/** Lets go of a socket at once: a dead peer would never answer a polite close. */
export function drop(socket: Socket): void {
  socket.onopen = null
  socket.onmessage = null
  socket.onclose = null
  // One that fails while it is let go of has nobody left to tell.
  socket.onerror = () => undefined
  try {
    if (socket.terminate) socket.terminate()
    else socket.close()
  } catch {
    // Some throw when they are closed before they were open; they are gone all the same.
  }
}
