import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PEERS } from './agents.ts'

/** Installs agents into a directory of their own, once; no script of theirs runs. */
export async function installPeers(names: readonly string[]): Promise<string> {
  const directory = join(tmpdir(), `maru-bench-peers-${process.getuid?.() ?? 0}`)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await writeFile(join(directory, 'package.json'), '{"private":true}\n', { flag: 'wx' }).catch(() => undefined)
  const packages = names.flatMap((name) => PEERS[name]?.packages ?? [])
  await run(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages],
    directory,
  )
  return directory
}

function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))))
  })
}
