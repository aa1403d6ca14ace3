import { randomBytes } from 'node:crypto'
import { mkdir, open, realpath, rename, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Replaces a private file whole or not at all: whoever reads meanwhile sees the old one or the new one. */
export async function writePrivateFile(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // Behind a link (people keep such files elsewhere) the link stays and its target is replaced.
  const target = await realpath(file).catch(() => file)
  const temporary = join(dirname(target), `.${randomBytes(6).toString('hex')}.tmp`)
  const handle = await open(temporary, 'wx', 0o600)
  try {
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  }
}
