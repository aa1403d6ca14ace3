import { readText } from '../text/read-text.ts'
import type { SafeTree } from './safe-tree.ts'

const MAX_BYTES = 1024 * 1024

/** The rules of `.git/info/exclude`, read by ourselves: an engine would follow a `.git` that leads elsewhere. */
export function readExcludes(tree: SafeTree): string {
  const file = tree.read('.git/info/exclude', MAX_BYTES)
  const content = file?.kind === 'file' ? readText(file.bytes) : undefined
  if (content?.kind !== 'text') return ''
  const rules = content.text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return rules.join('\n')
}
