import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const bin = join(import.meta.dirname, '../../packages/cli/bin/maru.cjs')
const PATIENCE_MS = 90_000

/** Waits until something is so; fails with what was seen instead. */
export async function until<T>(find: () => T | undefined | false, tell: () => unknown = () => ''): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; ; await pause(10)) {
    const found = find()
    if (found !== undefined && found !== false) return found
    if (Date.now() > end) throw new Error(`it never came to that: ${find}\n${JSON.stringify(tell())}`)
  }
}

/** The built program in a process of its own, and what it has said so far. */
export interface Program {
  readonly child: ChildProcessWithoutNullStreams
  readonly heard: { stdout: string; stderr: string }
  readonly ended: Promise<number | null>
}

/** A home, a repository and the built program. */
export interface Place {
  readonly repo: string
  maru(...args: string[]): Program
  close(): Promise<void>
}

export async function openPlace(modelUrl: string): Promise<Place> {
  const base = await mkdtemp(join(tmpdir(), 'maru-story-'))
  const repo = join(base, 'repo')
  await mkdir(join(repo, '.git'), { recursive: true })
  const env = {
    ...{ PATH: process.env['PATH'], HOME: base, MARU_HOME: join(base, 'home'), MARU_LANG: 'en', TERM: 'dumb' },
    ...{ NO_COLOR: '1', MARU_MODEL: 'scripted', ANTHROPIC_API_KEY: 'test-key-of-nobody', ANTHROPIC_BASE_URL: modelUrl },
  }
  const programs = new Set<Program>()
  return {
    repo,
    maru(...args) {
      const child = spawn(process.execPath, [bin, ...args], { cwd: repo, env, stdio: 'pipe' })
      const heard = { stdout: '', stderr: '' }
      for (const name of ['stdout', 'stderr'] as const)
        child[name].setEncoding('utf8').on('data', (text: string) => (heard[name] += text))
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
      const program = { child, heard, ended }
      programs.add(program)
      return program
    },
    async close() {
      for (const { child, ended } of programs) {
        child.kill('SIGKILL')
        await ended
      }
      await rm(base, { recursive: true, force: true })
    },
  }
}
