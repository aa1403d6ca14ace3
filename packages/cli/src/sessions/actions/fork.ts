import { existsSync } from 'node:fs'
import { CliError, usageError } from '../../cli-error.ts'
import { EXIT, type ExitCode } from '../../exit-code.ts'
import type { OpenSession } from '../../session/open-session.ts'
import { printable } from '../../terminal/printable.ts'
import { confirm } from '../confirm.ts'
import { shortId } from '../draw-list.ts'
import { findCut } from '../find-cut.ts'
import { findSession } from '../find-session.ts'
import { bringFilesBack, chooseDirectory, previewFiles, unpackBeside, withPast } from '../fork-files.ts'
import { forkSession } from '../fork-session.ts'
import { placeOfSession } from '../found-session.ts'
import type { SessionsInvocation } from '../options.ts'
import { overview } from '../overview.ts'

/** Begins a session with the facts of another up to a cut, and its files as they were then where that is wanted. */
export async function fork(invocation: SessionsInvocation): Promise<ExitCode> {
  const { positionals, options } = invocation
  const session = await findSession(invocation, positionals[1])
  try {
    const seq = await cutOf(invocation, session)
    const root = await rootOf(invocation, session)
    const wish = { seq, cwd: root, title: options.title }
    const place = { session, root, seq }
    if (options.worktree !== undefined) {
      const directory = chooseDirectory(invocation, root, options.worktree)
      const { isWorktree, lost } = await withPast(invocation, place, (past) =>
        unpackBeside(past, directory, invocation.signal),
      )
      const made = await forkSession(session, { ...wish, cwd: directory })
      return await tell(invocation, { session, made, seq, files: { directory, isWorktree, lost } })
    }
    if (!options.files) return await tell(invocation, { session, made: await forkSession(session, wish), seq })
    return await withPast(invocation, place, async (past) => {
      const preview = await previewFiles(past, invocation.signal)
      const isNew = preview.paths.length > 0
      if (isNew && !(await isWanted(invocation, preview.paths))) return EXIT.denied
      const made = await forkSession(session, wish)
      const { files, paths, left } = isNew
        ? await bringFilesBack(past, { fork: made, signal: invocation.signal })
        : preview
      const lost = [...past.lost, ...left.map(({ path }) => path)]
      const canUndo = files.length > 0
      return tell(invocation, { session, made, seq, files: { paths: paths.map(({ path }) => path), lost, canUndo } })
    })
  } finally {
    await session.log.close()
  }
}

async function cutOf({ options, t }: SessionsInvocation, { log, id }: OpenSession): Promise<number> {
  const cut = await findCut(log.read(id), options.at)
  if ('seq' in cut) return cut.seq
  const at = printable(options.at ?? '')
  if (cut.problem === 'beyond') throw usageError(t('sessions.cut-beyond', { at, last: cut.last }))
  if (cut.problem === 'none') throw usageError(t('sessions.cut-none', { at, last: cut.last }))
  throw usageError(t('sessions.cut-many', { at, example: printable(cut.example ?? '') }))
}

async function rootOf({ options, repo, t }: SessionsInvocation, { project, id }: OpenSession): Promise<string> {
  const root = (await project(id, overview)).start?.cwd ?? repo()
  const needsFiles = options.files || options.worktree !== undefined
  if (needsFiles && !existsSync(root)) {
    throw new CliError('no-directory', t('sessions.no-directory', { path: printable(root) }))
  }
  return root
}

async function isWanted(
  invocation: SessionsInvocation,
  paths: readonly { path: string; sign: string }[],
): Promise<boolean> {
  const { stderr, options, t, json } = invocation
  if (!json && !options.quiet) {
    await stderr.line(t('sessions.would-change', { count: paths.length }))
    for (const { path, sign } of paths.slice(0, SHOWN)) await stderr.line(`  ${sign} ${printable(path)}`)
    if (paths.length > SHOWN) await stderr.line(`  … ${paths.length - SHOWN}`)
  }
  return confirm(invocation, { question: t('sessions.change-files'), isAnswered: options.yes })
}

const SHOWN = 40

interface Made {
  session: OpenSession
  made: OpenSession
  seq: number
  files?:
    | { directory: string; isWorktree: boolean; lost: readonly string[] }
    | { paths: readonly string[]; lost: readonly string[]; canUndo: boolean }
}

async function tell(invocation: SessionsInvocation, { session, made, seq, files }: Made): Promise<ExitCode> {
  const { json, stdout, notice, t } = invocation
  if (json) {
    const file = placeOfSession(made)
    await stdout.line(JSON.stringify({ id: made.id, forkOf: { id: session.id, seq }, file, ...files }))
  } else {
    await stdout.line(t('sessions.forked', { id: made.id, parent: printable(shortId(session.id)), seq }))
    if (files && 'directory' in files) {
      const path = printable(files.directory)
      await stdout.line(files.isWorktree ? t('sessions.in-worktree', { path }) : t('sessions.in-copy', { path }))
    }
    if (files && 'paths' in files) await stdout.line(t('sessions.restored', { count: files.paths.length }))
    if (files && 'paths' in files && files.canUndo) await notice(t('sessions.undo-files', { id: shortId(made.id) }))
    await notice(t('sessions.go-on', { id: shortId(made.id) }))
  }
  if (files && files.lost.length > 0) {
    const [first = ''] = files.lost
    await notice(t('sessions.lost-files', { count: files.lost.length, first: printable(first) }))
  }
  return EXIT.done
}
