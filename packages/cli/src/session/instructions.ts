import { join } from 'node:path'
import { readBytes } from '../config/read-bytes.ts'

const LIMIT = 32 * 1024

/** What the repository tells an agent: `AGENTS.md` at its root, else `CLAUDE.md`. */
export function readInstructions(root: string): string | undefined {
  for (const name of ['AGENTS.md', 'CLAUDE.md']) {
    const read = readBytes(join(root, name))
    // A folder of that name, or one we may not read, is no instruction.
    if (read && 'bytes' in read) return new TextDecoder().decode(read.bytes).slice(0, LIMIT)
  }
  return undefined
}
