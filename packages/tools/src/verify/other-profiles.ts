import type { Manifest } from './manifest.ts'
import { isPathLike, type Profile, type ProfileKind } from './profile.ts'

type Find = (manifest: Manifest, kind: ProfileKind) => Profile | undefined

/** The worlds besides Node's, each as what it does in a directory that is its own. */
export const OTHER_PROFILES: readonly Find[] = [
  findPython,
  findGo,
  findCargo,
  findDotnet,
  findMaven,
  findGradle,
  findDeno,
]

function findPython({ path, names, below, texts }: Manifest, kind: ProfileKind): Profile | undefined {
  const hints = ['pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'tox.ini', 'conftest.py', 'requirements.txt']
  const inner = [...(below.get('tests') ?? []), ...(below.get('test') ?? []), ...names]
  const hasTests = inner.some((name) => /^test_.*\.py$|_test\.py$/.test(name))
  if (!hints.some((name) => names.has(name)) && !names.has('Pipfile') && !(kind === 'test' && hasTests))
    return undefined
  const said = [...texts].map(([name, text]) => (name === 'package.json' ? '' : text)).join('\n')
  const base = { kind, cwd: path, files: /\.py$/ }
  if (kind === 'lint') {
    if (!said.includes('ruff') && !names.has('ruff.toml') && !names.has('.ruff.toml')) return undefined
    return {
      ...base,
      name: 'ruff',
      ...python(names, below, ['ruff', 'check', '--output-format=concise', '.']),
      format: 'problems',
    }
  }
  if (kind === 'types') {
    if (names.has('pyrightconfig.json') || said.includes('[tool.pyright]')) {
      return { ...base, name: 'pyright', ...python(names, below, ['pyright']), format: 'problems' }
    }
    if (!said.includes('mypy') && !names.has('mypy.ini')) return undefined
    return { ...base, name: 'mypy', ...python(names, below, ['mypy', '--no-color-output', '.']), format: 'problems' }
  }
  const usesPytest =
    /\bpytest\b/.test(said) || names.has('pytest.ini') || names.has('conftest.py') || inner.includes('conftest.py')
  if (usesPytest || !hasUnittest(inner)) {
    const words = ['pytest', '--tb=short', '-rfEs', '--color=no']
    const narrow = (filter: string) =>
      python(names, below, [...words, ...(isPathLike(filter) ? [filter] : ['-k', filter])])
    return { ...base, name: 'pytest', ...python(names, below, words), format: 'pytest', narrow }
  }
  const words = ['unittest', 'discover', '-v', ...(below.has('tests') ? ['-s', 'tests', '-t', '.'] : [])]
  const narrow = (filter: string) => python(names, below, [...words, '-k', filter])
  return { ...base, name: 'unittest', ...python(names, below, words), format: 'unittest', narrow }
}

// Files that pytest alone would make sense of cannot be told by their names; without a word of it, Python's own is used.
function hasUnittest(names: readonly string[]): boolean {
  return names.some((name) => /^test.*\.py$/.test(name))
}

// A module of the environment that the repository has: by its own tool, its own directory, or the system's.
function python(
  names: ReadonlySet<string>,
  below: Manifest['below'],
  module: readonly string[],
): { program: string; argv: string[] } {
  const direct = ['python', '-m', ...module]
  if (names.has('uv.lock')) return { program: 'uv', argv: ['run', ...direct] }
  if (names.has('poetry.lock')) return { program: 'poetry', argv: ['run', ...direct] }
  if (names.has('pdm.lock')) return { program: 'pdm', argv: ['run', ...direct] }
  if (names.has('Pipfile')) return { program: 'pipenv', argv: ['run', ...direct] }
  const home = ['.venv/bin', 'venv/bin'].find((one) => below.get(one)?.has('python'))
  return { program: home === undefined ? 'python3' : `./${home}/python`, argv: ['-m', ...module] }
}

function findGo({ path, names }: Manifest, kind: ProfileKind): Profile | undefined {
  if (!names.has('go.mod') && !names.has('go.work')) return undefined
  const base = { kind, program: 'go', cwd: path, files: /\.go$/ }
  if (kind === 'types') return { ...base, name: 'go vet', argv: ['vet', './...'], format: 'problems' }
  if (kind === 'lint') {
    const isConfigured = [...names].some((name) => name.startsWith('.golangci.'))
    if (!isConfigured) return { ...base, name: 'go vet', argv: ['vet', './...'], format: 'problems' }
    return { ...base, program: 'golangci-lint', name: 'golangci-lint', argv: ['run'], format: 'problems' }
  }
  const narrow = (filter: string) => {
    if (!isPathLike(filter)) return { argv: ['test', '-json', '-run', filter, './...'] }
    const directory = filter.endsWith('.go') ? filter.replace(/[^/]*$/, '') : filter
    return { argv: ['test', '-json', `./${directory.replace(/^\.\//, '')}`] }
  }
  return { ...base, name: 'go test', argv: ['test', '-json', './...'], format: 'go-json', narrow }
}

function findCargo({ path, names, texts }: Manifest, kind: ProfileKind): Profile | undefined {
  if (!names.has('Cargo.toml')) return undefined
  const all = texts.get('Cargo.toml')?.includes('[workspace]') ? ['--workspace'] : []
  const base = { kind, program: 'cargo', cwd: path, files: /\.rs$/ }
  const short = ['--message-format=short', '--all-targets', ...all]
  if (kind === 'lint') return { ...base, name: 'cargo clippy', argv: ['clippy', ...short], format: 'problems' }
  if (kind === 'types') return { ...base, name: 'cargo check', argv: ['check', ...short], format: 'problems' }
  const argv = ['test', '--no-fail-fast', ...all]
  const narrow = (filter: string) => ({ argv: [...argv, '--', filter.replace(/\.rs$/, '').replace(/^.*\//, '')] })
  return { ...base, name: 'cargo test', argv, format: 'cargo', narrow }
}

function findDotnet({ path, names }: Manifest, kind: ProfileKind): Profile | undefined {
  if (![...names].some((name) => /\.(?:slnx?|csproj|fsproj|vbproj)$/.test(name))) return undefined
  const base = { kind, program: 'dotnet', cwd: path, files: /\.(?:cs|fs|vb)$/ }
  if (kind === 'lint') {
    return { ...base, name: 'dotnet format', argv: ['format', '--verify-no-changes'], format: 'problems' }
  }
  if (kind === 'types') return { ...base, name: 'dotnet build', argv: ['build', '--nologo'], format: 'problems' }
  const argv = ['test', '--nologo']
  const narrow = (filter: string) => ({
    argv: [...argv, '--filter', `FullyQualifiedName~${filter.replace(/\.cs$/, '')}`],
  })
  return { ...base, name: 'dotnet test', argv, format: 'dotnet', narrow }
}

function findMaven({ path, names }: Manifest, kind: ProfileKind): Profile | undefined {
  if (!names.has('pom.xml') || kind === 'lint') return undefined
  const program = names.has('mvnw') ? './mvnw' : 'mvn'
  const base = { kind, program, cwd: path, files: /\.(?:java|kt)$/ }
  if (kind === 'types') return { ...base, name: 'maven compile', argv: ['-B', 'test-compile'], format: 'problems' }
  const narrow = (filter: string) => ({ argv: ['-B', 'test', `-Dtest=${classOf(filter)}`, '-DfailIfNoTests=false'] })
  return { ...base, name: 'maven', argv: ['-B', 'test'], format: 'maven', narrow }
}

function findGradle({ path, names }: Manifest, kind: ProfileKind): Profile | undefined {
  const isGradle = [...names].some((name) => /^(?:build|settings)\.gradle(?:\.kts)?$/.test(name))
  if (!isGradle || kind === 'lint') return undefined
  const program = names.has('gradlew') ? './gradlew' : 'gradle'
  const base = { kind, program, cwd: path, files: /\.(?:java|kt|groovy)$/ }
  const plain = ['--console=plain']
  if (kind === 'types') return { ...base, name: 'gradle classes', argv: ['testClasses', ...plain], format: 'problems' }
  const narrow = (filter: string) => ({ argv: ['test', ...plain, '--tests', classOf(filter)] })
  return { ...base, name: 'gradle', argv: ['test', '--continue', ...plain], format: 'gradle', narrow }
}

function classOf(filter: string): string {
  return filter.replace(/^.*\//, '').replace(/\.(?:java|kt|groovy)$/, '')
}

function findDeno({ path, names }: Manifest, kind: ProfileKind): Profile | undefined {
  if (!names.has('deno.json') && !names.has('deno.jsonc')) return undefined
  const base = { kind, program: 'deno', cwd: path, files: /\.[jt]sx?$/ }
  if (kind === 'lint') return { ...base, name: 'deno lint', argv: ['lint'], format: 'problems' }
  if (kind === 'types') return { ...base, name: 'deno check', argv: ['check', '.'], format: 'problems' }
  const narrow = (filter: string) => ({ argv: isPathLike(filter) ? ['test', filter] : ['test', '--filter', filter] })
  return { ...base, name: 'deno test', argv: ['test'], format: 'any', narrow }
}
