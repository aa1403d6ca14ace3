import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { answerParent } from './answer-parent.ts'
import type { Stamp } from './maru.ts'
import { measureMemory, micros } from './measure.ts'

let stamps: Stamp[] = []
const rooms = new Map<string, { last: number; sockets: Set<WebSocket> }>()

const answers = {
  /** The least that tells everybody in a room what was said there: nobody is asked for a key, nothing is stored. */
  async open(): Promise<string> {
    const sockets = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false })
    const server = createServer((request, response) => {
      const pieces: Buffer[] = []
      request.on('data', (piece: Buffer) => pieces.push(piece))
      request.on('end', () => {
        tell((request.url ?? '').split('/')[4] ?? '', Buffer.concat(pieces).toString())
        response.statusCode = 201
        response.end('{}')
      })
    })
    server.on('upgrade', (request, socket, head) => sockets.handleUpgrade(request, socket, head, welcome))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  },
  async stamps(): Promise<Stamp[]> {
    const some = stamps
    stamps = []
    return some
  },
  memory: measureMemory,
}
export type BareSocketsAnswers = typeof answers

answerParent(answers)

function welcome(socket: WebSocket): void {
  socket.on('error', () => socket.terminate())
  socket.send(JSON.stringify({ type: 'hello', now: Date.now() }))
  socket.on('message', (data) => {
    const { id, after } = JSON.parse((data as Buffer).toString()) as { id: string; after: number }
    const room = rooms.get(id) ?? { last: after, sockets: new Set() }
    rooms.set(id, room)
    room.sockets.add(socket)
    socket.once('close', () => room.sockets.delete(socket))
    socket.send(JSON.stringify({ type: 'open', id, after: room.last, open: { parts: [], progress: {} } }))
  })
}

// A frame of the same bytes as the product's, printed once for all.
function tell(id: string, body: string): void {
  const room = rooms.get(id)
  if (!room) return
  const { clientId, role, content } = JSON.parse(body) as { clientId: string; role: string; content: string }
  const seq = ++room.last
  stamps.push([id, seq, micros()])
  const by = { kind: 'person', id: 'somebody', door: 'api' }
  const fact = { type: 'message-add', key: clientId, by, role, parts: [{ type: 'text', text: content }] }
  const frame = Buffer.from(JSON.stringify({ type: 'facts', id, facts: [{ v: 1, seq, at: Date.now(), ...fact }] }))
  for (const socket of room.sockets) socket.send(frame, { binary: false })
}
