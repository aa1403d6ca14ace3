import { findMasks, type Masker, markOf } from '@maru/guard'
import type { Diagnostic } from '@maru/protocol'

/** The text of a file as it may be shown: its secrets masked, and every value if the file is secret by its name. */
export function showText(text: string, path: string, masker: Masker | undefined): string {
  if (!masker) return text
  const masked = holdsSecrets(path) ? masker.maskSecretFile(text, path) : masker.mask(text)
  return masker.maskKnown(masked)
}

/**
 * The text that a file is to get, with the real values in place of masks. One that stands for nothing that is known, or
 * for something that has no business in this file, is refused: a mask is never written, unless the file had it itself.
 */
export function restoreText(
  text: string,
  { path, before = '', masker }: { path: string; before?: string | undefined; masker: Masker | undefined },
): { text: string } | { problem: Diagnostic } {
  if (!masker) return { text }
  const own = new Set(findMasks(before).map(({ mask }) => mask))
  const isSecret = holdsSecrets(path)
  const { text: restored, unknown } = masker.resolve(
    text,
    (value, origin) => origin !== 'closed' || isSecret || before.includes(value),
  )
  const [mask] = unknown.filter((one) => !own.has(one))
  return mask === undefined ? { text: restored } : { problem: unresolved(mask, path) }
}

// Those of the second kind hold tokens beside settings that anybody may see.
function holdsSecrets(path: string): boolean {
  return (
    markOf(path, 'read') === 'secret' ||
    /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|\.pypirc|pip\.conf|\.terraformrc|kubeconfig)$/i.test(path)
  )
}

function unresolved(mask: string, path: string): Diagnostic {
  return {
    code: 'masked-value',
    message: `${mask} stands for a secret whose value cannot be put into ${path}; nothing was changed.`,
    hint: 'Read the file that holds it and use its masks as they are shown now, each only in that file; or leave those lines alone.',
  }
}
