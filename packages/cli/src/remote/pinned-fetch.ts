import { request } from 'node:https'
import { Readable } from 'node:stream'

/** `fetch` for a server whose certificate nobody else vouches for: this one, and no other, is believed. */
export function pinnedFetch(cert: string): typeof globalThis.fetch {
  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const url = input instanceof Request ? input.url : input
    return new Promise((resolve, reject) => {
      const options = {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        ca: cert,
        ...(signal && { signal }),
      }
      const sent = request(url, options, (answer) => {
        const status = answer.statusCode ?? 500
        const isEmpty = status === 204 || status === 304
        if (isEmpty) answer.resume()
        const pairs = Object.entries(answer.headers).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
        )
        const content = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>)
        resolve(new Response(content, { status, headers: pairs }))
      })
      sent.on('error', reject)
      if (body instanceof ReadableStream) Readable.fromWeb(body as never).pipe(sent)
      else sent.end(body as string | Uint8Array | undefined)
    })
  }
}
