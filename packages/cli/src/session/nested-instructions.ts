import { realpathSync, statSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { bringsInText } from '@maru/guard'
import { type Actor, spillParts } from '@maru/protocol'
import { sha256 } from '@maru/store'
import { findInstructions, maskInstructions } from './instructions.ts'
import type { SessionMasking } from './masking.ts'
import type { WorkedSession } from './worked-session.ts'

/** Where instructions deeper down are told. */
export interface NestedPlace {
  root: string
  session: Pick<WorkedSession, 'id' | 'log' | 'blobs'>
  masking: SessionMasking
  /** Where the context was last condensed: what was told before that is told again. */
  condensedSeq: number
}

// A command may touch any number of paths; instructions are for what the model looks at, a few at a time.
const MOST_FOLDERS = 40

const maru: Actor = { kind: 'system', id: 'maru' }

/**
 * Adds what the folders on the way to these paths say to agents, the outermost first: a message that the next request
 * carries, in the user's place, where no file can pretend to stand. The key makes it one fact, however often a path is
 * touched and whoever goes on; what has changed, or was condensed away, has another key.
 */
export async function tellInstructions(paths: readonly string[], place: NestedPlace): Promise<void> {
  const { root, session, masking, condensedSeq } = place
  for (const folder of foldersTo(paths, root)) {
    const found = findInstructions(folder, root)
    if (!found || 'outside' in found) continue
    const path = relative(root, found.path).split(sep).join('/')
    // The model reads it as a file just now.
    if (paths.some((touched) => resolve(root, touched) === found.path)) continue
    const below = dirname(path)
    const said = `[Instructions of ${path}, for everything below ${below}/. Where they differ from those of folders above, these hold.]\n${found.text}`
    const text = await maskInstructions(said, masking)
    const key = `instructions ${sha256(JSON.stringify([path, text, condensedSeq]))}`
    const parts = await spillParts([{ type: 'text', text }], session.id, session.blobs)
    await session.log.admit(session.id, { type: 'message-add', key, by: maru, role: 'system', parts, origin: path })
  }
}

// Every folder between the root and a path, and the path itself where it is one; not what others wrote and somebody
// installed, for whose word nobody here stands, and not what only a link makes look as if it were here.
function foldersTo(paths: readonly string[], root: string): string[] {
  const folders = new Set<string>()
  for (const path of paths) {
    if (folders.size >= MOST_FOLDERS) break
    const below = relative(root, resolve(root, path)).split(sep)
    if (below[0] === '' || below[0] === '..') continue
    const isFolder = statSync(resolve(root, path), { throwIfNoEntry: false })?.isDirectory() === true
    for (let depth = 1; depth < below.length + (isFolder ? 1 : 0); depth++) {
      const name = below.slice(0, depth).join('/')
      if (!bringsInText([{ kind: 'read', path: name, where: 'inside' }])) folders.add(resolve(root, name))
    }
  }
  if (folders.size === 0) return []
  const real = realpathSync.native(root)
  return [...folders].toSorted().filter((folder) => isPlain(folder, root, real))
}

function isPlain(folder: string, root: string, real: string): boolean {
  try {
    return realpathSync.native(folder) === resolve(real, relative(root, folder))
  } catch {
    // Deleted by the very call: nothing is told from there.
    return false
  }
}
