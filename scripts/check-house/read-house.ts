import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { programs, testOnly } from './directions.ts'
import type { CodeFile, House, Manifest, Package, Role } from './house.ts'
import { readOutline } from './read-file.ts'

const CODE = /\.(ts|tsx|mjs|cjs)$/
const SKIPPED = new Set(['node_modules', 'dist', 'coverage', 'fixtures'])

/** Reads everything the rules look at. */
export function readHouse(root: string): House {
  const packages = listFolders(join(root, 'packages')).map((folder) => readPackage(root, folder))
  const files = [
    ...packages.flatMap(({ folder }) => [
      ...readFiles(root, `packages/${folder}/src`, testOnly.includes(folder) ? 'test' : 'source'),
      ...readFiles(root, `packages/${folder}/bin`, 'source'),
      ...readFiles(root, `packages/${folder}/test`, 'test'),
    ]),
    ...readFiles(root, 'bench', 'bench'),
    ...readFiles(root, 'proofs', 'bench'),
    ...readFiles(root, 'scripts', 'script'),
    ...readFiles(root, 'test', 'test'),
    ...readdirSync(root)
      .filter((name) => CODE.test(name))
      .map((name) => readFile(root, name, 'script')),
  ]
  return { packages, files, manifest: readManifest(root), lock: readFileSync(join(root, 'package-lock.json'), 'utf8') }
}

function readPackage(root: string, folder: string): Package {
  const place = join(root, 'packages', folder)
  return {
    folder,
    manifest: readManifest(place),
    hasReadme: existsSync(join(place, 'README.md')),
    hasEntry: existsSync(join(place, programs.includes(folder) ? 'src/main.ts' : 'src/index.ts')),
  }
}

function readManifest(folder: string): Manifest {
  const json = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return {
    name: json.name,
    dependencies: Object.keys({ ...json.dependencies, ...json.peerDependencies, ...json.optionalDependencies }),
    devDependencies: Object.keys(json.devDependencies ?? {}),
  }
}

function readFiles(root: string, folder: string, role: Role): CodeFile[] {
  if (!existsSync(join(root, folder))) return []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : readFiles(root, path, role)
    return CODE.test(entry.name) ? [readFile(root, path, role)] : []
  })
}

function readFile(root: string, path: string, role: Role): CodeFile {
  const text = readFileSync(join(root, path), 'utf8')
  const [top, owner] = path.split('/')
  return {
    path,
    owner: top === 'packages' ? owner : undefined,
    role,
    lines: text.replace(/\n$/, '').split('\n').length,
    ...readOutline(path, text),
  }
}

/** A folder without package.json is not a package: an empty one stays behind when a branch is left. */
function listFolders(parent: string): string[] {
  return readdirSync(parent)
    .filter((name) => existsSync(join(parent, name, 'package.json')))
    .sort()
}
