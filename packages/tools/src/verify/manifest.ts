import { readdir } from 'node:fs/promises'
import type { Workspace } from '../workspace.ts'

/** What a directory says about how it is checked, read once. */
export interface Manifest {
  /** Below the root; `.` is the root itself. */
  readonly path: string
  readonly names: ReadonlySet<string>
  /** Names in some directories below: `node_modules/.bin`, `tests` … */
  readonly below: ReadonlyMap<string, ReadonlySet<string>>
  readonly texts: ReadonlyMap<string, string>
}

const TEXTS = [
  ...['package.json', 'pyproject.toml', 'setup.cfg', 'tox.ini', 'Cargo.toml', 'Makefile', 'makefile', 'GNUmakefile'],
  ...['requirements.txt', 'requirements-dev.txt', 'dev-requirements.txt', 'pom.xml', 'deno.json', 'deno.jsonc'],
]
const BELOW = ['node_modules/.bin', '.venv/bin', 'venv/bin', 'tests', 'test', 'src/test', '__tests__']

/** The manifests of a directory and of those above it, up to the root; the nearest first. */
export async function readManifests(workspace: Workspace, path: string): Promise<Manifest[]> {
  const parts = path === '.' ? [] : path.split('/')
  const manifests: Manifest[] = []
  for (let depth = parts.length; depth >= 0; depth--) {
    const manifest = await readManifest(workspace, parts.slice(0, depth).join('/') || '.')
    if (manifest !== undefined) manifests.push(manifest)
  }
  return manifests
}

/** What one directory says; nothing if it is none. */
export async function readManifest(workspace: Workspace, path: string): Promise<Manifest | undefined> {
  const names = await list(workspace, path)
  if (names === undefined) return undefined
  const below = new Map<string, ReadonlySet<string>>()
  for (const name of BELOW) {
    const inner = names.has(name.split('/')[0] ?? '') ? await list(workspace, join(path, name)) : undefined
    if (inner !== undefined) below.set(name, inner)
  }
  const texts = new Map<string, string>()
  for (const name of TEXTS) {
    const text = names.has(name) ? await read(workspace, join(path, name)) : undefined
    if (text !== undefined) texts.set(name, text)
  }
  return { path, names, below, texts }
}

async function list(workspace: Workspace, path: string): Promise<Set<string> | undefined> {
  const place = await workspace.locate(path)
  if (place.where !== 'inside') return undefined
  const names = await workspace.enter(place, (directory) => readdir(directory))
  return 'kind' in names ? undefined : new Set(names)
}

async function read(workspace: Workspace, path: string): Promise<string | undefined> {
  const place = await workspace.locate(path)
  const look = place.where === 'inside' ? await workspace.look(place) : undefined
  return look?.kind === 'file' ? new TextDecoder().decode(look.bytes) : undefined
}

function join(path: string, name: string): string {
  return path === '.' ? name : `${path}/${name}`
}
