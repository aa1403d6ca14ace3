import { mayImport, programs } from './directions.ts'
import type { CodeFile, House, Package, Problem } from './house.ts'

const SOURCE_LINES = 500
const TEST_LINES = 800

/** The rules about files and packages as such: size, exports, what a package has to have, the lock file. */
export function checkShapes(house: House): Problem[] {
  return [...house.files.flatMap(checkFile), ...house.packages.flatMap(checkPackage), ...checkLock(house.lock)]
}

function checkFile({ path, role, lines, defaultExports, starExports, broken }: CodeFile): Problem[] {
  const problems: Problem[] = []
  const limit = role === 'test' ? TEST_LINES : SOURCE_LINES
  if (broken !== undefined) problems.push({ where: path, what: `cannot be parsed: ${broken}`, todo: 'mend its syntax' })
  if (lines > limit) {
    const what = `has ${lines} lines; the limit is ${limit}`
    problems.push({ where: path, what, todo: 'split it by subject' })
  }
  for (const line of path.endsWith('.config.ts') ? [] : defaultExports) {
    problems.push({ where: `${path}:${line}`, what: 'has a default export', todo: 'export it by its name' })
  }
  for (const line of starExports) {
    problems.push({ where: `${path}:${line}`, what: 'has an export *', todo: 'list what it exports by name' })
  }
  return problems
}

function checkPackage({ folder, hasReadme, hasEntry }: Package): Problem[] {
  const where = `packages/${folder}`
  const problems: Problem[] = []
  if (!hasReadme) {
    const todo = 'write one: what it is for, its few exports, one example'
    problems.push({ where, what: 'has no README.md', todo })
  }
  if (!hasEntry) {
    const entry = programs.includes(folder) ? 'src/main.ts' : 'src/index.ts'
    problems.push({ where, what: `has no ${entry}`, todo: 'add it: other packages see only what it lists' })
  }
  if (mayImport[folder] === undefined) {
    const todo = 'add what it may import, and to whom it is open'
    problems.push({ where, what: 'has no row in scripts/check-house/directions.ts', todo })
  }
  return problems
}

function checkLock(lock: string): Problem[] {
  const { packages = {} }: { packages?: Record<string, Locked> } = JSON.parse(lock)
  const where = 'package-lock.json'
  const problems: Problem[] = []
  // Addresses tie an install to the registry that one person happened to use.
  const addresses = Object.values(packages).filter(({ resolved }) => /^[a-z+]+:/.test(resolved ?? ''))
  if (addresses.length > 0) {
    const todo =
      'delete its "resolved" lines that are addresses; .npmrc (omit-lockfile-registry-resolved) keeps them out'
    problems.push({ where, what: `holds ${addresses.length} download addresses`, todo })
  }
  // Where a registry is slow to have a release for every platform, npm writes a lock file that npm ci then refuses.
  const present = new Set(Object.keys(packages).map((path) => path.split('node_modules/').at(-1)))
  for (const [path, { optionalDependencies = {} }] of Object.entries(packages)) {
    const missing = Object.keys(optionalDependencies).filter((name) => !present.has(name))
    if (missing.length === 0) continue
    const what = `lacks ${missing.join(', ')} for other platforms, so npm ci refuses it`
    problems.push({ where, what, todo: `pin a release of ${path} that the registry has whole, then npm install` })
  }
  return problems
}

type Locked = { resolved?: string; optionalDependencies?: Record<string, string> }
