/** The variables that say how to leave the machine. */
export type Environment = { readonly [name: string]: string | undefined }

/** The proxy for an address, or undefined for the direct way. This machine itself is always reached directly. */
export function findProxy(url: URL, env: Environment): URL | undefined {
  const name = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const value = variable(env, name) ?? variable(env, 'ALL_PROXY')
  if (value === undefined || isLoopback(url.hostname) || isExempt(url, variable(env, 'NO_PROXY') ?? ''))
    return undefined
  const text = value.includes('://') ? value : `http://${value}`
  if (!URL.canParse(text)) throw new ProxyError(`${name} is no address; it looks like http://proxy.example:8080`)
  const proxy = new URL(text)
  if (proxy.protocol !== 'http:')
    throw new ProxyError(`${name} names a ${proxy.protocol}// proxy; only http:// is there`)
  return proxy
}

/** The environment names a proxy we cannot use. */
export class ProxyError extends Error {
  override name = 'ProxyError'
}

function variable(env: Environment, name: string): string | undefined {
  const value = env[name.toLowerCase()] ?? env[name]
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host.startsWith('127.')
}

/** `NO_PROXY`: names with or without a leading dot or star, each for its sub-domains too; a port narrows it. */
function isExempt(url: URL, list: string): boolean {
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      const [, name = '', only] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? []
      const host = name.replace(/^\*?\./, '')
      return (only === undefined || only === port) && (url.hostname === host || url.hostname.endsWith(`.${host}`))
    })
}

/** The header that tells a proxy who asks, if its address has a name in it. */
export function proxyHeaders({ username, password }: URL): { [name: string]: string } {
  if (username === '') return {}
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` }
}
