import {
  browserSafe,
  importedByNobody,
  mayImport,
  onlyLazily,
  otherEnds,
  testOnly,
  testsMayAlsoImport,
} from './directions.ts'
import type { CodeFile, House, Import, Problem } from './house.ts'
import { resolveImport } from './resolve.ts'

const TABLE = 'scripts/check-house/directions.ts'

/** The rules about single imports: direction, laziness, deep paths, declared dependencies, `node:` where it may not be. */
export function checkImports(house: House): Problem[] {
  return house.files.flatMap((file) => file.imports.flatMap((item) => checkImport(house, file, item)))
}

function checkImport(house: House, file: CodeFile, item: Import): Problem[] {
  const where = `${file.path}:${item.line}`
  const target = resolveImport(house, file, item)
  switch (target.kind) {
    case 'builtin':
      return checkBuiltin(file, item)
    case 'dependency':
      return checkDeclared(house, file, { name: target.name, where })
    case 'file':
      if (target.owner === undefined || target.owner === file.owner) return []
      return [deepImport(where, item.specifier, nameOf(house, target.owner))]
    case 'package': {
      if (target.deep) return [deepImport(where, item.specifier, target.name)]
      const problem = checkDirection(file, target.folder, item)
      return problem === undefined ? checkDeclared(house, file, { name: target.name, where }) : [problem]
    }
    default:
      return target satisfies never
  }
}

function deepImport(where: string, specifier: string, name: string): Problem {
  return {
    where,
    what: `imports "${specifier}", a path into another package`,
    todo: `import from "${name}", and export from its src/index.ts what is needed`,
  }
}

function checkBuiltin(file: CodeFile, { specifier, line }: Import): Problem[] {
  if (file.role !== 'source' || file.owner === undefined || !browserSafe.includes(file.owner)) return []
  return [
    {
      where: `${file.path}:${line}`,
      what: `imports "${specifier}", but ${file.owner} has to run in a browser`,
      todo: 'take what it gives as a parameter, and let cli or server pass it in',
    },
  ]
}

function checkDirection(file: CodeFile, folder: string, { specifier, kind, line }: Import): Problem | undefined {
  const where = `${file.path}:${line}`
  if (folder === file.owner) return undefined
  if (testOnly.includes(folder) && file.role !== 'test' && file.role !== 'bench') {
    return {
      where,
      what: `imports "${specifier}" outside tests and bench`,
      todo: 'move what is needed into the package that owns it',
    }
  }
  const allowed = allowedFor(file)
  if (importedByNobody.includes(folder) || (allowed !== undefined && !allowed.includes(folder))) {
    const who = file.owner ?? `a ${file.role} of the root`
    return {
      where,
      what: `imports "${specifier}", but ${who} may import ${list(allowed)}`,
      todo: `move the code to where both may import it, or change the table in ${TABLE} and say why`,
    }
  }
  if (kind === 'static' && file.role === 'source' && onlyLazily.includes(folder)) {
    return {
      where,
      what: `imports "${specifier}" at once, which every start would pay for`,
      todo: `use await import("${specifier}") where it is needed, and import type for its types`,
    }
  }
  return undefined
}

function list(allowed: readonly string[] = Object.keys(mayImport)): string {
  const open = allowed.filter((folder) => !importedByNobody.includes(folder))
  return open.length === 0 ? 'no package' : `only ${open.join(', ')}`
}

/** The packages a file may import; undefined means all but those that nobody imports. */
function allowedFor({ owner, role }: CodeFile): readonly string[] | undefined {
  if (role === 'script') return []
  if (owner === undefined) return undefined
  const own = mayImport[owner] ?? []
  return role === 'test' ? [...own, ...testsMayAlsoImport, ...(otherEnds[owner] ?? [])] : own
}

function checkDeclared(house: House, file: CodeFile, { name, where }: { name: string; where: string }): Problem[] {
  const own = house.packages.find(({ folder }) => folder === file.owner)?.manifest
  const isOurs = house.packages.some(({ manifest }) => manifest.name === name)
  // The root is everyone's neighbour: bench and its tests find our packages without a word in package.json.
  if (own?.name === name || (own === undefined && isOurs)) return []
  const declared = [...(own?.dependencies ?? [])]
  // The tools of tests (vitest, fast-check) are declared once, at the root.
  if (file.role !== 'source') declared.push(...(own?.devDependencies ?? []), ...house.manifest.devDependencies)
  if (declared.includes(name)) return []
  const manifest = own === undefined ? 'package.json' : `packages/${file.owner}/package.json`
  const place = own === undefined ? '--save-dev' : `--workspace packages/${file.owner}`
  return [
    {
      where,
      what: `imports "${name}", which ${manifest} does not declare`,
      // npm would look for one of ours in the registry, and might find a stranger's package by that name.
      todo: isOurs ? `add "${name}": "*" to its dependencies, then npm install` : `npm install ${name} ${place}`,
    },
  ]
}

function nameOf({ packages }: House, folder: string): string {
  return packages.find((candidate) => candidate.folder === folder)?.manifest.name ?? folder
}
