import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Git as a person would run it, with no settings but the repository's. */
export async function git(cwd: string, ...args: string[]): Promise<string> {
  const { stdout } = await execute('git', args, { cwd, env: plainEnvironment() })
  return stdout
}

/** The same where a failure is part of the story. */
export async function gitOrNot(cwd: string, ...args: string[]): Promise<string> {
  return git(cwd, ...args).catch((error: unknown) => String(error))
}

function plainEnvironment(): Record<string, string> {
  const who = { NAME: 'A', EMAIL: 'a@example.org', DATE: '2026-01-02T03:04:05Z' }
  const people = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
    Object.entries(who).map(([name, value]) => [`GIT_${role}_${name}`, value]),
  )
  const { PATH = '' } = process.env
  return { PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...Object.fromEntries(people) }
}

/** Writes a file, with the directories above it. */
export async function put(root: string, path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}

/** A script that leaves a trace when it is run. */
export async function putScript(path: string, body: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `#!/bin/sh\n${body}\n`)
  await chmod(path, 0o755)
  return path
}

/** A repository with one commit of `files`. */
export async function makeRepository(root: string, files: Record<string, string>): Promise<void> {
  await mkdir(root, { recursive: true })
  await git(root, 'init', '-q', '-b', 'main')
  for (const [path, content] of Object.entries(files)) await put(root, path, content)
  await git(root, 'add', '-A')
  await git(root, 'commit', '-qm', 'first')
}
