import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { linesOf } from '@maru/testkit'
import { build } from 'esbuild'

export type ServerEngine = 'pglite' | 'postgres'

/** A server in a process of its own, always at the same address. */
export interface Served {
  readonly url: string
  readonly token: string
  /** Starts it, and again after it was killed. */
  start(): Promise<void>
  /** SIGKILL, and it is gone. */
  kill(): Promise<void>
  /** Whether it runs without anybody having started it anew. */
  readonly isRunning: boolean
}

/** The server's program, beside the packages that it loads as they are: they bring files of their own. */
export async function bundleServer(
  entry = join(import.meta.dirname, 'serve.ts'),
): Promise<{ path: string; dispose(): void }> {
  const cache = join(import.meta.dirname, '../../node_modules/.cache/maru')
  mkdirSync(cache, { recursive: true })
  const path = join(cache, `serve-${process.pid}-${process.hrtime.bigint()}.mjs`)
  await build({
    entryPoints: [entry],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['@electric-sql/pglite', 'pg', 'ws', 'hash-wasm'],
    logLevel: 'error',
  })
  return { path, dispose: () => rmSync(path, { force: true }) }
}

export function createServed(script: string, { engine, place }: { engine: ServerEngine; place: string }): Served {
  const token = `maru_${randomBytes(32).toString('base64url')}`
  let url = ''
  let child: ChildProcess | undefined
  let ended: Promise<void> = Promise.resolve()
  return {
    token,
    get url() {
      return url
    },
    get isRunning() {
      return child !== undefined && child.exitCode === null && child.signalCode === null
    },
    async start() {
      const port = url === '' ? '0' : new URL(url).port
      const own = spawn(process.execPath, [script, engine, place, port, token], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      child = own
      ended = new Promise((resolve) => own.once('exit', () => resolve()))
      for await (const line of linesOf(own)) {
        url = (JSON.parse(line) as { url: string }).url
        return
      }
      throw new Error('the server did not start again')
    },
    async kill() {
      child?.kill('SIGKILL')
      await ended
    },
  }
}
