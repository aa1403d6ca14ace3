import { type ClientRequestArgs, request } from 'node:http'
import { Agent } from 'node:https'
import type { Socket } from 'node:net'
import { connect } from 'node:tls'
import { proxyHeaders } from './proxy.ts'

const CONNECT_MS = 15_000

/** An agent whose connections go through a proxy (CONNECT) and are secured end to end. */
export function createTunnelAgent(proxy: URL): Agent {
  const agent = new Agent({ keepAlive: true })
  const plain: { createConnection(options: ClientRequestArgs, done: Done): void } = agent as never
  plain.createConnection = (options, done) => {
    openTunnel(proxy, options).then(
      (socket) => done(null, secure(socket, options)),
      (error: Error) => done(error),
    )
  }
  return agent
}

type Done = (error: Error | null, socket?: Socket) => void

function secure(socket: Socket, options: ClientRequestArgs): Socket {
  const name = options.host ?? ''
  return connect({ ...options, socket, servername: name, path: undefined } as never)
}

function openTunnel(proxy: URL, { host, port }: ClientRequestArgs): Promise<Socket> {
  const target = `${host}:${port}`
  return new Promise((resolve, reject) => {
    const { hostname, port: proxyPort } = proxy
    const headers = { host: target, ...proxyHeaders(proxy) }
    const asking = request({ method: 'CONNECT', hostname, port: proxyPort, path: target, headers, agent: false })
    asking.setTimeout(CONNECT_MS, () => asking.destroy(broken(proxy, 'did not answer')))
    asking.once('connect', (response, socket) => {
      socket.setTimeout(0)
      if (response.statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(broken(proxy, `answered ${response.statusCode}`))
    })
    asking.once('error', (error) => reject(new Error(broken(proxy, error.message).message, { cause: error })))
    asking.end()
  })
}

function broken(proxy: URL, why: string): Error {
  return new Error(`the proxy ${proxy.host} ${why}`)
}
