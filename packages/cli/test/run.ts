import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Environment } from '../src/environment.ts'
import type { CommandEntry } from '../src/registry.ts'
import { commands } from '../src/registry.ts'
import { runCli } from '../src/run-cli.ts'

export interface Call {
  readonly env?: Environment
  readonly cwd?: string
  readonly stdin?: string
  readonly isTTY?: boolean
  /** How wide the terminal is. */
  readonly columns?: number
  readonly signal?: AbortSignal
  readonly commands?: { readonly [name: string]: CommandEntry }
}

/** Runs one call of `maru` in this process, with a home of its own unless the environment names one. */
export async function run(args: readonly string[], call: Call = {}) {
  const home = call.env?.['MARU_HOME'] ?? join(await makeDirectory(), 'home')
  const written = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof written) => ({
    isTTY: call.isTTY ?? false,
    ...(call.columns !== undefined && { columns: call.columns }),
    write(text: string) {
      written[name] += text
      return true
    },
  })
  const code = await runCli(
    args,
    {
      stdin: (async function* () {
        yield call.stdin ?? ''
      })(),
      stdout: stream('stdout'),
      stderr: stream('stderr'),
      env: { ...call.env, MARU_HOME: home },
      cwd: call.cwd ?? dirname(home),
      signal: call.signal ?? new AbortController().signal,
    },
    call.commands ?? commands,
  )
  return { code, ...written }
}

/** A directory with the given files, gone after the test. */
export async function makeDirectory(files: { readonly [path: string]: string } = {}): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'maru-cli-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), content, { mode: 0o600 })
  }
  return root
}
