import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'

/** No config is longer; what is, is something else under its name. */
export const MAX_CONFIG_BYTES = 256 * 1024

/** The user's own file. */
export function userFile(home: string): string {
  return join(home, 'config.json')
}

/** The bytes of a file, one more than allowed when it is too long; nothing where there is no file. */
export async function readBytes(
  file: string,
): Promise<{ bytes: Uint8Array; mode: number } | { reason: string } | undefined> {
  try {
    // A pipe or device under this name must not make us wait for ever.
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stat = await handle.stat()
      if (!stat.isFile()) return { reason: 'EISDIR' }
      const length = Math.min(stat.size, MAX_CONFIG_BYTES) + 1
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, 0)
      return { bytes: buffer.subarray(0, bytesRead), mode: stat.mode }
    } finally {
      await handle.close()
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : { reason: code ?? message }
  }
}
