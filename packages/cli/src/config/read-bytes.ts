import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** No config is longer; what is, is something else under its name. */
export const MAX_CONFIG_BYTES = 256 * 1024

/** The user's own file. */
export function userFile(home: string): string {
  return join(home, 'config.json')
}

/** The bytes of a file, one more than allowed when it is too long; nothing where there is no file. */
export function readBytes(file: string): { bytes: Uint8Array; mode: number } | { reason: string } | undefined {
  try {
    // A pipe or device under this name must not make us wait for ever.
    const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stat = fstatSync(handle)
      if (!stat.isFile()) return { reason: 'EISDIR' }
      const buffer = Buffer.alloc(Math.min(stat.size, MAX_CONFIG_BYTES) + 1)
      const bytesRead = readSync(handle, buffer, 0, buffer.length, 0)
      return { bytes: buffer.subarray(0, bytesRead), mode: stat.mode }
    } finally {
      closeSync(handle)
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : { reason: code ?? message }
  }
}
