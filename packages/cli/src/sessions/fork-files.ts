import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { Hash } from '@maru/protocol'
import { uniqueHex } from '@maru/store'
import { addWorktree, type BroughtBack, openPastFiles, type PastFiles } from '@maru/tools'
import { CliError, usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { person } from '../session/door.ts'
import type { OpenSession } from '../session/open-session.ts'
import { printable } from '../terminal/printable.ts'
import { snapshotStore } from '../undo/snapshot-store.ts'

/** The files of a session's directory as they were at a cut. */
export interface PastOfFork {
  readonly root: string
  readonly id: Hash
  /** Files that were there and whose content nobody kept. */
  readonly lost: readonly string[]
  readonly files: PastFiles
}

/** Puts together what is known of the files at a cut, lends it, and lets go of it. */
export async function withPast<T>(
  { home, env, signal }: Invocation,
  { session, root, seq }: { session: OpenSession; root: string; seq: number },
  use: (past: PastOfFork) => Promise<T>,
): Promise<T> {
  const files = await openPastFiles({
    root,
    store: snapshotStore(home, root),
    content: (hash) => session.blobs.get(session.id, hash),
    environment: env,
  })
  try {
    const found = await files.find(session.log.read(session.id), seq, signal)
    if ('problem' in found) throw new CliError(found.problem.code, printable(found.problem.message))
    return await use({ root, ...found, files })
  } finally {
    await files.close()
  }
}

/** Where a fork's own files go: as told, else beside the repository, `NAME-fork-1a2b`. */
export function chooseDirectory({ cwd, t }: Invocation, root: string, given: string | true): string {
  const beside = () => join(dirname(root), `${basename(root)}-fork-${uniqueHex(4)}`)
  const directory = given === true ? beside() : resolve(cwd, given)
  if (existsSync(directory)) throw usageError(t('sessions.exists', { path: printable(directory) }))
  return directory
}

/** Writes the files into a directory of their own: a work tree of the same repository, or a plain one without git. */
export async function unpackBeside(
  { root, id, files, lost }: PastOfFork,
  directory: string,
  signal: AbortSignal,
): Promise<{ isWorktree: boolean; lost: string[] }> {
  const added = await addWorktree(root, directory, signal)
  if (added.kind === 'problem') throw new CliError(added.diagnostic.code, printable(added.diagnostic.message))
  try {
    if (added.kind === 'none') await mkdir(directory)
    const missing = await files.unpack(id, directory)
    if ('problem' in missing) throw new CliError(missing.problem.code, printable(missing.problem.message))
    return { isWorktree: added.kind === 'added', lost: [...new Set([...lost, ...missing])] }
  } catch (error) {
    // Half of it would be taken for the whole.
    await rm(directory, { recursive: true, force: true })
    throw error
  }
}

/** What bringing the files back would change here. */
export async function previewFiles({ files, id }: PastOfFork, signal: AbortSignal): Promise<BroughtBack> {
  return expectDone(await files.bringBack(id, { signal, dryRun: true }))
}

/** Brings the files back where they are, and notes it in the fork's log, so that `maru undo` can take it back. */
export async function bringFilesBack(
  { files, id }: PastOfFork,
  { fork, signal }: { fork: OpenSession; signal: AbortSignal },
): Promise<BroughtBack> {
  const done = expectDone(await files.bringBack(id, { signal, dryRun: false }))
  for (const { before } of done.files) {
    const bytes = before === undefined ? undefined : await files.read(before)
    if (bytes) await fork.blobs.put(fork.id, bytes)
  }
  if (done.files.length > 0) {
    const fact = { type: 'files-restore', key: uniqueHex(32), by: person, files: done.files } as const
    await fork.log.admit(fork.id, fact)
  }
  return done
}

function expectDone(done: BroughtBack | { problem: { code: string; message: string } }): BroughtBack {
  if ('problem' in done) throw new CliError(done.problem.code, printable(done.problem.message))
  return done
}
