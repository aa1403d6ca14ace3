import { createReadStream, createWriteStream } from 'node:fs'
import { join, resolve } from 'node:path'
import type { LogError } from '@maru/protocol'
import { dumpHistory, inspectHistory, restoreHistory } from '@maru/store'
import { CliError, usageError } from '../cli-error.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { describePlace, examineHistory } from '../history/examine-history.ts'
import { linesOf } from '../history/lines-of.ts'
import { moveHistory } from '../history/move-history.ts'
import { type OpenedHistory, openHistoryFor } from '../history/open-history-for.ts'
import { createProgress } from '../history/progress.ts'
import { sizeOf } from '../history/size-of.ts'
import { findServer, PATIENT_MS } from '../remote/find-server.ts'
import { printable } from '../terminal/printable.ts'
import { tellErrno } from '../terminal/tell-errno.ts'
import { printChecks } from './doctor.ts'

const ACTIONS = ['status', 'migrate', 'dump', 'restore', 'move', 'doctor'] as const
const options = { repair: { kind: 'flag', summary: 'option.repair' } } as const

/** `maru db`: what the history's database holds, and everything that keeps it well. */
export const db = defineCommand({
  usage: ['db status', 'db migrate', 'db dump FILE|-', 'db restore FILE|-', 'db move', 'db doctor [--repair]'],
  details: 'db.details',
  options,
  positionals: [
    { name: ACTIONS.join('|'), choices: ACTIONS },
    { name: 'FILE', optional: true },
  ],
  async run(invocation): Promise<ExitCode> {
    const [action, file] = invocation.positionals
    const { t } = invocation
    const help = 'maru db -h'
    const wantsFile = action === 'dump' || action === 'restore'
    if (wantsFile && file === undefined) throw usageError(t('cli.missing', { argument: 'FILE', help }))
    if (!wantsFile && file !== undefined) throw usageError(t('cli.too-many', { argument: printable(file), help }))
    const server = await findServer(invocation, PATIENT_MS)
    if (server) {
      const { askServer } = await import('../remote/db-status.ts')
      const code = await askServer(invocation, { server, action: action ?? '' })
      if (code !== undefined) return code
    }
    switch (action as (typeof ACTIONS)[number]) {
      case 'status':
        return withHistory(invocation, (opened) => status(invocation, opened))
      case 'migrate':
        return withHistory(invocation, (opened) => migrate(invocation, opened), { hasMirror: false })
      case 'dump':
        return withHistory(invocation, (opened) => dump(invocation, opened, file ?? ''))
      case 'restore':
        return withHistory(invocation, (opened) => restore(invocation, opened, file ?? ''), { hasMirror: false })
      case 'move':
        return move(invocation)
      case 'doctor':
        return examine(invocation)
    }
  },
})

async function withHistory(
  invocation: Invocation,
  work: (opened: OpenedHistory) => Promise<ExitCode>,
  wish: Parameters<typeof openHistoryFor>[1] = {},
): Promise<ExitCode> {
  const opened = await openHistoryFor(invocation, wish)
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

async function status(invocation: Invocation, { history }: OpenedHistory): Promise<ExitCode> {
  const { json, stdout, t } = invocation
  const { engine, bytes, blobBytes, ...found } = await inspectHistory(history)
  const place = describePlace(invocation)
  const size = sizeOf(bytes)
  if (json) await stdout.line(JSON.stringify({ engine, place, bytes, blobBytes, ...found }))
  else await stdout.line(t('db.status', { ...found, place, size, blobSize: sizeOf(blobBytes) }))
  return EXIT.done
}

async function migrate({ json, stdout, t }: Invocation, { history }: OpenedHistory): Promise<ExitCode> {
  const from = history.foundVersion
  const { version: to } = await history.schema()
  if (json) await stdout.line(JSON.stringify({ from, to }))
  else await stdout.line(from === to ? t('db.current', { version: to }) : t('db.migrated', { from, to }))
  return EXIT.done
}

async function dump(invocation: Invocation, { history }: OpenedHistory, file: string): Promise<ExitCode> {
  const { cwd, json, notice, signal, stdout, t } = invocation
  const out = file === '-' ? undefined : openNew(resolve(cwd, file), invocation)
  const progress = createProgress(invocation)
  let n = 0
  try {
    for await (const line of dumpHistory(history.engine, Date.now())) {
      if (signal.aborted) return EXIT.interrupted
      if (out) await out.write(`${line}\n`)
      else await stdout.line(line)
      progress.show(t('db.dumping', { n: ++n }))
    }
  } finally {
    progress.end()
    await out?.close()
  }
  if (!out) return EXIT.done
  if (json) await stdout.line(JSON.stringify({ file: resolve(cwd, file), lines: n }))
  else await notice(t('db.dumped', { n, file: printable(file) }))
  return EXIT.done
}

interface NewFile {
  write(text: string): Promise<void>
  close(): Promise<void>
}

function openNew(path: string, { t }: Invocation): NewFile {
  const stream = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  let failure: NodeJS.ErrnoException | undefined
  const settle = new Set<() => void>()
  stream.on('error', (error) => {
    failure = error
    for (const wake of settle) wake()
  })
  const check = () => {
    if (!failure) return
    const values = { file: printable(path), reason: failure.message }
    if (failure.code === 'EEXIST') throw usageError(t('db.file-exists', values))
    throw new CliError('unwritable', t('db.not-written', values), { cause: failure })
  }
  const until = (begin: (done: () => void) => void) =>
    new Promise<void>((done) => {
      settle.add(done)
      begin(done)
      if (failure) done()
    })
  return {
    async write(text) {
      check()
      if (!stream.write(text)) await until((done) => stream.once('drain', done))
      check()
    },
    async close() {
      if (!failure) await until((done) => stream.end(done))
      check()
    },
  }
}

async function restore(invocation: Invocation, { history }: OpenedHistory, file: string): Promise<ExitCode> {
  const { cwd, json, stdin, stdout, t } = invocation
  const progress = createProgress(invocation)
  const chunks = file === '-' ? stdin : createReadStream(resolve(cwd, file))
  try {
    const done = await restoreHistory(history, linesOf(chunks), ({ sessions, facts }) =>
      progress.show(t('db.restoring', { sessions, facts })),
    )
    await history.upkeep()
    progress.end()
    await stdout.line(json ? JSON.stringify(done) : t('db.restored', { ...done }))
    return EXIT.done
  } catch (error) {
    throw describeRestore(error, file, invocation)
  } finally {
    progress.end()
  }
}

function describeRestore(error: unknown, file: string, { t }: Invocation): unknown {
  if (!(error instanceof Error)) return error
  const values = { file: printable(file), reason: printable(error.message) }
  if ('syscall' in error) {
    const message = t('db.no-file', { ...values, reason: printable(tellErrno(error, t)) })
    return new CliError('unreadable', message, { exit: EXIT.usage, cause: error })
  }
  const isDamaged = error.name === 'LogError' && (error as LogError).code === 'damaged'
  return isDamaged ? new CliError('dump-damaged', t('db.damaged', values), { cause: error }) : error
}

async function move(invocation: Invocation): Promise<ExitCode> {
  const { home, json, stdout, t } = invocation
  const { to, ...moved } = await moveHistory(invocation)
  const path = printable(join(home, 'db'))
  const text = t('db.moved', { sessions: moved.sessions + moved.kept, url: printable(to), path })
  await stdout.line(json ? JSON.stringify({ to, ...moved }) : text)
  return EXIT.done
}

async function examine(invocation: Invocation<typeof options>): Promise<ExitCode> {
  const checks = await examineHistory(invocation, { isRepairing: invocation.options.repair })
  const ok = checks.every(({ status: state }) => state !== 'problem')
  if (invocation.json) await invocation.stdout.line(JSON.stringify({ ok, checks }))
  else await printChecks(checks, invocation)
  return ok ? EXIT.done : EXIT.failed
}
