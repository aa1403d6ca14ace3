import type { HiddenPlace } from './hidden-places.ts'
import { isWithin } from './system-program.ts'

/** What stands read-only or unmovable inside a writable root. */
export interface ProtectedPlace {
  readonly path: string
  /** `read-only`, or `fixed`: written into, but not moved away and made anew. */
  readonly kind: 'read-only' | 'fixed'
  /** Which one it is: a mount goes away with the file that it lies on. */
  readonly identity: string
}

/** Everything that decides what a command sees. All paths are real ones. */
export interface Confinement {
  readonly level: 'full' | 'shared-proc'
  /** No user namespaces inside. Older bubblewraps cannot. */
  readonly isSealed: boolean
  readonly roots: readonly string[]
  readonly protectedPlaces: readonly ProtectedPlace[]
  readonly hiddenPlaces: readonly HiddenPlace[]
  /** What the session keeps for its commands, below a directory of its own. */
  readonly session: { readonly temporary: string; readonly emptyFile: string }
  /** Where the private temporary directory is seen. */
  readonly temporaryPlaces: readonly string[]
  /** Where sockets of other programs live: whoever may connect to one acts with its rights, read-only or not. */
  readonly emptied: readonly string[]
  /** `own`: one that nothing comes into; `as-started`: that of the process that starts it. */
  readonly network: 'own' | 'as-started'
  /** Who the command believes to be. */
  readonly user: { readonly uid: number; readonly gid: number }
  /** Who it is outside. */
  readonly isRoot: boolean
  /** More that is shown read-only: source and destination. */
  readonly shown: readonly (readonly [from: string, to: string])[]
}

/** The options of bubblewrap for a confinement; the command follows. Pure: what is there was looked up before. */
export function bwrapArguments(confinement: Confinement): string[] {
  const view = ['--ro-bind', '/', '/', '--dev', '/dev', ...processes(confinement)]
  return [...namespaces(confinement), ...view, ...mountArguments(confinement)]
}

/**
 * The same in two steps, as most of it is the same for each command of a session: first a stage that has all the mounts,
 * which something has to keep alive …
 */
export function stageArguments(confinement: Confinement): string[] {
  const { network } = confinement
  return [
    // With any other number, bubblewrap would make two user namespaces, and we could enter but one.
    ...['--unshare-user', '--uid', '0', '--gid', '0', ...(network === 'own' ? ['--unshare-net'] : [])],
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--ro-bind', '/', '/', '--dev', '/dev'],
    // Only what is seen whole may be made anew inside, and bubblewrap itself writes to it once more.
    ...['--dev-bind', '/proc', '/proc'],
    ...mountArguments(confinement),
  ]
}

/** … and then a command that was started on it, to which nothing of it is its own to change. */
export function onStageArguments(confinement: Confinement): string[] {
  const isShared = confinement.level === 'shared-proc'
  const view = ['--dev-bind', '/', '/', ...(isShared ? ['--ro-bind', '/proc', '/proc'] : processes(confinement))]
  return [...namespaces({ ...confinement, network: 'as-started' }), ...view]
}

function namespaces({ user, isSealed, network }: Confinement): string[] {
  return [
    ...['--unshare-user', '--uid', String(user.uid), '--gid', String(user.gid)],
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try', '--hostname', 'maru'],
    ...(isSealed ? ['--disable-userns'] : []),
    ...(network === 'own' ? ['--unshare-net'] : []),
    ...['--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
  ]
}

function processes({ level, isRoot }: Confinement): string[] {
  if (level !== 'full') return []
  // To root's files there, root needs no capability: one of them names a program that the kernel runs.
  return ['--proc', '/proc', ...(isRoot ? ['--remount-ro', '/proc'] : [])]
}

// A later mount lies over an earlier one: first the wide, then the narrow, and what is hidden last of all, so that nothing
// that a command can move about uncovers it. Only what holds a root itself has to be hidden before it.
function mountArguments(confinement: Confinement): string[] {
  const { roots, protectedPlaces, hiddenPlaces, session, temporaryPlaces, emptied, shown } = confinement
  const isPrivate = (path: string) => [...emptied, ...temporaryPlaces].some((place) => isWithin(place, path))
  const isSeen = ({ path }: HiddenPlace) => !isPrivate(path) || roots.some((root) => isWithin(root, path))
  const holdsRoot = ({ path }: HiddenPlace) => roots.some((root) => isWithin(path, root))
  const hide = ({ path, isDirectory }: HiddenPlace) => {
    return isDirectory ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', session.emptyFile, path]
  }
  // Where a root lies below it, there has to be room for the way to it.
  const hideAround = ({ path }: HiddenPlace) => ['--tmpfs', path]
  return [
    ...emptied.flatMap((place) => ['--tmpfs', place]),
    ...temporaryPlaces.flatMap((place) => ['--bind', session.temporary, place]),
    ...shown.flatMap(([from, to]) => ['--ro-bind-try', from, to]),
    ...hiddenPlaces.filter((place) => isSeen(place) && holdsRoot(place)).flatMap(hideAround),
    ...roots.flatMap((root) => ['--bind', root, root]),
    ...protectedPlaces.flatMap(({ path, kind }) => [kind === 'fixed' ? '--bind-try' : '--ro-bind-try', path, path]),
    ...hiddenPlaces.filter((place) => isSeen(place) && !holdsRoot(place)).flatMap(hide),
  ]
}
