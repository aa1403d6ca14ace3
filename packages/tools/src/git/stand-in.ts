import { copyFile, lstat, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RepositoryPlace } from './find-repository.ts'
import { renderConfig, type Setting } from './safe-config.ts'

/**
 * A directory that git takes for the repository's common one: it leads to the same refs and objects, but holds a
 * configuration of our own and no hooks. What is not there cannot be run, whatever git may learn to run from it.
 */
export interface StandIn {
  /** The variables that make git use it. */
  readonly environment: Readonly<Record<string, string>>
  dispose(): Promise<void>
}

const DIRECTORIES = ['refs', 'reftable', 'info']
const FILES = ['packed-refs', 'shallow']

/** Makes a stand-in with these settings in the directory `scratch`; the caller disposes of it. */
export async function makeStandIn(
  place: RepositoryPlace,
  { settings, scratch = tmpdir() }: { settings: readonly Setting[]; scratch?: string | undefined },
): Promise<StandIn> {
  const { top, gitDir, commonDir } = place
  const path = await mkdtemp(join(scratch, 'maru-git-'))
  const dispose = () => rm(path, { recursive: true, force: true })
  try {
    await writeFile(join(path, 'config'), renderConfig([...settings, ['core.bare', 'false']]))
    for (const name of DIRECTORIES) {
      if (await isThere(join(commonDir, name))) await symlink(join(commonDir, name), join(path, name), 'junction')
    }
    for (const name of FILES) {
      if (await isThere(join(commonDir, name))) await stand(join(commonDir, name), join(path, name))
    }
  } catch (error) {
    await dispose()
    throw error
  }
  const environment = {
    GIT_DIR: gitDir,
    GIT_COMMON_DIR: path,
    GIT_OBJECT_DIRECTORY: join(commonDir, 'objects'),
    GIT_WORK_TREE: top,
  }
  return { environment, dispose }
}

async function isThere(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

// Windows lets not everyone make links to files; these are small enough to be copied there.
function stand(target: string, path: string): Promise<void> {
  return process.platform === 'win32' ? copyFile(target, path) : symlink(target, path)
}
