import { lstatSync, readlinkSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { FileProblem, problemOf } from './file-problem.ts'
import type { Root } from './walk.ts'

const MAX_LINKS = 40

/**
 * Where `parts` really lead: the same place without links. A link may lead anywhere below the root; one that leaves it,
 * even to come back, is refused. What is not there stays as it was named. The answer is only names: whoever goes there
 * walks from the root again and follows no link, so a link that is swapped meanwhile leads nowhere.
 */
export function followLinks(
  root: Root,
  parts: readonly string[],
  { keepLast = false }: { keepLast?: boolean } = {},
): string[] {
  const shown = parts.join('/')
  const ahead = [...parts]
  const real: string[] = []
  let links = 0
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      if (real.pop() === undefined) throw leaves(shown)
      continue
    }
    real.push(name)
    if (keepLast && ahead.length === 0) break
    const path = join(root.path, ...real)
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats) return [...real, ...expectPlain(ahead, shown)]
    if (!stats.isSymbolicLink()) continue
    if (++links > MAX_LINKS) throw problemOf('ELOOP', shown)
    const target = readlinkSync(path)
    real.pop()
    if (isAbsolute(target)) {
      real.length = 0
      ahead.unshift(...below(root, target, shown))
    } else ahead.unshift(...target.split('/'))
  }
  return real
}

function below(root: Root, target: string, shown: string): string[] {
  if (target === root.path) return []
  if (!target.startsWith(`${root.path}/`)) throw leaves(shown)
  return target.slice(root.path.length + 1).split('/')
}

// Behind something that is not there, `..` could mean anything.
function expectPlain(names: string[], shown: string): string[] {
  if (names.includes('..')) throw problemOf('ENOENT', shown)
  return names.filter((name) => name !== '' && name !== '.')
}

function leaves(shown: string): FileProblem {
  const hint = 'Only files of the workspace can be used.'
  return new FileProblem({ code: 'symlink', message: `${shown} leads out of the workspace by a link.`, hint })
}
