import { request } from 'node:http'
import type { Socket } from 'node:net'

/** The variables that say how to leave the machine. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The way an address has to take: directly, or through a proxy that the environment names. */
export type Exit =
  | { kind: 'direct' }
  | { kind: 'proxy'; proxy: URL; variable: string }
  | { kind: 'broken'; why: string }

/** Reads `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`. This machine itself is always reached directly. */
export function findExit(url: URL, environment: Environment): Exit {
  const names = [url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY', 'ALL_PROXY']
  const variable = names.find((name) => settingOf(name, environment) !== '')
  if (variable === undefined || isLoopback(url) || isExempt(url, settingOf('NO_PROXY', environment))) {
    return { kind: 'direct' }
  }
  const value = settingOf(variable, environment)
  const address = value.includes('://') ? value : `http://${value}`
  // Its value may hold a password: it is never shown.
  if (!URL.canParse(address)) return { kind: 'broken', why: `${variable} is no address` }
  const proxy = new URL(address)
  if (proxy.protocol !== 'http:') return { kind: 'broken', why: `${variable} does not begin with http://` }
  return { kind: 'proxy', proxy, variable }
}

function settingOf(name: string, environment: Environment): string {
  return (environment[name.toLowerCase()] || environment[name] || '').trim()
}

function isLoopback({ hostname }: URL): boolean {
  return /^(127\.[\d.]+|\[::1\]|(.+\.)?localhost)$/.test(hostname)
}

// Names with or without a leading dot or star, each for its sub-domains too; a port narrows it.
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const own = port || (protocol === 'https:' ? '443' : '80')
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true
    const [, name = '', only = own] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
    const host = name.replace(/^\*?\./, '')
    return host !== '' && only === own && (hostname === host || hostname.endsWith(`.${host}`))
  })
}

/** What tells a proxy who asks, if its address has a name in it. */
export function proxyHeaders({ username, password }: URL): Record<string, string> {
  if (username === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}

/** A connection to `authority` (host and port) through a proxy. */
export function openTunnel(proxy: URL, authority: string, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const asking = request({
      method: 'CONNECT',
      hostname: proxy.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: proxy.port,
      path: authority,
      headers: { host: authority, ...proxyHeaders(proxy) },
      agent: false,
      signal,
    })
    asking.once('connect', (response, socket) => {
      if (response.statusCode === 200) return resolve(socket)
      socket.destroy()
      reject(new Error(`the proxy answered ${response.statusCode}`))
    })
    // Without CONNECT a proxy may answer like any server.
    asking.once('response', (response) => {
      response.destroy()
      reject(new Error(`the proxy answered ${response.statusCode}`))
    })
    asking.on('error', reject)
    asking.end()
  })
}
