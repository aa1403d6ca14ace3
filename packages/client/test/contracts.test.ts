import { liveBusContract, sessionLogContract } from '@maru/testkit'
import { type Connection, createRemoteBlobs, createRemoteLive, createRemoteLog } from '../src/index.ts'
import { type Room, startWireServer } from './wire-server.ts'
import { createRoom, quickly } from './world.ts'

sessionLogContract('a log behind a socket', async () => {
  const rooms = new Map<string, Room>()
  const server = await startWireServer({ rooms })
  const connections: Connection[] = []
  return {
    async open(owner, mask) {
      const room = rooms.get(owner) ?? createRoom(mask)
      rooms.set(owner, room)
      const connection = quickly(server.url, owner)
      connections.push(connection)
      // What is let go of with a fact is the server's to let go of.
      return { log: createRemoteLog(connection), blobs: createRemoteBlobs({ url: server.url, token: owner }) }
    },
    async dispose() {
      for (const connection of connections) connection.close()
      await server.close()
    },
  }
})

liveBusContract('a bus that tells a server', () => {
  const connection = quickly('http://127.0.0.1:9', 'nobody', { signal: AbortSignal.abort() })
  return createRemoteLive(connection)
})
