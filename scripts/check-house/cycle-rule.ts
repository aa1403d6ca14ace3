import type { CodeFile, House, Problem } from './house.ts'
import { resolveImport } from './resolve.ts'

/**
 * No file may import itself by way of others. Type imports and `import()` count too: they do no harm at run time, but
 * files that need each other to be understood are one subject in two places.
 */
export function checkCycles(house: House): Problem[] {
  const files = new Map(house.files.map((file) => [file.path, file]))
  const edges = (file: CodeFile) => targetsOf(house, file).flatMap((path) => files.get(path) ?? [])
  const done = new Set<CodeFile>()
  const trail: CodeFile[] = []
  const problems: Problem[] = []
  const visit = (file: CodeFile) => {
    if (done.has(file)) return
    const seenAt = trail.indexOf(file)
    if (seenAt >= 0) {
      problems.push(describeCycle([...trail.slice(seenAt), file]))
      return
    }
    trail.push(file)
    for (const next of edges(file)) visit(next)
    trail.pop()
    done.add(file)
  }
  for (const file of house.files) visit(file)
  return problems
}

function targetsOf(house: House, file: CodeFile): string[] {
  return file.imports.flatMap((item) => {
    const target = resolveImport(house, file, item)
    if (target.kind === 'file') return [target.path]
    if (target.kind === 'package') return [`packages/${target.folder}/src/index.ts`]
    return []
  })
}

function describeCycle(cycle: CodeFile[]): Problem {
  return {
    where: cycle[0]?.path ?? '',
    what: `is part of a cycle: ${cycle.map(({ path }) => path).join(' → ')}`,
    todo: 'move what both sides need into a file of its own',
  }
}
