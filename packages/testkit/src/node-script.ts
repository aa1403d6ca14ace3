import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { build } from 'esbuild'

export type Child = ChildProcessByStdio<Writable, Readable, null>

/** A TypeScript file bundled for a bare Node, so that real processes can be started by the hundred. */
export interface NodeScript {
  path: string
  start(...args: string[]): Child
  dispose(): Promise<void>
}

export async function bundleNodeScript(entry: string): Promise<NodeScript> {
  const directory = await mkdtemp(join(tmpdir(), 'maru-script-'))
  const path = join(directory, 'script.mjs')
  await build({ entryPoints: [entry], outfile: path, bundle: true, platform: 'node', format: 'esm', logLevel: 'error' })
  return {
    path,
    start: (...args) => spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] }),
    dispose: () => rm(directory, { recursive: true, force: true }),
  }
}

/** The lines a child prints, as they come. An unfinished last line is given too. */
export async function* linesOf(child: { stdout: Readable }): AsyncGenerator<string, void> {
  let rest = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Waits for a child's end. */
export function exitOf(child: Child): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve({ code: child.exitCode, signal: child.signalCode })
      return
    }
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
}
