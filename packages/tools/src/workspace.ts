import { resolve } from 'node:path'
import type { Diagnostic } from '@maru/protocol'
import { type Changed, changeFiles, type FileEdit } from './change-files.ts'
import { diagnose, FileProblem, problemOf } from './file-problem.ts'
import { followLinks } from './follow-links.ts'
import { type Inside, locate, type Place } from './locate.ts'
import { type FoundFile, lookIn } from './look-in.ts'
import { type Directory, findRoot, type Root, walk } from './walk.ts'

export type { FileEdit } from './change-files.ts'
export type { Inside } from './locate.ts'
export { hardLinked, MAX_FILE_BYTES } from './look-in.ts'

/**
 * The one way to a file: nothing outside the root is read or written through it. Links are followed by `locate` alone, by
 * words, and only where they stay inside; whatever is done then follows none.
 */
export interface Workspace {
  /** Where a path really leads. To `read`, a link may stand for the file itself; never to `write`. */
  locate(path: string, use?: 'read' | 'write'): Promise<Place>
  look(place: Inside): Promise<Look>
  /** Changes files, all or none, and none before `recorded` resolves. */
  change(edits: readonly FileEdit[], recorded?: Promise<unknown>): Promise<Changed | Diagnosed>
  /** Lends a directory for as long as `use` takes, as a path that no swapped link can turn elsewhere. */
  enter<Value>(place: Inside, use: (path: string) => Promise<Value>): Promise<Value | Diagnosed>
}

export type Diagnosed = { kind: 'problem'; diagnostic: Diagnostic }
export type Look = FoundFile | { kind: 'absent'; diagnostic: Diagnostic } | Diagnosed

/** A workspace at `root`, which is opened at its first use. */
export function createWorkspace(root: string): Workspace {
  const given = resolve(root)
  let found: Root | undefined
  const openRoot = () => {
    found ??= findWorkspace(given)
    return found
  }
  return {
    async locate(path, use = 'read') {
      const named = locate([given], path)
      try {
        const root = openRoot()
        const place = named.where === 'outside' ? locate([root.path], path) : named
        if (place.where !== 'inside') return place
        const parts = followLinks(root, place.parts, { keepLast: use === 'write' })
        return { ...place, parts, path: parts.join('/') || '.' }
      } catch (error) {
        const diagnostic = diagnose(error, path)
        return { where: 'nowhere', path, problem: diagnostic.message, diagnostic }
      }
    },
    look: (place) => guarded(place, async () => look(openRoot(), place)),
    change: (edits, recorded) =>
      guarded(edits[0]?.place ?? { path: '.' }, async () => changeFiles(openRoot(), edits, recorded)),
    enter: (place, use) => guarded(place, async () => lend(walk(openRoot(), place.parts), ({ self }) => use(self))),
  }
}

function findWorkspace(path: string): Root {
  try {
    return findRoot(path)
  } catch (cause) {
    const message = `The workspace ${path} cannot be opened: ${diagnose(cause, path).message}`
    throw new FileProblem({ code: 'no-workspace', message }, { cause })
  }
}

// An open directory is closed, whatever becomes of its use.
async function lend<Value>(directory: Directory, use: (directory: Directory) => Promise<Value>): Promise<Value> {
  try {
    return await use(directory)
  } finally {
    directory.close()
  }
}

async function guarded<Value>({ path }: { path: string }, act: () => Promise<Value>): Promise<Value | Diagnosed> {
  try {
    return await act()
  } catch (error) {
    return { kind: 'problem', diagnostic: diagnose(error, path) }
  }
}

function look(root: Root, place: Inside): Promise<Look> | Look {
  const name = fileNameOf(place)
  try {
    const directory = walk(root, place.parts.slice(0, -1))
    try {
      return lookIn(directory, name, place.path)
    } finally {
      directory.close()
    }
  } catch (error) {
    if (diagnose(error, place.path).code !== 'not-found') throw error
    return { kind: 'absent', diagnostic: problemOf('ENOENT', place.path, error).diagnostic }
  }
}

function fileNameOf({ parts, path, isDirectory }: Inside): string {
  const name = parts.at(-1)
  if (name === undefined || isDirectory) throw problemOf('EISDIR', path)
  return name
}
