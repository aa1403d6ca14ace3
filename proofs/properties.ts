import { randomInt } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageCommand, runQuietly } from '../scripts/house/process.mjs'

/** What a run of the proof saw. */
export interface PropertiesReport {
  files: number
  rounds: number
}

const ROOT = join(import.meta.dirname, '..')
const ALL_TESTS = /^(packages\/[^/]+\/)?test\/.*\.test\.ts$/

/**
 * Runs the test files that state properties, each round with examples that no run before it had. Throws at the first
 * that does not hold, with the seed that `MARU_SEED` brings back.
 */
export async function proveProperties({
  times,
  only = '',
  log = () => undefined,
}: {
  times: number
  /** Only files with this in their path. */
  only?: string
  log?(line: string): void
}): Promise<PropertiesReport> {
  const files = await findProperties(only)
  for (let round = 1; round <= times; round++) {
    const seed = randomInt(2 ** 31)
    const env = { ...process.env, MARU_SEED: String(seed) }
    const vitest = [packageCommand(ROOT, 'vitest'), 'run', ...files]
    const { code, output } = await runQuietly(process.execPath, vitest, { cwd: ROOT, env })
    if (code !== 0) throw new Error(`MARU_SEED=${seed} ended with ${code}:\n${output}`)
    log(`${round} of ${times}: ${files.length} files hold with MARU_SEED=${seed}`)
  }
  return { files: files.length, rounds: times }
}

async function findProperties(only: string): Promise<string[]> {
  const found: string[] = []
  for (const folder of ['packages', 'test']) {
    for (const entry of await readdir(join(ROOT, folder), { recursive: true })) {
      const path = `${folder}/${entry}`
      if (!ALL_TESTS.test(path) || !path.includes(only)) continue
      if (/\bfc\.(assert|sample)\(/.test(await readFile(join(ROOT, path), 'utf8'))) found.push(path)
    }
  }
  return found.sort()
}
