import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const LIMIT = 32 * 1024

/** What the repository tells an agent: `AGENTS.md` at its root, else `CLAUDE.md`. */
export async function readInstructions(root: string): Promise<string | undefined> {
  for (const name of ['AGENTS.md', 'CLAUDE.md']) {
    const text = await readFile(join(root, name), 'utf8').catch((error: NodeJS.ErrnoException) => {
      // A folder of that name, or one we may not read, is no instruction.
      if (error.code === 'ENOENT' || error.code === 'EISDIR' || error.code === 'EACCES') return undefined
      throw error
    })
    if (text !== undefined) return text.slice(0, LIMIT)
  }
  return undefined
}
