import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { bundleNodeScript, temporaryDirectory } from '@maru/testkit'

const run = promisify(execFile)

/** Whether this machine lets us have a disk of a few hundred kilobytes, seen by one process tree only. */
export async function canMountSmallDisk(): Promise<boolean> {
  const { path, dispose } = await temporaryDirectory()
  try {
    await run('unshare', onSmallDisk(path, ['true']))
    return true
  } catch {
    // No unshare, no user namespaces, or no tmpfs: the caller says so.
    return false
  } finally {
    await dispose()
  }
}

/** Fills a disk while a session is written, at many different places. Throws at the first fact lost. */
export async function proveDiskFull({ times, log = () => undefined }: { times: number; log?(line: string): void }) {
  const script = await bundleNodeScript(fileURLToPath(new URL('disk-full-writer.ts', import.meta.url)))
  let acknowledged = 0
  try {
    for (let seed = 0; seed < times; seed++) {
      const { path, dispose } = await temporaryDirectory()
      try {
        const { stdout } = await run('unshare', onSmallDisk(path, [process.execPath, script.path, path, String(seed)]))
        acknowledged += (JSON.parse(stdout) as { acknowledged: number }).acknowledged
        log(`disk ${seed + 1} of ${times}: ${stdout.trim()}`)
      } finally {
        await dispose()
      }
    }
    return { disks: times, acknowledged }
  } finally {
    await script.dispose()
  }
}

function onSmallDisk(path: string, command: string[]): string[] {
  const mount = 'mount -t tmpfs -o size=512k tmpfs "$0" && exec "$@"'
  return ['--user', '--map-root-user', '--mount', 'sh', '-c', mount, path, ...command]
}
