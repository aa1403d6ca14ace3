import { closeSync, constants, ftruncateSync, lstatSync, openSync, readSync, rmSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { SessionDirectory } from './session-directory.ts'

/** What is said of one command: by bubblewrap in a file without a name, and by the launching shell in one with a name. */
export interface Status {
  readonly file: number
  /** The name, as it is inside. */
  readonly leftInside: string
  /** To be called once, at the end. */
  read(): { exit: number | undefined; leftProcesses: boolean }
}

export interface Statuses {
  take(number: number): Status
  close(): void
}

const ROOM = 4096

/** Files that are used again: to make one takes longer than to empty it. */
export function createStatuses({ path, temporary }: SessionDirectory): Statuses {
  const free: number[] = []
  const make = () => {
    const name = join(path, 'status')
    const file = openSync(name, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND, 0o600)
    unlinkSync(name)
    return file
  }
  return {
    take(number) {
      const file = free.pop() ?? make()
      const left = `.maru-left-${number}`
      return {
        file,
        leftInside: `/tmp/${left}`,
        read() {
          const bytes = Buffer.allocUnsafe(ROOM)
          const text = bytes.toString('latin1', 0, readSync(file, bytes, 0, ROOM, 0))
          ftruncateSync(file, 0)
          free.push(file)
          const exit = /"exit-code": (\d+)/.exec(text)?.[1]
          const leftFile = join(temporary, left)
          const leftProcesses = lstatSync(leftFile, { throwIfNoEntry: false }) !== undefined
          if (leftProcesses) rmSync(leftFile, { recursive: true, force: true })
          return { exit: exit === undefined ? undefined : Number(exit), leftProcesses }
        },
      }
    },
    close() {
      for (const file of free.splice(0)) closeSync(file)
    },
  }
}
