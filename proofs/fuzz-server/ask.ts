import { request as open } from 'node:http'

export interface Asked {
  method: string
  path: string
  token?: string | undefined
  /** As JSON. */
  body?: unknown
  /** As they are, instead. */
  bytes?: Buffer
  headers?: { [name: string]: string | string[] }
}

export interface Answered {
  status: number
  /** Headers and body, as they came. */
  text: string
  head: string
}

const WAIT_MS = 60_000

/** A request with any header twice, and any method and path: `fetch` would mend them. A connection that is cut has no status. */
export function ask(url: string, { method, path, token, body, bytes, headers = {} }: Asked): Promise<Answered> {
  const content = bytes ?? (body === undefined ? undefined : Buffer.from(JSON.stringify(body)))
  return new Promise((resolve, reject) => {
    const request = open(new URL(url), {
      ...{ method, path, agent: false },
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(content && { 'content-type': 'application/json', 'content-length': content.length }),
        ...headers,
      },
    })
    request.setTimeout(WAIT_MS, () => request.destroy(new Error('no answer in a minute')))
    request.on('error', (error: NodeJS.ErrnoException) => {
      // It hung up on somebody who was still sending what it does not want.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve({ status: 0, text: '', head: '' })
      else reject(error)
    })
    request.on('response', (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString()
        resolve({ status: response.statusCode ?? 0, text, head: response.rawHeaders.join('\n') })
      })
    })
    request.end(content)
  })
}
