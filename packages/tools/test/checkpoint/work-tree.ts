import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'

/** Everything in a work tree but `.git`: type, mode and content of each path. */
export function fingerprint(root: string): Record<string, string> {
  const all: Record<string, string> = {}
  for (const path of pathsIn(root)) all[path] = describe(join(root, path))
  return all
}

function describe(path: string): string {
  const stats = lstatSync(path)
  const mode = (stats.mode & 0o7777).toString(8)
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path)}`
  if (stats.isDirectory()) return `directory ${mode}`
  if (!stats.isFile()) return 'special'
  return `file ${mode} ${createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 16)} ${stats.size}`
}

/** All paths, parents first, without what is inside a `.git` directory. */
export function pathsIn(root: string, prefix = ''): string[] {
  return readdirSync(join(root, prefix), { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${prefix}${entry.name}`
      if (entry.name === '.git' && entry.isDirectory()) return []
      return entry.isDirectory() ? [path, ...pathsIn(root, `${path}/`)] : [path]
    })
}

/** One thing that a run, or a person, does to a work tree. The numbers choose among what is there. */
export type Deed = { what: (typeof DEEDS)[number]; at: number; to: number; bytes: Uint8Array }

const DEEDS = [
  ...(['create', 'change', 'change', 'delete', 'delete', 'rename', 'rename', 'chmod', 'link', 'folder'] as const),
  ...(['file-to-folder', 'folder-to-file', 'file-to-link', 'touch'] as const),
]

export const deed = fc.record<Deed>({
  what: fc.constantFrom(...DEEDS),
  at: fc.nat({ max: 1000 }),
  to: fc.nat({ max: 1000 }),
  bytes: fc.uint8Array({ maxLength: 60 }),
})

const NAMES = ['a', 'b.txt', 'C', '한글', 'with space', "it's", ':(top)x', '*', 'x.ts', 'new/deep/er']
const MODES = [0o644, 0o755, 0o600, 0o444, 0o700]

/** Does it, if it can be done. Ignored files and `.git` are left alone. */
export function doDeed(root: string, { what, at, to, bytes }: Deed): void {
  const paths = pathsIn(root).filter((path) => !isOffLimits(path))
  const path = paths[at % Math.max(paths.length, 1)]
  const folders = ['', ...paths.filter((one) => lstatSync(join(root, one)).isDirectory())]
  const fresh = join(folders[to % folders.length] ?? '', NAMES[at % NAMES.length] ?? 'a')
  const full = join(root, path ?? '')
  const kind = path === undefined ? undefined : lstatSync(full)
  const isFree = !existsSync(join(root, fresh)) && !paths.includes(fresh)
  const put = (target: string, make: (full: string) => void) => {
    if (!canHold(root, target)) return
    mkdirSync(dirname(join(root, target)), { recursive: true })
    make(join(root, target))
  }
  const canRename = path !== undefined && isFree && !`${fresh}/`.startsWith(`${path}/`)
  if (what === 'create' && isFree) put(fresh, (target) => writeFileSync(target, bytes))
  else if (what === 'folder' && isFree) put(fresh, (target) => mkdirSync(target))
  else if (what === 'link' && isFree) put(fresh, (target) => symlinkSync(`../${'x'.repeat(at % 5)}`, target))
  else if (what === 'rename' && canRename) put(fresh, (target) => renameSync(full, target))
  else if (kind !== undefined) change(what, { full, kind, bytes, to })
}

interface Target {
  full: string
  kind: ReturnType<typeof lstatSync>
  bytes: Uint8Array
  to: number
}

function change(what: Deed['what'], { full, kind, bytes, to }: Target): void {
  const isFile = kind?.isFile() === true
  if (what === 'delete') rmSync(full, { recursive: true, force: true })
  else if (what === 'change' && isFile) writeFileSync(full, bytes)
  else if (what === 'touch' && isFile) writeFileSync(full, readFileSync(full))
  else if (what === 'chmod' && kind?.isSymbolicLink() !== true)
    chmodSync(full, (MODES[to % MODES.length] ?? 0) | (isFile ? 0 : 0o700))
  else if (what === 'file-to-folder' && isFile) {
    rmSync(full)
    mkdirSync(full)
    writeFileSync(join(full, 'inner'), bytes)
  } else if (what === 'folder-to-file' && kind?.isDirectory() === true) {
    rmSync(full, { recursive: true })
    writeFileSync(full, bytes)
  } else if (what === 'file-to-link' && isFile) {
    rmSync(full)
    symlinkSync('somewhere', full)
  }
}

// A path leads through directories only.
function canHold(root: string, path: string): boolean {
  const parts = path.split('/')
  return parts.slice(0, -1).every((_, depth) => {
    const above = join(root, ...parts.slice(0, depth + 1))
    return !existsSync(above) || lstatSync(above).isDirectory()
  })
}

function isOffLimits(path: string): boolean {
  return /(^|\/)(node_modules|\.git|\.gitignore)(\/|$)|\.log$/.test(path)
}
