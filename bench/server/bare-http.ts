import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openHistory } from '@maru/store'
import { answerParent } from './answer-parent.ts'
import type { Place } from './databases.ts'

const answers = {
  /** The same questions to the same database, without anything around them: no keys, shapes, bounds, logs, headers. */
  async open(place: Place): Promise<string> {
    const history = await openHistory({ ...place, now: Date.now, isDurable: false })
    const own = await history.openOwner(place.owner.id)
    const answer = async (request: IncomingMessage): Promise<unknown> => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://bare')
      const [, , , kind, id = ''] = pathname.split('/')
      if (kind === 'search') return own.search(searchParams.get('q') ?? '')
      if (id === '') return own.conversations.list({ limit: 50 })
      if (request.method === 'GET') return own.conversations.messages(id, { limit: 50 })
      const { clientId, role, content } = JSON.parse(await readText(request)) as NewMessage
      const by = { kind: 'person', id: 'bare', door: 'api' } as const
      return own.log.admit(id, {
        type: 'message-add',
        key: clientId,
        by,
        role,
        parts: [{ type: 'text', text: content }],
      })
    }
    const server = createServer((request, response) => {
      answer(request).then(
        (value) => {
          response.setHeader('content-type', 'application/json')
          response.end(JSON.stringify(value))
        },
        (error: unknown) => {
          response.statusCode = 500
          response.end(String(error))
        },
      )
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  },
}
export type BareHttpAnswers = typeof answers

answerParent(answers)

interface NewMessage {
  clientId: string
  role: 'user' | 'assistant'
  content: string
}

function readText(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => (text += piece))
    request.on('end', () => resolve(text))
    request.on('error', reject)
  })
}
