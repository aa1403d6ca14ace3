import { isIP } from 'node:net'
import type { RunningServer } from '@maru/server'
import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { loadDemoConversation } from '../demo/demo-conversation.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { type OpenedHistory, openHistoryFor } from '../history/open-history-for.ts'
import { printable } from '../terminal/printable.ts'
import { version } from '../version.ts'
import { isEverywhere } from './addresses.ts'
import { announce, announcePairing } from './announce.ts'
import { holdHome } from './hold-home.ts'
import { keepHouse } from './housekeeping.ts'
import { inRoot } from './in-root.ts'
import { listenOn } from './listen.ts'
import { type MaskedHistory, maskHistory } from './masked-history.ts'
import { moveWhenWritten } from './moving-history.ts'
import { logLine, type OnLog, openLogFile } from './operator-log.ts'
import type { ServeInvocation, ServeWish } from './read-wish.ts'
import { removeServerNote, writeServerNote } from './server-file.ts'
import { openSummarise } from './summarise.ts'
import { openTls, type Tls } from './tls.ts'
import { openPassingTokens } from './tokens.ts'
import { createWorkshop } from './workshop.ts'

/** Opens the history and serves it until somebody stops it; then everything is put down in order. */
export async function serveHistory(invocation: ServeInvocation, wish: ServeWish): Promise<ExitCode> {
  const held = await holdHome(invocation)
  try {
    return await serveHeld(invocation, wish)
  } finally {
    await held.release()
  }
}

async function serveHeld(invocation: ServeInvocation, wish: ServeWish): Promise<ExitCode> {
  const { home, options, signal, t } = invocation
  const { cert, key } = options
  const tls = await openTls(invocation, { isWanted: options.tls, cert, key, names: namesOf(wish) })
  const log = openLog(invocation)
  const opened = await openHistoryFor(invocation)
  try {
    const { own } = opened
    if (options.demo && (await loadDemoConversation(own, Date.now()))) await invocation.notice(t('serve.demo-loaded'))
    if (signal.aborted) return EXIT.interrupted
    const known = await secretsOf(invocation)
    const moving = moveWhenWritten(opened.history, { owner: own.owner, home })
    const masked = maskHistory(moving, { home, env: invocation.env, known })
    const server = await start(invocation, { wish, opened, masked, tls, onLog: log.write })
    const tokens = await openPassingTokens(opened.history.access, own.owner, home)
    const house = keepHouse({ ...opened, invocation: inOwnRoot(invocation, wish, log.write), onLog: log.write })
    try {
      await writeServerNote(home, {
        url: server.url,
        pid: process.pid,
        token: await tokens.create('local'),
        startedAt: Date.now(),
        ...(tls && { cert: tls.cert, fingerprint: tls.fingerprint }),
      })
      const link = await server.makeLink()
      if (invocation.json) {
        const token = await tokens.create('json')
        await invocation.stdout.line(JSON.stringify({ type: 'listening', url: server.url, token, link }))
      } else {
        const { host, roots } = wish
        await announce(invocation, {
          ...{ server, host, roots, link, logPath: log.path },
          fingerprint: tls?.fingerprint,
        })
        if (options.pair) await announcePairing(invocation, { server, host })
      }
      log.write({ level: 'info', event: 'start', url: server.url, version, pid: process.pid, roots: wish.roots.length })
      await untilAborted(signal)
      if (!invocation.json) await invocation.notice(t('serve.stopping'))
    } finally {
      await removeServerNote(home, process.pid)
      await server.close()
      await house.stop()
      await tokens.revoke()
      log.write({ level: 'info', event: 'stop' })
    }
    return EXIT.done
  } finally {
    await opened.close()
    log.close()
  }
}

// What a certificate is to be good for; a port is no part of a name.
function namesOf({ host, hosts }: ServeWish): string[] {
  const names = isEverywhere(host) ? hosts : [host, ...hosts]
  return names.map((name) => (isIP(name) === 0 ? name.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1') : name))
}

// What the operator reads goes into a file; to stderr as well for who asked to see it. Single requests only with --verbose:
// whoever starts a server and does not read must not be able to block it.
function openLog({ home, json, options, stderr }: ServeInvocation): { path: string; write: OnLog; close(): void } {
  const file = openLogFile(home)
  return {
    path: file.path,
    write(entry) {
      const line = logLine(entry, Date.now())
      file.line(line)
      if (options.verbose || (json && entry.event !== 'request')) void stderr.line(line)
    },
    close: file.close,
  }
}

interface Parts {
  wish: ServeWish
  opened: OpenedHistory
  masked: MaskedHistory
  tls: Tls | undefined
  onLog: OnLog
}

async function start(invocation: ServeInvocation, parts: Parts): Promise<RunningServer> {
  const { wish, opened, masked, tls, onLog } = parts
  const { startServer } = await import('@maru/server')
  const { host, roots, origins, hosts, messagesPerMinute } = wish
  const { history, own, name } = opened
  const summarise = await openSummarise(inOwnRoot(invocation, wish, onLog))
  const begin = (port: number) =>
    startServer({
      ...{ host, port, roots, version, onLog },
      history: masked.history,
      access: history.access,
      workshop: createWorkshop({ invocation, history, masked, summarise }),
      owner: { id: own.owner, name },
      ...(tls && { tls: { key: tls.key, cert: tls.cert } }),
      allowedOrigins: origins,
      allowedHosts: hosts,
      isBehindProxy: invocation.options['behind-proxy'],
      ...(messagesPerMinute !== undefined && { limits: { messagesPerMinute } }),
      now: Date.now,
    })
  return listenOn(wish.port, begin, invocation).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') throw error
    const values = { host: printable(host), reason: printable(error.message) }
    throw new CliError('not-listening', invocation.t('serve.not-listening', values), { cause: error })
  })
}

// Where nothing else says which repository is meant.
function inOwnRoot(invocation: ServeInvocation, { roots }: ServeWish, onLog: OnLog): Invocation {
  const onNotice = (line: string) => onLog({ level: 'warn', event: 'notice', message: line })
  return inRoot(invocation, { root: roots[0] ?? invocation.cwd, onNotice })
}

async function secretsOf(invocation: ServeInvocation): Promise<string[]> {
  const { settings } = await invocation.config()
  return Object.values(settings.keys).filter((one) => typeof one === 'string')
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
