import { realpathSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { CliError, usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import type { OptionTable } from '../option.ts'
import { printable } from '../terminal/printable.ts'
import { isHostName, isLoopback, ownNames } from './addresses.ts'

export const serveOptions = {
  host: { kind: 'value', value: 'ADDRESS', summary: 'option.serve-host' },
  port: { kind: 'value', value: 'N', summary: 'option.serve-port' },
  root: { kind: 'list', value: 'DIR', summary: 'option.serve-root' },
  'allow-origin': { kind: 'list', value: 'URL', summary: 'option.allow-origin' },
  'allow-host': { kind: 'list', value: 'NAME', summary: 'option.allow-host' },
  'behind-proxy': { kind: 'flag', summary: 'option.behind-proxy' },
  tls: { kind: 'flag', summary: 'option.tls' },
  cert: { kind: 'value', value: 'FILE', summary: 'option.cert' },
  key: { kind: 'value', value: 'FILE', summary: 'option.cert-key' },
  pair: { kind: 'flag', summary: 'option.pair' },
  demo: { kind: 'flag', summary: 'option.demo' },
} as const satisfies OptionTable

export type ServeInvocation = Invocation<typeof serveOptions>

/** What a server is to be, by its options and the user's file. */
export interface ServeWish {
  host: string
  /** Nothing where any near ours will do. */
  port?: number
  roots: string[]
  origins: string[]
  /** Names beside the loopback's own under which it may be reached. */
  hosts: string[]
  messagesPerMinute?: number
}

/** Reads it, and refuses what would leave somebody's conversations open to a network. */
export async function readServeWish(invocation: ServeInvocation): Promise<ServeWish> {
  const { options, t } = invocation
  const { serve = {} } = (await invocation.config()).settings
  const host = options.host ?? serve.host ?? '127.0.0.1'
  const isSafe = options.tls || options.cert !== undefined || options['behind-proxy']
  if (!isLoopback(host) && !isSafe) {
    throw new CliError('exposed', t('serve.exposed', { host: printable(host) }), { exit: EXIT.usage })
  }
  const port = readPort(invocation) ?? serve.port
  const named = [...(serve.hosts ?? []), ...options['allow-host']].map((name) => readHost(name, invocation))
  return {
    host: host.replace(/^\[(.*)\]$/, '$1'),
    ...(port !== undefined && { port }),
    roots: readRoots(invocation, serve.roots ?? []),
    origins: [...(serve.origins ?? []), ...options['allow-origin']].map((origin) => readOrigin(origin, invocation)),
    hosts: isLoopback(host) ? named : [...named, ...ownNames()],
    ...(serve.messagesPerMinute !== undefined && { messagesPerMinute: serve.messagesPerMinute }),
  }
}

function readPort({ options: { port }, t }: ServeInvocation): number | undefined {
  if (port === undefined) return undefined
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port)
  throw usageError(t('serve.bad-port', { value: printable(port) }))
}

// An address of IPv6 stands in brackets wherever a port may follow.
function readHost(value: string, { t }: ServeInvocation): string {
  if (!isHostName(value)) throw usageError(t('serve.bad-host', { value: printable(value) }))
  return isIP(value) === 6 ? `[${value}]` : value
}

function readOrigin(value: string, { t }: ServeInvocation): string {
  const { origin, pathname, search, hash } = URL.canParse(value) ? new URL(value) : NO_URL
  if (/^https?:/.test(origin) && pathname === '/' && search === '' && hash === '') return origin
  throw usageError(t('serve.bad-origin', { value: printable(value) }))
}

const NO_URL = { origin: '', pathname: '', search: '', hash: '' }

// Without their links: what is below a root is compared with where it really is.
function readRoots({ cwd, env, options, repo, t }: ServeInvocation, configured: readonly string[]): string[] {
  const wanted = options.root.length > 0 ? options.root : configured
  const paths = wanted.length > 0 ? wanted.map((path) => resolve(cwd, inHome(path, env['HOME']))) : [repo()]
  return [...new Set(paths)].map((path) => {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw usageError(t('serve.no-root', { path: printable(path) }))
    }
    return realpathSync(path)
  })
}

function inHome(path: string, home = homedir()): string {
  return path === '~' || path.startsWith('~/') ? join(home, path.slice(2)) : path
}
