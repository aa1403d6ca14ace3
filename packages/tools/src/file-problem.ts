import type { Diagnostic } from '@maru/protocol'

/** An expected failure on the way to a file; the workspace gives its diagnostic back as a value. */
export class FileProblem extends Error {
  override readonly name = 'FileProblem'
  readonly diagnostic: Diagnostic

  constructor(diagnostic: Diagnostic, options?: ErrorOptions) {
    super(diagnostic.message, options)
    this.diagnostic = diagnostic
  }
}

const KNOWN: Record<string, { code: string; message: string; hint?: string }> = {
  ENOENT: { code: 'not-found', message: 'does not exist', hint: 'Check the spelling, or list the directory first.' },
  EACCES: { code: 'no-permission', message: 'may not be accessed by this user' },
  EPERM: { code: 'no-permission', message: 'may not be accessed by this user' },
  ELOOP: { code: 'symlink', message: 'is a symbolic link', hint: 'Links are not followed; name the real file.' },
  ENOTDIR: { code: 'not-a-directory', message: 'leads through something that is not a directory' },
  EISDIR: { code: 'is-directory', message: 'is a directory', hint: 'Name a file in it.' },
  ENXIO: { code: 'not-a-file', message: 'is a pipe, socket or device', hint: 'Only regular files can be used.' },
  ENAMETOOLONG: { code: 'bad-path', message: 'is longer than the file system allows' },
  ENOSPC: { code: 'disk-full', message: 'could not be written: the disk is full; nothing was changed' },
  EDQUOT: { code: 'disk-full', message: 'could not be written: the disk quota is used up; nothing was changed' },
  EROFS: { code: 'no-permission', message: 'is on a read-only file system' },
}

/** A failure known by the code the system gives it. */
export function problemOf(errno: string, path: string, cause?: unknown): FileProblem {
  const { code, message, hint } = KNOWN[errno] ?? { code: 'file-error', message: `could not be used (${errno})` }
  return new FileProblem({ code, message: `${path} ${message}.`, ...(hint && { hint }) }, { cause })
}

/** Turns what the file system throws into a value; a bug goes on as it is. */
export function diagnose(error: unknown, path: string): Diagnostic {
  if (error instanceof FileProblem) return error.diagnostic
  if (error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error) {
    return problemOf(error.code, path, error).diagnostic
  }
  throw error
}
