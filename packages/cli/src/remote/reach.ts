import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { CliError, usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { printable } from '../terminal/printable.ts'
import { tellErrno } from '../terminal/tell-errno.ts'
import { type FoundServer, findServer, PATIENT_MS } from './find-server.ts'

/** The options of commands that are told which server to use. */
export const serverOptions = {
  url: { kind: 'value', value: 'URL', summary: 'option.url' },
  'token-file': { kind: 'value', value: 'FILE', summary: 'option.token-file' },
} as const

type Wish = Invocation<typeof serverOptions>

/** The server that is meant: the one that was named, else the one of this machine. */
export async function chooseServer(
  invocation: Wish,
): Promise<Pick<FoundServer, 'url' | 'token' | 'cert'> & Partial<Pick<FoundServer, 'pid'>>> {
  const { options, home, t } = invocation
  const here = await findServer(invocation, PATIENT_MS)
  if (options.url === undefined) {
    if (!here) throw usageError(t('remote.no-server', { home: printable(home) }))
    return withToken(here, readToken(invocation))
  }
  const url = readUrl(options.url, invocation)
  if (here && here.url === url) return withToken(here, readToken(invocation))
  const token = readToken(invocation)
  if (token === undefined) throw usageError(t('remote.no-token', { url: printable(url) }))
  return { url, token }
}

// Whoever brings a key of their own keeps it.
function withToken({ pid, ...here }: FoundServer, token: string | undefined) {
  return token === undefined ? { ...here, pid } : { ...here, token }
}

// A token has no place in an address: those are logged and passed on.
function readUrl(text: string, { t }: Wish): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isServer = url && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === ''
  if (!isServer) throw usageError(t('remote.bad-url', { url: printable(text) }))
  return url.href.replace(/\/+$/, '')
}

function readToken({ options, cwd, env, t }: Wish): string | undefined {
  const file = options['token-file']
  if (file === undefined) return env['MARU_TOKEN']?.trim() || undefined
  try {
    return readFileSync(resolve(cwd, file), 'utf8').trim()
  } catch (error) {
    const values = { file: printable(file), reason: printable(tellErrno(error, t)) }
    throw new CliError('unreadable', t('remote.bad-token-file', values), { exit: EXIT.usage, cause: error })
  }
}
