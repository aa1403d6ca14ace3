import type { PlainKey, Translator } from '@maru/i18n'

const REASONS: { readonly [code: string]: PlainKey } = {
  ENOENT: 'cli.not-there',
  EISDIR: 'cli.is-a-directory',
  ENOTDIR: 'cli.not-a-directory',
  EACCES: 'cli.no-permission',
  EPERM: 'cli.no-permission',
  EROFS: 'cli.read-only',
  ENOSPC: 'cli.no-space',
  EDQUOT: 'cli.no-space',
  EMFILE: 'cli.too-many-files',
  ENFILE: 'cli.too-many-files',
  EIO: 'cli.disk-fault',
}

/** Why the machine refuses a file, in the reader's language; nothing for a reason that has no words here. */
export function findReason(error: unknown, t: Translator): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException
  const key = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined
  return key && t(key)
}

/** The same, or else what the machine calls it. */
export function tellErrno(error: unknown, t: Translator): string {
  const { code, message } = error as NodeJS.ErrnoException
  return findReason(error, t) ?? code ?? message
}
