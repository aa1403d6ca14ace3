import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** The files under a directory whose names fit, in order; links are not followed. */
export async function findFiles(directory: string, fits: RegExp): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && fits.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
}
