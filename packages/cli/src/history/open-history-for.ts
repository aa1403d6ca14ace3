import { existsSync, readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import type { LogError } from '@maru/protocol'
import { type History, type OwnHistory, openHistory } from '@maru/store'
import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { printable } from '../terminal/printable.ts'
import { bringSessions } from './bring-sessions.ts'

/** The history while a command works with it. */
export interface OpenedHistory {
  history: History
  /** The part of whoever called. */
  own: OwnHistory
  /** What that one is called there. */
  name: string
  close(): Promise<void>
}

interface Wish {
  /** Masks what is stored. */
  mask?: (text: string) => string
  /** False where the sessions in files have nothing to do with it. */
  hasMirror?: boolean
}

/** Opens the history of whoever called, with the terminal's own sessions in it. `maru run` never comes here. */
export async function openHistoryFor(invocation: Invocation, wish: Wish = {}): Promise<OpenedHistory> {
  const { databaseUrl, home } = placeOf(invocation)
  expectNotMoved(invocation)
  const template = findTemplate()
  const options = { home, now: Date.now, ...(databaseUrl && { databaseUrl }), ...(template && { template }) }
  const rest = stayAwake()
  const history = await openHistory(options).catch((error: unknown) => {
    rest()
    throw describeFailure(error, invocation)
  })
  try {
    const name = await chooseOwner(history)
    const own = await history.open(name, wish.mask ? { mask: wish.mask } : {})
    if (wish.hasMirror ?? true) await bringSessions(invocation, history, own)
    return {
      history,
      own,
      name,
      async close() {
        await own.log.close()
        try {
          // Nobody else does: this process has it alone, and others of us come and go as quickly.
          const isDue = !invocation.signal.aborted && (await history.upkeepDue()) === 'due'
          if (isDue) await history.upkeep()
        } finally {
          rest()
          await history.close()
        }
      },
    }
  } catch (error) {
    rest()
    await history.close()
    throw error
  }
}

// The embedded database works in this thread, and Node's own loop has nothing to wait for meanwhile. Where it has not, Node
// waits until V8 has compiled all that it would like to: a second, in which nothing else happens.
function stayAwake(): () => void {
  const timer = setInterval(() => undefined, 60_000)
  return () => clearInterval(timer)
}

/** Where the history is: in a directory of its own, or on a server. */
export function placeOf({ env, home }: Pick<Invocation, 'env' | 'home'>): { home: string; databaseUrl?: string } {
  const databaseUrl = env['DATABASE_URL']
  return { home, ...(databaseUrl && { databaseUrl }) }
}

/** The address of a database without what only its owner may know. */
export function showUrl(url: string): string {
  // Not by a parser: most refuse the form without a host. What stands before the last @ is who, and with which password.
  const [, scheme, place] = /^(\w+:\/\/)(?:.*@)?([^?#@]*)/s.exec(url) ?? []
  return scheme === undefined ? 'DATABASE_URL' : `${scheme}${place}`
}

/** Left in the directory of an embedded history that went to a server. */
export const MOVED = 'moved.json'

function expectNotMoved(invocation: Invocation): void {
  const { databaseUrl, home } = placeOf(invocation)
  const mark = join(home, 'db', MOVED)
  if (databaseUrl !== undefined || !existsSync(mark)) return
  const { to } = readMark(mark)
  const message = invocation.t('history.moved', { url: printable(to), mark: printable(mark) })
  throw new CliError('history-moved', message, { exit: EXIT.usage })
}

function readMark(path: string): { to: string } {
  try {
    const { to } = JSON.parse(readFileSync(path, 'utf8')) as { to?: unknown }
    return { to: typeof to === 'string' ? to : '?' }
  } catch {
    // Whoever wrote it meant that it was moved.
    return { to: '?' }
  }
}

/**
 * Who calls. An embedded history is its owner's, whatever they are called on this machine; others who have a part in it came
 * later, unless one of them is who calls. On a server it is the user of this machine.
 */
async function chooseOwner(history: History): Promise<string> {
  const { username } = userInfo()
  const accounts = history.kind === 'pglite' ? await history.accounts() : []
  return accounts.includes(username) ? username : (accounts[0] ?? username)
}

// Made by the build; without it a first start only takes longer.
function findTemplate(): string | undefined {
  const here = import.meta.dirname
  return [join(here, 'history.tar.gz'), join(here, '../../dist/history.tar.gz')].find((path) => existsSync(path))
}

/** A failure of the history in the words of this program. */
export function describeFailure(error: unknown, invocation: Invocation): unknown {
  if (!(error instanceof Error) || error.name !== 'LogError') return error
  const { code, details, message } = error as LogError
  const { databaseUrl, home } = placeOf(invocation)
  const { t } = invocation
  const path = printable(join(home, 'db'))
  const told = (text: string) => new CliError(`history-${code}`, text, { cause: error, details: [message] })
  if (code === 'held') {
    const pid = details['pid']
    return told(pid === undefined ? t('history.held', { path }) : t('history.held-by', { path, pid: String(pid) }))
  }
  if (code === 'newer' && typeof details['version'] === 'string') {
    return told(t('history.other-engine', { path, version: details['version'] }))
  }
  if (code === 'newer') return told(t('history.newer'))
  if (databaseUrl === undefined) return told(t('history.unopened', { path, reason: message }))
  // What the driver calls it; that the database does not answer is said already.
  const reason = error.cause instanceof Error ? error.cause.message : message
  return told(t('history.unreachable', { url: printable(showUrl(databaseUrl)), reason: printable(reason) }))
}
