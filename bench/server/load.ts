import { Agent, type IncomingMessage, request } from 'node:http'
import { answerParent } from './answer-parent.ts'

export type Kind = 'list' | 'open' | 'append' | 'search'

export interface LoadWish {
  url: string
  token: string
  kind: Kind
  /** Conversations to open, or to add to. */
  ids: string[]
  words: string[]
  text: string
  connections: number
  seconds: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 })
let sent = 0

const answers = {
  /** Asks as often as it is answered, over so many connections; gives back the milliseconds for a thousand. */
  async run(wish: LoadWish): Promise<number> {
    const began = performance.now()
    const end = began + wish.seconds * 1_000
    let count = 0
    const work = async () => {
      while (performance.now() < end) {
        await ask(wish, sent++)
        count++
      }
    }
    await Promise.all(Array.from({ length: wish.connections }, work))
    return ((performance.now() - began) * 1_000) / count
  },
}
export type LoadAnswers = typeof answers

answerParent(answers)

function ask({ url, token, kind, ids, words, text }: LoadWish, no: number): Promise<void> {
  const id = ids[no % ids.length]
  const word = words[no % words.length] ?? ''
  const path =
    kind === 'list'
      ? '/api/v1/conversations?limit=50'
      : kind === 'search'
        ? `/api/v1/search?q=${encodeURIComponent(word)}`
        : `/api/v1/conversations/${id}/messages${kind === 'open' ? '?limit=50' : ''}`
  const body =
    kind === 'append' ? JSON.stringify({ clientId: `${process.pid}.${no}`, role: 'user', content: text }) : undefined
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  return new Promise((resolve, reject) => {
    const asked = request(url + path, { method: body === undefined ? 'GET' : 'POST', agent, headers })
    asked.on('error', reject)
    asked.on('response', (response) => void whole(response, path).then(resolve, reject))
    asked.end(body)
  })
}

async function whole(response: IncomingMessage, path: string): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece as Buffer)
  const status = response.statusCode ?? 0
  if (status < 300) return
  throw new Error(`${path} was answered with ${status}: ${Buffer.concat(pieces).toString().slice(0, 200)}`)
}
