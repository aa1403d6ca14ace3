import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleCommand, groupsIn } from '../../scripts/house/build.mjs'

/** Builds a layer of the product just as the product is built, with its loader; gives the program to start. */
export async function buildLayer(root: string, name: 'engine' | 'guarded', directory: string): Promise<string> {
  const place = join(directory, name)
  const program = join(place, 'bin/maru.cjs')
  await mkdir(join(place, 'bin'), { recursive: true })
  await mkdir(join(place, 'dist'))
  await bundleCommand({
    root,
    entry: join(import.meta.dirname, 'layers', `${name}.ts`),
    groups: groupsIn(root),
    directory: join(place, 'dist'),
    version: 'layer',
  })
  await copyFile(join(root, 'packages/cli/bin/maru.cjs'), program)
  return program
}
