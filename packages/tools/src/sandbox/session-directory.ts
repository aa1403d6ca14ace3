import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isWithin } from './system-program.ts'

/** What a session keeps for its commands, in a directory that none of them sees as a whole. */
export interface SessionDirectory {
  readonly path: string
  /** What its commands see as `/tmp`. */
  readonly temporary: string
  readonly emptyFile: string
  /** What a shell reads before its first word. */
  readonly launch: string
  /** Where the sockets of its proxies are. */
  readonly sockets: string
  remove(): void
}

const PREFIX = 'maru-sandbox-'

/** Makes the directory, and removes those of sessions that were killed. */
export function makeSessionDirectory(roots: readonly string[]): SessionDirectory {
  // Where commands may write, they could change what they are held by.
  const place = roots.some((root) => isWithin(root, tmpdir())) ? '/tmp' : tmpdir()
  removeAbandoned(place)
  const path = mkdtempSync(join(place, `${PREFIX}${process.pid}-`))
  const [temporary, emptyFile, sockets, launch] = ['tmp', 'empty', 'sockets', 'launch'].map((name) => {
    return join(path, name)
  }) as [string, string, string, string]
  for (const directory of [temporary, sockets]) mkdirSync(directory)
  chmodSync(temporary, 0o1777)
  writeFileSync(emptyFile, '', { mode: 0o444 })
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 2 })
  process.once('exit', remove)
  return {
    path,
    temporary,
    emptyFile,
    launch,
    sockets,
    remove() {
      process.off('exit', remove)
      remove()
    },
  }
}

function removeAbandoned(place: string): void {
  for (const name of readdirSync(place)) {
    const pid = name.startsWith(PREFIX) ? /^(\d+)-/.exec(name.slice(PREFIX.length))?.[1] : undefined
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue
    try {
      rmSync(join(place, name), { recursive: true, force: true })
    } catch {
      // Another user's.
    }
  }
}

/**
 * Who a command of root's believes to be: programs that find themselves to be root change owners and refuse to work,
 * and inside there is nobody to change to.
 */
export const STAND_IN = { uid: 1000, gid: 1000 }

/** The user database with the stand-in in it. */
export function writeUsers({ path }: SessionDirectory, home: string): (readonly [from: string, to: string])[] {
  const rows = [
    ['passwd', STAND_IN.uid, `maru:x:${STAND_IN.uid}:${STAND_IN.gid}::${home}:/bin/bash`],
    ['group', STAND_IN.gid, `maru:x:${STAND_IN.gid}:`],
  ] as const
  return rows.map(([name, id, own]) => {
    const others = readLines(`/etc/${name}`).filter((line) => line !== '' && line.split(':')[2] !== String(id))
    const file = join(path, name)
    writeFileSync(file, `${[own, ...others].join('\n')}\n`)
    return [file, `/etc/${name}`] as const
  })
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, 'utf8').split('\n')
  } catch {
    // A system without one has nobody in it.
    return []
  }
}
