import type { Manifest } from './manifest.ts'
import { byNameOr, RUNNERS } from './node-runners.ts'
import { type PackageJson, type PackageManager, packageManagerOf, readPackageJson, scriptArgv } from './package-json.ts'
import { isPathLike, JS_FILES, type Profile, type ProfileKind } from './profile.ts'

const SCRIPTS: Record<ProfileKind, readonly string[]> = {
  test: ['test', 'test:unit', 'tests', 'unit'],
  lint: ['lint', 'lint:check', 'check'],
  types: ['typecheck', 'type-check', 'check-types', 'types', 'tsc', 'check:types'],
}

/** How each package.json is checked, the nearest first: by its script, else by a program that it uses. */
export function nodeProfiles(manifests: readonly Manifest[], kind: ProfileKind): Profile[] {
  return manifests.flatMap((manifest, at) => {
    const json = readPackageJson(manifest)
    if (json === undefined) return []
    const above = manifests.slice(at)
    const place: Place = { manifest, json, manager: packageManagerOf(above), above }
    return byScript(place, kind) ?? byProgram(place, kind) ?? byWorkspaces(place, kind) ?? byNode(place, kind) ?? []
  })
}

interface Place {
  manifest: Manifest
  json: PackageJson
  manager: PackageManager
  above: readonly Manifest[]
}

function byScript({ manifest, json, manager }: Place, kind: ProfileKind): Profile | undefined {
  const first = SCRIPTS[kind].find((name) => isReal(json.scripts[name]))
  if (first === undefined) return undefined
  const { name, line } = followScript(json, first)
  // What is added to a script is added to its last command.
  const last = line.split('&&').at(-1) ?? ''
  const runner = /[;|<>`\n]|\$\(/.test(line)
    ? undefined
    : RUNNERS.find((one) => one.kind === kind && one.pattern.test(last))
  const reporter = runner?.reporter ?? []
  const base = { kind, program: manager, cwd: manifest.path, files: JS_FILES }
  const narrow = runner?.narrow
  return {
    ...base,
    name: runner?.name ?? `${manager} run ${name}`,
    argv: scriptArgv(manager, name, reporter),
    format: runner?.format ?? (kind === 'test' ? 'any' : 'problems'),
    ...(narrow && {
      narrow: (filter: string) => ({ argv: scriptArgv(manager, name, [...reporter, ...narrow(filter)]) }),
    }),
  }
}

function isReal(line: string | undefined): boolean {
  return line !== undefined && line.trim() !== '' && !line.includes('no test specified')
}

// A script that only calls another would not pass anything on.
function followScript({ scripts }: PackageJson, start: string): { name: string; line: string } {
  let name = start
  for (let depth = 0; depth < 5; depth++) {
    const line = scripts[name] ?? ''
    const next = /^(?:npm run|pnpm(?: run)?|yarn(?: run)?|bun run) ([\w:.-]+)$/.exec(line.trim())?.[1]
    if (next === undefined || !isReal(scripts[next])) return { name, line }
    name = next
  }
  return { name, line: scripts[name] ?? '' }
}

function byProgram({ manifest, json, manager, above }: Place, kind: ProfileKind): Profile | undefined {
  for (const runner of RUNNERS) {
    if (runner.kind !== kind || runner.name.includes(' ')) continue
    const isNamed = json.dependencies.has(runner.name === 'tsc' ? 'typescript' : runner.name)
    const isConfigured = [...manifest.names].some((name) => runner.configs?.test(name))
    const found = findProgram(above, runner.name)
    if (!isNamed && !(isConfigured && found !== undefined)) continue
    const [program, ...words] = found === undefined ? [...EXECUTE[manager], runner.name] : [found]
    if (program === undefined) continue
    const { narrow } = runner
    const argv = [...words, ...runner.plain, ...runner.reporter]
    const base = { kind, name: runner.name, program, argv, cwd: manifest.path, format: runner.format, files: JS_FILES }
    return { ...base, ...(narrow && { narrow: (filter: string) => ({ argv: [...argv, ...narrow(filter)] }) }) }
  }
  return undefined
}

// For what is named but not to be seen, as where node_modules is a link. Nothing is downloaded.
const EXECUTE: Record<PackageManager, readonly string[]> = {
  npm: ['npx', '--no-install'],
  pnpm: ['pnpm', 'exec'],
  yarn: ['yarn', 'run'],
  bun: ['bun', 'x', '--no-install'],
}

// Packages of a workspace find their programs in the directories above.
function findProgram(above: readonly Manifest[], name: string): string | undefined {
  const home = above[0]?.path ?? '.'
  for (const { path, below } of above) {
    if (below.get('node_modules/.bin')?.has(name) !== true) continue
    const steps = path === home ? 0 : home.split('/').length - (path === '.' ? 0 : path.split('/').length)
    return `${steps === 0 ? './' : '../'.repeat(steps)}node_modules/.bin/${name}`
  }
  return undefined
}

const ALL: Record<PackageManager, (script: string) => string[]> = {
  npm: (script) => ['run', script, '--workspaces', '--if-present'],
  pnpm: (script) => ['-r', '--if-present', 'run', script],
  yarn: (script) => ['workspaces', 'run', script],
  bun: (script) => ['run', '--filter', '*', script],
}

function byWorkspaces({ manifest, json, manager }: Place, kind: ProfileKind): Profile | undefined {
  if (!json.hasWorkspaces) return undefined
  const script = kind === 'types' ? 'typecheck' : kind
  const argv = ALL[manager](script)
  const format = kind === 'test' ? 'any' : 'problems'
  return {
    kind,
    name: `${script} in every package`,
    program: manager,
    argv,
    cwd: manifest.path,
    format,
    files: JS_FILES,
  }
}

// Without any runner, test files mean the one that comes with Node.
function byNode({ manifest, manager }: Place, kind: ProfileKind): Profile | undefined {
  const places = [manifest.names, manifest.below.get('test'), manifest.below.get('tests')]
  const hasTests = places.some((names) => [...(names ?? [])].some((name) => /[.-]test\.[cm]?[jt]s$/.test(name)))
  if (kind !== 'test' || !hasTests) return undefined
  const base = { kind, cwd: manifest.path, files: JS_FILES }
  if (manager === 'bun') {
    const narrow = (filter: string) => ({ argv: ['test', ...byNameOr('-t')(filter)] })
    return { ...base, name: 'bun test', program: 'bun', argv: ['test'], format: 'any', narrow }
  }
  const argv = ['--test', '--test-reporter=tap']
  const narrow = (filter: string) => ({
    argv: isPathLike(filter) ? [...argv, filter] : [...argv, `--test-name-pattern=${filter}`],
  })
  return { ...base, name: 'node --test', program: 'node', argv, format: 'tap', narrow }
}
