/** Where a command runs, as far as its judgement has to know. */
export interface CommandPlace {
  readonly cwd: string
  readonly root: string
  readonly extraRoots?: readonly string[]
  readonly home?: string
  /** What the line is written for; bash if nothing is said. */
  readonly shell?: string
  /** Where a link leads, or nothing if the path is no link. Without it paths are judged by their words alone. */
  readLink?(path: string): string | undefined
}

/** What kind of place a path leads to. */
export type Spot =
  | 'inside'
  | 'extra-root'
  | 'temporary'
  // Nothing to lose and nothing to learn: /dev/null and kin.
  | 'void'
  | 'network'
  | 'device'
  // The system's own files, the same on every machine.
  | 'public'
  | 'outside'

const VOID = /^\/dev\/(?:null|zero|full|u?random|std(?:in|out|err)|fd(?:\/\d+)?)$/
const TEMPORARY = ['/tmp', '/var/tmp', '/private/tmp', '/dev/shm']
const PUBLIC = /^\/(?:usr|bin|sbin|lib(?:32|64|x32)?|opt|nix\/store)(?:\/|$)/
const PUBLIC_FILES =
  /^\/(?:etc\/(?:os-release|lsb-release|debian_version|alpine-release|redhat-release|timezone|shells|services|protocols|mime\.types)|proc\/(?:cpuinfo|meminfo|version|uptime|loadavg|filesystems|self\/cgroup))$/
const MAX_LINKS = 40

/** What a path leads to. It is absolute and has no `.` or `..` in it. */
export function spotOf(path: string, { root, extraRoots = [] }: CommandPlace): Spot {
  if (isWithin(path, root)) return 'inside'
  if (extraRoots.some((extra) => isWithin(path, extra))) return 'extra-root'
  if (VOID.test(path)) return 'void'
  if (path.startsWith('/dev/tcp/') || path.startsWith('/dev/udp/')) return 'network'
  if (TEMPORARY.some((folder) => isWithin(path, folder))) return 'temporary'
  if (isWithin(path, '/dev') || isWithin(path, '/proc/sys') || path === '/proc/sysrq-trigger') return 'device'
  if (PUBLIC.test(path) || PUBLIC_FILES.test(path)) return 'public'
  return 'outside'
}

/** The path that the kernel would open, as far as its links are known: relative to a directory, dots resolved. */
export function resolvePath(base: string, path: string, { readLink }: CommandPlace): string {
  // The usual case, without links or dots to follow.
  if (!readLink && !/(?:^|\/)\.{0,2}(?:\/|$)/.test(path)) return `${base === '/' ? '' : base}/${path}`
  const todo = (path.startsWith('/') ? path : `${base}/${path}`).split('/').reverse()
  const done: string[] = []
  let links = 0
  while (todo.length > 0) {
    const part = todo.pop()
    if (part === undefined || part === '' || part === '.') continue
    if (part === '..') {
      done.pop()
      continue
    }
    const target = readLink?.(`/${[...done, part].join('/')}`)
    if (target === undefined) done.push(part)
    else if (++links > MAX_LINKS) return '/'
    else {
      if (target.startsWith('/')) done.length = 0
      todo.push(...target.split('/').reverse())
    }
  }
  return `/${done.join('/')}`
}

/** Whether a path is a folder or below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && (folder.endsWith('/') || path[folder.length] === '/'))
}

/** Whether somebody's whole home is meant. */
export function isHome(path: string, { home }: CommandPlace): boolean {
  return path === home || path === '/root' || /^\/(?:home|Users)\/[^/]+$/.test(path)
}

/** Whether losing this path is losing the machine, a home, or the whole work. */
export function isVital(path: string, place: CommandPlace): boolean {
  if (isHome(path, place) || isWithin(place.root, path)) return true
  if (place.extraRoots?.some((extra) => isWithin(extra, path))) return true
  return path === '/' || /^\/[^/]+$/.test(path) || /^\/(?:usr|var|etc|lib|boot)\/[^/]+$/.test(path)
}

/** The path as people write it: relative where it is inside. */
export function shortPath(path: string, { root }: CommandPlace): string {
  if (path === root) return '.'
  return isWithin(path, root) ? path.slice(root.endsWith('/') ? root.length : root.length + 1) : path
}
