import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { planPatch } from '@maru/tools'
import { applyPatch, parsePatch } from 'diff'
import type { Outcome, PatchRow, Tree } from './corpus.ts'

/** Something that applies patches. */
export interface Applier {
  readonly name: string
  apply(row: PatchRow): Promise<Outcome>
}

export const OURS = 'maru'

/** Ours, and those that most tools use. */
export const APPLIERS: readonly Applier[] = [
  { name: OURS, apply: applyOurs },
  program('git apply', ['git', 'apply']),
  program('git apply --recount', ['git', 'apply', '--recount']),
  program('patch -p1 -F3 -f -l', ['patch', '-p1', '-F3', '-f', '-l']),
  { name: 'jsdiff, fuzz 3', apply: applyJsdiff },
]

async function applyOurs({ patch, before }: PatchRow): Promise<Outcome> {
  const plan = await planPatch(patch, { read: async (path) => before.get(path) })
  if (!plan.ok) return { ok: false, tree: before }
  const tree = new Map(before)
  for (const change of plan.changes) {
    if (change.kind === 'delete' || change.kind === 'rename') tree.delete(change.path)
    if (change.kind !== 'delete') tree.set(change.kind === 'rename' ? change.to : change.path, change.after)
  }
  return { ok: true, tree }
}

async function applyJsdiff({ patch, before }: PatchRow): Promise<Outcome> {
  const tree = new Map(before)
  const refused: Outcome = { ok: false, tree: before }
  try {
    const files = parsePatch(patch)
    for (const file of files) {
      const [old, fresh] = [file.oldFileName, file.newFileName].map((name) => name?.replace(/^[ab]\//, ''))
      if (old === undefined || fresh === undefined) return refused
      const text = applyPatch(tree.get(old) ?? '', file, { fuzzFactor: 3 })
      if (text === false) return refused
      tree.delete(old)
      if (fresh !== '/dev/null') tree.set(fresh, text)
    }
    return files.length === 0 ? refused : { ok: true, tree }
  } catch {
    // It throws at what it cannot parse.
    return refused
  }
}

function program(name: string, [file = '', ...args]: readonly string[]): Applier {
  return {
    name,
    async apply({ patch, before }) {
      const directory = await mkdtemp(join(tmpdir(), 'maru-patches-'))
      try {
        for (const [path, text] of before) {
          await mkdir(dirname(join(directory, path)), { recursive: true })
          await writeFile(join(directory, path), text)
        }
        const ok = await run(file, args, { directory, input: patch })
        return { ok, tree: await readTree(directory) }
      } finally {
        await rm(directory, { recursive: true, force: true })
      }
    },
  }
}

function run(
  file: string,
  args: readonly string[],
  { directory, input }: { directory: string; input: string },
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // Neither the user's settings nor a repository around the temporary directory may have a say.
    const env = {
      PATH: process.env['PATH'],
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CEILING_DIRECTORIES: dirname(directory),
    }
    const child = spawn(file, args, { cwd: directory, env, stdio: ['pipe', 'ignore', 'ignore'] })
    child.on('error', reject)
    child.on('exit', (code) => resolve(code === 0))
    // One that has seen enough closes its end.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

async function readTree(directory: string): Promise<Tree> {
  const tree = new Map<string, string>()
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    // What patch leaves beside a file is no part of the tree.
    if (!entry.isFile() || /\.(?:orig|rej)$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    tree.set(path.slice(directory.length + 1), await readFile(path, 'utf8'))
  }
  return tree
}
