import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Answers, Told } from './answer-parent.ts'

const ROLES = ['maru', 'bare-http', 'bare-sockets', 'listeners', 'load'] as const

/** A process that does its part and answers questions by name. */
export interface Helper<A extends Answers> {
  ask<Name extends keyof A & string>(name: Name, ...wish: Parameters<A[Name]>): Promise<Awaited<ReturnType<A[Name]>>>
  stop(): Promise<void>
}

export interface Processes {
  start<A extends Answers>(role: (typeof ROLES)[number]): Helper<A>
  /** Stops all of them. */
  dispose(): Promise<void>
}

/** Bundles each part as the product is bundled: what runs a source file as it is also changes what its closures cost. */
export async function bundleProcesses(root: string): Promise<Processes> {
  const cache = join(root, 'node_modules/.cache/maru')
  mkdirSync(cache, { recursive: true })
  const directory = mkdtempSync(join(cache, 'bench-server-'))
  await build({
    entryPoints: ROLES.map((role) => join(import.meta.dirname, `${role}.ts`)),
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    ...{ bundle: true, platform: 'node', format: 'esm', logLevel: 'error' },
    external: ['@electric-sql/pglite', 'pg', 'ws', 'hash-wasm'],
  })
  const running = new Set<Helper<Answers>>()
  return {
    start<A extends Answers>(role: (typeof ROLES)[number]) {
      const child = fork(join(directory, `${role}.mjs`), [], {
        execArgv: ['--expose-gc', '--no-warnings', ...profiling(role)],
        serialization: 'advanced',
      })
      const helper = helperOf(child, role)
      running.add(helper)
      return helper as unknown as Helper<A>
    },
    async dispose() {
      await Promise.all([...running].map((helper) => helper.stop()))
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

// Where the time went, of every process that ends: $MARU_BENCH_PROFILE is the directory for it.
function profiling(role: string): string[] {
  const directory = process.env['MARU_BENCH_PROFILE']
  if (directory === undefined) return []
  return ['--cpu-prof', `--cpu-prof-dir=${directory}`, `--cpu-prof-name=${role}-${Date.now()}.cpuprofile`]
}

function helperOf(child: ChildProcess, role: string): Helper<Answers> {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let count = 0
  child.on('message', ({ no, value, problem }: Told) => {
    const asked = waiting.get(no)
    waiting.delete(no)
    if (problem === undefined) asked?.resolve(value)
    else asked?.reject(new Error(`${role}: ${problem}`))
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', (code, signal) => {
      for (const { reject } of waiting.values()) reject(new Error(`the process "${role}" ended (${signal ?? code})`))
      resolve()
    })
  })
  return {
    ask: (name, wish) =>
      new Promise((resolve, reject) => {
        const no = count++
        waiting.set(no, { resolve: resolve as (value: unknown) => void, reject })
        child.send({ no, name, wish }, (error) => error && reject(error))
      }),
    async stop() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}
