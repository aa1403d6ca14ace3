import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A directory of the test's own, and how to be rid of it. */
export async function temporaryDirectory(): Promise<{ path: string; dispose(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'maru-test-'))
  return { path, dispose: () => rm(path, { recursive: true, force: true }) }
}
