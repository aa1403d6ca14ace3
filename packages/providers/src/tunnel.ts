import type { ClientRequestArgs } from 'node:http'
import type { Agent } from 'node:https'
import type { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import { proxyHeaders } from './proxy.ts'

const CONNECT_MS = 15_000

/** An agent whose connections go through a proxy (CONNECT) and are secured end to end. */
export async function createTunnelAgent(proxy: URL): Promise<Agent> {
  const { Agent } = await import('node:https')
  const agent = new Agent({ keepAlive: true })
  // The agent awaits the callback where no socket is returned; its types know only the socket.
  const plain = agent as unknown as { createConnection(options: ClientRequestArgs, done: Done): void }
  plain.createConnection = (options, done) => {
    connectThrough(proxy, options).then(
      (socket) => done(null, socket),
      (error: Error) => done(error),
    )
  }
  return agent
}

type Done = (error: Error | null, socket?: Socket) => void

async function connectThrough(proxy: URL, options: ClientRequestArgs): Promise<Socket> {
  const { connect } = await import('node:tls')
  const socket = await openTunnel(proxy, `${options.host}:${options.port}`)
  const { path: _path, ...rest } = options
  return connect({ ...rest, socket, servername: options.host ?? '' } as unknown as ConnectionOptions)
}

async function openTunnel(proxy: URL, target: string): Promise<Socket> {
  const { request } = await import('node:http')
  const { hostname, port } = proxy
  const headers = { host: target, ...proxyHeaders(proxy) }
  return new Promise((resolve, reject) => {
    const asking = request({ method: 'CONNECT', hostname, port, path: target, headers, agent: false })
    asking.setTimeout(CONNECT_MS, () => asking.destroy(new Error('did not answer')))
    asking.once('connect', (response, socket) => {
      socket.setTimeout(0)
      if (response.statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(new Error(`the proxy ${proxy.host} answered ${response.statusCode}`))
    })
    asking.once('error', (error) => reject(new Error(`the proxy ${proxy.host}: ${error.message}`, { cause: error })))
    asking.end()
  })
}
