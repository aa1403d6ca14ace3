import { join } from 'node:path'
import { build } from 'esbuild'
import { browserSafe } from './directions.ts'
import type { House, Problem } from './house.ts'

/** Bundles the packages that have to run in a browser: what they depend on may reach for Node as well. */
export async function checkBrowserBundles(root: string, { packages }: House): Promise<Problem[]> {
  const present = packages.filter(({ folder, hasEntry }) => hasEntry && browserSafe.includes(folder))
  const results = await Promise.all(present.map(({ folder }) => bundle(root, folder)))
  return results.flat()
}

async function bundle(root: string, folder: string): Promise<Problem[]> {
  const where = `packages/${folder}`
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [join(root, where, 'src/index.ts')],
      bundle: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      logLevel: 'silent',
    })
    return []
  } catch (error) {
    // esbuild rejects with its own messages in the text; anything else is a bug and has a message too.
    const text = error instanceof Error ? error.message : String(error)
    return [{ where, what: `does not bundle for a browser: ${text}`, todo: 'take what Node gives as a parameter' }]
  }
}
