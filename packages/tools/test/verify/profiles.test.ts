import { describe, expect, test } from 'vitest'
import { chooseProfile, findProfiles } from '../../src/verify/find-profiles.ts'
import type { Manifest } from '../../src/verify/manifest.ts'
import type { ProfileKind } from '../../src/verify/profile.ts'

/** A directory as files with their texts; a name with a slash at its end holds names. */
type Files = Record<string, string | object | string[]>

function manifest(files: Files, path = '.'): Manifest {
  const entries = Object.entries(files)
  const texts = entries
    .filter(([, content]) => !Array.isArray(content))
    .map(([name, content]) => {
      return [name, typeof content === 'string' ? content : JSON.stringify(content)] as const
    })
  const below = entries.filter(([, content]) => Array.isArray(content))
  return {
    path,
    names: new Set(entries.map(([name]) => name.split('/')[0] ?? '')),
    texts: new Map(texts),
    below: new Map(below.map(([name, names]) => [name, new Set(names as string[])])),
  }
}

function command(
  files: Files | Manifest[],
  { kind = 'test' as ProfileKind, filter }: { kind?: ProfileKind; filter?: string } = {},
) {
  const profile = chooseProfile(findProfiles(Array.isArray(files) ? files : [manifest(files)], kind), filter)
  if (profile === undefined) return undefined
  const narrowed = filter === undefined ? profile : profile.narrow?.(filter)
  if (narrowed === undefined) return 'cannot be narrowed'
  const words = [narrowed.program ?? profile.program, ...narrowed.argv].join(' ')
  return profile.cwd === '.' ? words : `${words} in ${profile.cwd}`
}

const script = (test: string, more: object = {}) => ({ 'package.json': { scripts: { test }, ...more } })
const VITEST = '--reporter=default --reporter=json'

describe('a profile', () => {
  test.each<[what: string, files: Files, expected: string | undefined]>([
    ['npm and vitest', script('vitest run'), `npm run test -- ${VITEST}`],
    ['pnpm by its lock', { ...script('vitest'), 'pnpm-lock.yaml': '' }, `pnpm run test ${VITEST}`],
    ['yarn by its lock', { ...script('jest'), 'yarn.lock': '' }, 'yarn run test --json --testLocationInResults'],
    ['bun by its lock', { ...script('bun test'), 'bun.lock': '' }, 'bun run test'],
    [
      'the manager that is named',
      script('jest', { packageManager: 'pnpm@9.1.0' }),
      'pnpm run test --json --testLocationInResults',
    ],
    ['mocha', script('nyc mocha test'), 'npm run test -- --reporter json'],
    ['a runner at the end', script('tsc -p . && vitest run'), `npm run test -- ${VITEST}`],
    ['a runner in the middle', script('vitest run && echo done'), 'npm run test'],
    ['a pipe', script('vitest run | tee log'), 'npm run test'],
    ['something of their own', script('node scripts/test.mjs'), 'npm run test'],
    [
      'a script that calls another',
      { 'package.json': { scripts: { test: 'npm run unit', unit: 'vitest' } } },
      `npm run unit -- ${VITEST}`,
    ],
    [
      'two that call each other',
      { 'package.json': { scripts: { test: 'npm run unit', unit: 'npm run test' } } },
      'npm run unit',
    ],
    ['no real script', { ...script('echo "Error: no test specified" && exit 1') }, undefined],
    [
      'an installed runner without a script',
      { 'package.json': { devDependencies: { vitest: '4' } }, 'node_modules/.bin': ['vitest'] },
      `./node_modules/.bin/vitest run ${VITEST}`,
    ],
    [
      'a runner that is not to be seen',
      { 'package.json': { devDependencies: { vitest: '4' } } },
      `npx --no-install vitest run ${VITEST}`,
    ],
    ['test files alone', { 'package.json': {}, test: ['a.test.mjs'] }, 'node --test --test-reporter=tap'],
    ['workspaces', { 'package.json': { workspaces: ['packages/*'] } }, 'npm run test --workspaces --if-present'],
    ['pnpm workspaces', { 'package.json': {}, 'pnpm-workspace.yaml': '' }, 'pnpm -r --if-present run test'],
    ['broken JSON', { 'package.json': '{' }, undefined],
    ['pytest', { 'pyproject.toml': '[tool.pytest.ini_options]' }, 'python3 -m pytest --tb=short -rfEs --color=no'],
    [
      'pytest in uv',
      { 'pyproject.toml': 'pytest', 'uv.lock': '' },
      'uv run python -m pytest --tb=short -rfEs --color=no',
    ],
    [
      'pytest in its own environment',
      { 'requirements.txt': 'pytest\n', '.venv/bin': ['python'] },
      './.venv/bin/python -m pytest --tb=short -rfEs --color=no',
    ],
    ['unittest', { 'setup.py': '', tests: ['test_a.py'] }, 'python3 -m unittest discover -v -s tests -t .'],
    ['go', { 'go.mod': 'module x' }, 'go test -json ./...'],
    ['cargo', { 'Cargo.toml': '[package]' }, 'cargo test --no-fail-fast'],
    ['a cargo workspace', { 'Cargo.toml': '[workspace]' }, 'cargo test --no-fail-fast --workspace'],
    ['dotnet', { 'Shop.sln': '' }, 'dotnet test --nologo'],
    ['maven', { 'pom.xml': '' }, 'mvn -B test'],
    ['maven with its wrapper', { 'pom.xml': '', mvnw: '' }, './mvnw -B test'],
    ['gradle', { 'build.gradle.kts': '' }, 'gradle test --continue --console=plain'],
    ['gradle with its wrapper', { 'build.gradle': '', gradlew: '' }, './gradlew test --continue --console=plain'],
    ['make', { Makefile: 'all:\n\ntest: all\n\t./run\n' }, 'make test'],
    ['make without a test', { Makefile: 'test-data := x\nTEST = y\ntest := z\n' }, undefined],
    ['deno', { 'deno.json': '{}' }, 'deno test'],
    ['nothing', { 'README.md': 'Run the tests with pytest.' }, undefined],
    [
      'a script before a Makefile',
      { ...script('jest'), Makefile: 'test:\n' },
      'npm run test -- --json --testLocationInResults',
    ],
  ])('is found for %s', (_, files, expected) => {
    expect(command(files)).toBe(expected)
  })

  test.each<[files: Files, filter: string, expected: string]>([
    [script('vitest run'), 'test/a.test.ts', `npm run test -- ${VITEST} test/a.test.ts`],
    [script('vitest run'), 'adds numbers', `npm run test -- ${VITEST} -t adds numbers`],
    [script('mocha'), 'adds', 'npm run test -- --reporter json --grep adds'],
    [script('node scripts/test.mjs'), 'adds', 'cannot be narrowed'],
    [{ 'package.json': {}, test: ['a.test.js'] }, 'adds', 'node --test --test-reporter=tap --test-name-pattern=adds'],
    [
      { 'pytest.ini': '' },
      'tests/test_a.py::test_x',
      'python3 -m pytest --tb=short -rfEs --color=no tests/test_a.py::test_x',
    ],
    [{ 'pytest.ini': '' }, 'test_x', 'python3 -m pytest --tb=short -rfEs --color=no -k test_x'],
    [{ 'go.mod': '' }, 'TestSum', 'go test -json -run TestSum ./...'],
    [{ 'go.mod': '' }, 'cart/cart_test.go', 'go test -json ./cart/'],
    [{ 'Cargo.toml': '' }, 'sums', 'cargo test --no-fail-fast -- sums'],
    [{ 'a.csproj': '' }, 'CartTests', 'dotnet test --nologo --filter FullyQualifiedName~CartTests'],
    [{ 'pom.xml': '' }, 'src/test/java/CartTest.java', 'mvn -B test -Dtest=CartTest -DfailIfNoTests=false'],
    [{ 'build.gradle': '' }, 'CartTest', 'gradle test --console=plain --tests CartTest'],
    [{ Makefile: 'test:\n' }, 'x', 'cannot be narrowed'],
    // Two worlds in one directory: the file says which.
    [
      { ...script('vitest'), 'pytest.ini': '' },
      'tests/test_a.py',
      'python3 -m pytest --tb=short -rfEs --color=no tests/test_a.py',
    ],
  ])('of %j is narrowed to %s', (files, filter, expected) => {
    expect(command(files, { filter })).toBe(expected)
  })

  test.each<[kind: ProfileKind, files: Files, expected: string | undefined]>([
    ['lint', { 'package.json': { scripts: { lint: 'eslint src' } } }, 'npm run lint -- --format json'],
    [
      'lint',
      { 'package.json': {}, 'biome.json': '', 'node_modules/.bin': ['biome'] },
      './node_modules/.bin/biome check .',
    ],
    ['types', { 'package.json': { scripts: { typecheck: 'tsc -b' } } }, 'npm run typecheck'],
    [
      'types',
      { 'package.json': {}, 'tsconfig.json': '', 'node_modules/.bin': ['tsc'] },
      './node_modules/.bin/tsc --noEmit --pretty false',
    ],
    ['lint', { 'pyproject.toml': '[tool.ruff]' }, 'python3 -m ruff check --output-format=concise .'],
    ['types', { 'pyproject.toml': '[tool.mypy]' }, 'python3 -m mypy --no-color-output .'],
    ['lint', { 'go.mod': '', '.golangci.yml': '' }, 'golangci-lint run'],
    ['lint', { 'go.mod': '' }, 'go vet ./...'],
    ['lint', { 'Cargo.toml': '' }, 'cargo clippy --message-format=short --all-targets'],
    ['types', { 'Cargo.toml': '' }, 'cargo check --message-format=short --all-targets'],
    ['lint', { 'a.sln': '' }, 'dotnet format --verify-no-changes'],
    ['lint', { 'pom.xml': '' }, undefined],
  ])('to %s %j is found', (kind, files, expected) => {
    expect(command(files, { kind })).toBe(expected)
  })

  test('of a package in a workspace is its own, with the programs of the directories above', () => {
    const root = manifest({
      'package.json': { workspaces: ['packages/*'] },
      'pnpm-lock.yaml': '',
      'node_modules/.bin': ['vitest'],
    })
    const own = manifest({ 'package.json': { scripts: { test: 'vitest run' } } }, 'packages/a')
    const bare = manifest({ 'package.json': {}, 'vitest.config.ts': '' }, 'packages/b')
    expect(command([own, root])).toBe(`pnpm run test ${VITEST} in packages/a`)
    expect(command([bare, root])).toBe(`../../node_modules/.bin/vitest run ${VITEST} in packages/b`)
    expect(command([manifest({ 'a.ts': '' }, 'docs'), root])).toBe('pnpm -r --if-present run test')
    const linted = manifest({ 'package.json': { scripts: { lint: 'biome check' } } })
    expect(command([own, linted], { kind: 'lint' })).toBe('npm run lint')
    // The nearest world wins, whatever it is.
    expect(command([manifest({ 'Cargo.toml': '' }, 'native'), root])).toBe('cargo test --no-fail-fast in native')
  })
})
