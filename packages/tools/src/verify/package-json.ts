import type { Manifest } from './manifest.ts'

/** The package manager that a repository uses. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun'

/** The part of a package.json that says how it is checked. */
export interface PackageJson {
  readonly scripts: Readonly<Record<string, string>>
  /** Names of all dependencies, whatever they are for. */
  readonly dependencies: ReadonlySet<string>
  readonly packageManager: string | undefined
  readonly hasWorkspaces: boolean
}

/** Reads it; what is broken counts as empty, as its owner will hear from npm. */
export function readPackageJson(manifest: Manifest): PackageJson | undefined {
  const text = manifest.texts.get('package.json')
  if (text === undefined) return undefined
  const json = recordOf(parse(text))
  const scripts = Object.entries(recordOf(json['scripts'])).filter((entry): entry is [string, string] => {
    return typeof entry[1] === 'string'
  })
  const named = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']
  const { packageManager } = json
  return {
    scripts: Object.fromEntries(scripts),
    dependencies: new Set(named.flatMap((name) => Object.keys(recordOf(json[name])))),
    packageManager: typeof packageManager === 'string' ? packageManager : undefined,
    hasWorkspaces: json['workspaces'] !== undefined || manifest.names.has('pnpm-workspace.yaml'),
  }
}

const LOCKS: [file: string, manager: PackageManager][] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['pnpm-workspace.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
]

/** By what the nearest package.json names, else by the nearest lock file. */
export function packageManagerOf(manifests: readonly Manifest[]): PackageManager {
  for (const manifest of manifests) {
    const named = /^(npm|pnpm|yarn|bun)@/.exec(readPackageJson(manifest)?.packageManager ?? '')?.[1]
    if (named !== undefined) return named as PackageManager
    const lock = LOCKS.find(([file]) => manifest.names.has(file))
    if (lock !== undefined) return lock[1]
  }
  return 'npm'
}

/** The words that run a script of package.json with these arguments. */
export function scriptArgv(manager: PackageManager, script: string, args: readonly string[]): string[] {
  // The others pass on what follows; npm keeps options for itself unless told.
  return ['run', script, ...(manager === 'npm' && args.length > 0 ? ['--'] : []), ...args]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
