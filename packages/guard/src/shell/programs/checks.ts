import type { Call, Judge } from '../call.ts'
import { checkPath, shown } from '../check-path.ts'
import { type Parsed, parseOptions, readSpec, type Spec } from '../options.ts'

// Words by which projects call what tests, builds and checks.
const SCRIPTS =
  /^(?:test|tests|build|lint|check|checks|typecheck|type-check|types|tsc|verify|validate|compile|ci|format[:-]check|fmt[:-]check|prettier[:-]check|spec|unit|e2e|integration|coverage|cov|bench|eslint|jest|vitest|mocha|stylelint|oxlint)(?:[:-][\w:-]+)?$/
const CHANGES =
  /watch|fix|write|update|release|publish|deploy|push|prod|install|clean|reset|drop|migrat|seed|upload|serve|start|dev\b|bump|sync|destroy|delete|remove/i

/** Whether a script of the project tests, builds or checks, by its name. */
export function isCheckName(name: string): boolean {
  return SCRIPTS.test(name) && !CHANGES.test(name)
}

interface Check {
  readonly table: string
  /** What has to come first: one of these words. */
  readonly verbs?: RegExp
  /** Words that are no files. */
  readonly isText?: boolean
}

// Options that are handed on to a test runner: which tests, and how much it says.
const RUNNER =
  '-t: -v -q -x -k: -s -b -i -w: -# -g: --run --watch? --bail? --coverage? --verbose? --silent? --quiet --reporter: --grep: --testNamePattern: --testPathPattern: --ci --no-color --color? --colors --passWithNoTests --maxWorkers: --runInBand --forceExit --detectOpenHandles --onlyChanged --changed? --timeout: --no-coverage --project: --workspace: --filter: --test-name-pattern: --parallel --no-cache --cache? --tb: --maxfail: --durations: --lf --ff --last-failed --failed-first --collect-only --strict-markers -m: -n: --no-header --no-summary --list --listTests --retries: --workers: --headed --shard: --expand -vv -vvv --maxfail: --stepwise --sw --nocapture --exact --test-threads: --ignored --include-ignored --show-output -D: -W: -A: --check --watchAll? --testPathPatterns: --selectProjects: --findRelatedTests --json --pool: --testTimeout: --hookTimeout: --no-isolate --coverage.enabled? --no-file-parallelism --typecheck? --hideSkippedTests'

const TABLES: Record<string, Check> = {
  tsc: {
    table:
      '-p< -b -v --noEmit --project< --build --pretty? --listFiles --strict --skipLibCheck --incremental? --version --help --showConfig --traceResolution --diagnostics --extendedDiagnostics --target: --module: --lib: --jsx: --esModuleInterop --allowJs --checkJs --singleThreaded --watch?',
  },
  vitest: { table: RUNNER, verbs: /^(?:run|related|list|bench)$/ },
  jest: { table: RUNNER },
  mocha: { table: RUNNER },
  ava: { table: RUNNER },
  tap: { table: RUNNER },
  playwright: { table: RUNNER, verbs: /^test$/ },
  cypress: { table: `${RUNNER} --spec: --browser: --headless --e2e --component`, verbs: /^(?:run|verify)$/ },
  eslint: {
    table:
      '--ext: --max-warnings: --quiet --no-eslintrc --format: -f: --ignore-pattern: --cache --no-cache --color --no-color --report-unused-disable-directives --no-error-on-unmatched-pattern --version --help --env: --debug --print-config< --no-inline-config --no-warn-ignored --rule: --fix-dry-run --stats --no-ignore',
  },
  oxlint: { table: '--type-aware --quiet --deny-warnings --max-warnings: -D: -A: -W: --format: -f: --version --help' },
  prettier: {
    table:
      '-c -l --check --list-different --loglevel: --log-level: --no-color --color --ignore-unknown -u --version --help --cache --no-config --no-editorconfig --parser: --single-quote --no-semi --tab-width: --print-width: --trailing-comma:',
  },
  biome: {
    table:
      '--diagnostic-level: --max-diagnostics: --error-on-warnings --no-errors-on-unmatched --changed --since: --staged --verbose --colors: --reporter: --files-ignore-unknown: --version --help',
    verbs: /^(?:check|lint|format|ci)$/,
  },
  stylelint: { table: '--formatter: -f: --quiet --max-warnings: --allow-empty-input' },
  standard: { table: '--verbose --version' },
  xo: { table: '--quiet' },
  pytest: {
    table: `${RUNNER} -r: --cov? --cov-report: --no-cov --pyargs --version --help --co --no-header --disable-warnings --pdbcls: --show-capture: --capture: -l --showlocals --deselect: --ignore< --import-mode:`,
  },
  tox: { table: '-e: -q -v -p: --parallel? -r' },
  nox: { table: '-s: -t: -l --list --sessions:' },
  mypy: {
    table:
      '-p: -m: -v --strict --ignore-missing-imports --show-error-codes --no-error-summary --pretty --no-incremental --python-version: --platform: --namespace-packages --explicit-package-bases --follow-imports: --check-untyped-defs --disallow-untyped-defs --version --help',
  },
  pyright: {
    table:
      '--warnings --stats --verbose --outputjson --project< -p< --version --level: --pythonversion: --skipunannotated',
  },
  ruff: {
    table:
      '-q -v --quiet --verbose --select: --ignore: --extend-select: --output-format: --statistics --diff --check --no-cache --show-fixes --line-length: --target-version: --version --exit-zero --preview --exclude: --show-settings --isolated',
    verbs: /^(?:check|format|rule|version)$/,
  },
  flake8: {
    table:
      '--select: --ignore: --max-line-length: --statistics --count --show-source --exclude: -q -v --max-complexity: --format: --version',
  },
  pylint: {
    table: '-E -r: -f: --disable: --enable: --errors-only --reports: --output-format: --score: --jobs: -j: --version',
  },
  black: {
    table:
      '--check --diff -q -v --quiet --verbose --line-length: -l: --target-version: -t: --color --no-color --version',
  },
  isort: { table: '--check --check-only --diff -c -q --profile: --version' },
  bandit: { table: '-r -l -q -ll -lll -f: -x: --recursive' },
  rspec: {
    table: '-f: --format: -e: --example: --color --no-color --tag: -t: --fail-fast? --order: --profile --seed:',
  },
  rubocop: {
    table: '-f: --format: --parallel --only: --except: --lint -l --display-cop-names --no-color --fail-level:',
  },
  phpunit: {
    table: '--filter: --group: --testsuite: --colors? --verbose -v --stop-on-failure --testdox --no-coverage',
  },
  phpstan: { table: '-l: --level: --no-progress --memory-limit: --error-format:', verbs: /^analy[sz]e$/ },
  shellcheck: { table: '-a -x -f: -s: -S: -e: -i: --format: --shell: --severity: --exclude: --color? -W:' },
  hadolint: { table: '-f: --format: --ignore: --no-color' },
  yamllint: { table: '-s -f: --strict --format: --no-warnings' },
  markdownlint: { table: '-q --quiet --json -i:' },
  'markdownlint-cli2': { table: '--no-globs' },
  actionlint: { table: '-color -no-color -verbose' },
  cargo: {
    table:
      '-q -v -p: -j: -F: --quiet --verbose --package: --workspace --all --all-targets --all-features --no-default-features --features: --release --lib --bins --bin: --test: --tests --example: --examples --bench: --benches --doc --no-run --no-fail-fast --jobs: --locked --offline --frozen --message-format: --color: --profile: --keep-going --exclude: --no-deps --check --depth: -e: -i: --edges: --invert: --prefix: --format-version: -D: -W: -A: --tests --ignore-rust-version --nocapture --exact --ignored --test-threads: --document-private-items --version --list',
    verbs: /^(?:test|t|check|c|build|b|clippy|bench|doc|tree|metadata|fmt|nextest|verify-project|version)$/,
    isText: true,
  },
  go: {
    table:
      '-v -race -short -count: -run: -bench: -benchmem -cover -timeout: -tags: -failfast -json -p: -parallel: -n -x -vet: -coverpkg: -cpu: -skip: -list: -shuffle: -e -f: -m -deps -test -find -compiled -trimpath -covermode: -fuzz: -fuzztime:',
    verbs: /^(?:test|vet|build|list|version|doc)$/,
    isText: true,
  },
  gofmt: { table: '-l -d -s -e' },
  staticcheck: { table: '-f: -checks: -tests? -show-ignored', isText: true },
  'golangci-lint': {
    table: '-v --timeout: --no-config --enable: -E: --disable: -D: --out-format: --new --tests',
    verbs: /^run$/,
  },
  make: {
    table:
      '-j? -k -n -s -i -B -# --jobs? --keep-going --dry-run --just-print --silent --quiet --no-print-directory --always-make --version --output-sync? -O?',
    isText: true,
  },
  gmake: { table: '-j? -k -n -s --dry-run --version', isText: true },
  ninja: { table: '-C@ -j: -k: -v -n --version --verbose', isText: true },
  cmake: { table: '-j? -v -t: --parallel? --config: --target: --verbose', verbs: /^--build$/ },
  just: { table: '-q --quiet', isText: true },
  task: { table: '-s --silent -p --parallel', isText: true },
  rustfmt: { table: '--check --edition: --color: -l' },
  swiftlint: { table: '--strict --quiet', verbs: /^lint$/ },
  luacheck: { table: '-q --no-color --codes --std:' },
  prove: { table: '-l -v -r -b -Q -q -j: --lib --recurse --verbose' },
  typos: { table: '--format: --hidden --files' },
  gotestsum: { table: '--format: -f:', isText: true },
  forge: { table: '-v -vv -vvv --match-test: --match-contract: --sizes', verbs: /^(?:test|build)$/, isText: true },
  ctest: {
    table: '-V -VV -R: -E: -j: -N --test-dir@ --output-on-failure --verbose -C: --parallel: --rerun-failed',
    isText: true,
  },
  meson: { table: '-C@ -v --verbose --no-rebuild --list --suite:', verbs: /^(?:test|compile)$/, isText: true },
  bazel: {
    table: '--test_output: --config: --keep_going -k --nocache_test_results --jobs:',
    verbs: /^(?:test|build|query|cquery)$/,
    isText: true,
  },
  mvn: {
    table:
      '-q -B -o -e -X -T: -pl: -am -P: -Dtest: -DskipTests? -U -ntp -V --quiet --batch-mode --offline --no-transfer-progress --version',
    isText: true,
  },
  gradle: {
    table:
      '-q -i -s --info --stacktrace --quiet --offline --continue --parallel --no-daemon --tests: --rerun-tasks --build-cache --no-build-cache --warning-mode: -x: --console: --version --dry-run -m',
    isText: true,
  },
  sbt: { table: '-batch -v -no-colors', isText: true },
  dotnet: {
    table:
      '-c: -v: --configuration: --verbosity: --no-build --no-restore --filter: --logger: -l: --framework: -f: --nologo --verify-no-changes --collect: --version --info --list-sdks',
    verbs: /^(?:test|build|format|--version|--info|--list-sdks)$/,
  },
  swift: {
    table: '-c: -v --configuration: --filter: --parallel --skip: --verbose',
    verbs: /^(?:test|build)$/,
    isText: true,
  },
  zig: { table: '--summary: -D: -O:', verbs: /^(?:test|build|fmt|version)$/ },
  mix: {
    table:
      '--trace --stale --failed --only: --exclude: --seed: --warnings-as-errors --check-formatted --cover --force --all-warnings',
    verbs: /^(?:test|compile|format|credo|dialyzer)$/,
  },
  rake: { table: '-s -t --silent --trace', isText: true },
  stack: { table: '--fast --ta:', verbs: /^(?:test|build)$/, isText: true },
  cabal: { table: '-v: --enable-tests', verbs: /^(?:test|build|check)$/, isText: true },
  dune: { table: '--display: --force', verbs: /^(?:test|build|runtest)$/, isText: true },
  flutter: { table: '--no-pub --coverage --name: --plain-name: --reporter: -r:', verbs: /^(?:test|analyze)$/ },
  dart: {
    table: '--fatal-infos --fatal-warnings --name: -n: --reporter: -r: --set-exit-if-changed --output:',
    verbs: /^(?:test|analyze)$/,
  },
  turbo: { table: '--filter: --force --no-cache --output-logs: --dry-run? --parallel --continue', isText: true },
  nx: { table: '--skip-nx-cache --parallel? --verbose --all --base: --head: -t: --target: --targets:', isText: true },
  knip: { table: '--production --strict --no-exit-code --reporter: --include: --exclude:' },
  depcheck: { table: '--json --ignores:' },
  attw: { table: '--pack? -f: --format:' },
  publint: { table: '--strict', isText: true },
  size_limit: { table: '--json' },
  'vue-tsc': { table: '-p< -b --noEmit --build --project< --skipLibCheck --force' },
  'svelte-check': { table: '--tsconfig< --threshold: --fail-on-warnings --output:' },
  astro: { table: '--noSync', verbs: /^(?:check|build)$/ },
  next: { table: '--no-lint --debug --profile --turbo', verbs: /^(?:build|lint)$/ },
  vite: { table: '--mode: -m: --logLevel: -l: --minify?', verbs: /^build$/ },
  webpack: { table: '--mode: --progress --stats?', verbs: /^(?:build)$/ },
  rollup: { table: '--silent' },
  esbuild: { table: '--bundle --minify --sourcemap? --platform: --target: --format: --log-level:' },
}

const SINGLE_DASH = new Set(['go', 'mvn', 'staticcheck', 'actionlint', 'ctest', 'sbt'])
const FIXES =
  /^(?:--fix\S*|--write|--apply\S*|--unsafe\S*|-w|--in-place|-i|--update\S*|-u|--updateSnapshot|--autofix|-A|-a|--auto-correct\S*)$/
const TARGETS: Record<string, RegExp> = {
  make: /^(?:\d+|all|vet|coverage|bench|e2e|integration|spec|types|validate|fmt-check|format-check|(?:test|tests|check|build|lint|typecheck|verify|compile|unit|ci)(?:[-_][\w-]+)?|[\w-]+[-_](?:test|tests|check|lint))$/,
  just: /^(?:(?:test|tests|check|build|lint|typecheck|verify|compile|unit|ci)(?:[-_][\w-]+)?)$/,
  task: /^(?:(?:test|tests|check|build|lint|typecheck|verify|compile|unit|ci)(?:[-_:][\w-]+)?)$/,
  gmake: /^(?:test|check|build|lint)$/,
  ninja: /^(?:all|test|check)$/,
  mvn: /^(?:test|verify|compile|test-compile|validate|package|checkstyle:check|spotless:check)$/,
  gradle:
    /^:?(?:[\w-]+:)*(?:test|check|build|lint|classes|testClasses|assemble|compile\w+|spotlessCheck|ktlintCheck|detekt|test[A-Z]\w*|[a-z]\w*Test)$/,
  sbt: /^(?:test|compile|testOnly\b.*|test:compile|scalafmtCheck\w*)$/,
  rake: /^(?:test|spec|lint|rubocop|check|test:\w+)$/,
  turbo: /^(?:run|test|build|lint|check|typecheck|check-types)$/,
  nx: /^(?:test|build|lint|typecheck|[\w-]+:(?:test|build|lint|typecheck))$/,
  zig: /^(?:test|[\w./-]+\.zig)$/,
}

const specs = new Map<string, Spec>()

function specOf(name: string, { table }: Check): Spec {
  const known = specs.get(name) ?? readSpec(`${table} --version --help`, SINGLE_DASH.has(name))
  specs.set(name, known)
  return known
}

const NODE_TEST = readSpec(
  '--test --test-only --test-name-pattern: --test-reporter: --watch --experimental-strip-types --experimental-test-coverage --test-concurrency: --test-timeout: --enable-source-maps --no-warnings --test-force-exit',
)
const BUN_TEST = readSpec('-t: --bail? --timeout: --coverage --only --todo --test-name-pattern:')
const DENO = readSpec(
  '-q --quiet --check --filter: --fail-fast? --parallel --no-check --json --compact --doc --cached-only --no-remote',
)
const UNITTEST = readSpec('-v -q -f -b -c -k: -s@ -p: -t@ --verbose --quiet --failfast --buffer --locals')

/** Programs that test, build or check a project: they run its code, and are known by their names and options. */
export const checks: Record<string, Judge> = {
  ...Object.fromEntries(Object.keys(TABLES).map((name) => [name, (call: Call) => judgeCheck(call, name)])),
  'node --test': (call) => {
    const { operands, given } = parseOptions(call, NODE_TEST)
    checkValues(call, NODE_TEST, given)
    call.note('check', 'project-script', 'node --test')
    for (const operand of operands) checkPath(call, operand, 'read')
  },
  bun: (call) => {
    const [verb, name] = call.args
    const isScript = verb?.text === 'run' && isCheckName(name?.text ?? '') && call.args.length === 2
    const isCheck = verb?.isExact && (/^(?:test|build)$/.test(verb.text) || isScript)
    if (!isCheck) return call.note('unknown', 'runs-code', call.args.map(shown).join(' '))
    parseOptions({ ...call, args: call.args.slice(1) }, BUN_TEST)
    call.note('check', 'project-script', call.args.map(shown).join(' '))
  },
  deno: (call) => {
    const [verb] = call.args
    if (verb?.text === '--version') return
    if (verb?.text === 'task' && isCheckName(call.args[1]?.text ?? '') && call.args.length === 2)
      return call.note('check', 'project-script', `deno task ${call.args[1]?.text}`)
    if (!/^(?:test|lint|check|fmt)$/.test(verb?.text ?? ''))
      return call.note('unknown', 'runs-code', call.args.map(shown).join(' '))
    if (verb?.text === 'fmt' && !call.args.some(({ text }) => text === '--check'))
      return call.note('effects', 'changes', 'files')
    const { operands } = parseOptions({ ...call, args: call.args.slice(1) }, DENO)
    call.note('check', 'project-script', `deno ${verb?.text}`)
    for (const operand of operands) checkPath(call, operand, 'read')
  },
}

function judgeCheck(call: Call, name: string) {
  const check = TABLES[name] as Check
  const { verbs, isText } = check
  const spec = specOf(name, check)
  const [first, ...rest] = call.args
  // Alone: some load a plugin before they say which release they are.
  if (rest.length === 0 && /^--(?:version|help)$/.test(first?.text ?? '')) return
  let inner = call
  const verb = first?.isExact && verbs?.test(first.text) ? first.text : undefined
  if (verb !== undefined) inner = { ...call, args: rest }
  else if (verbs && !/^(?:vitest|dotnet)$/.test(name))
    return call.note('unknown', 'runs-code', call.args.map(shown).join(' '))
  else if (
    name === 'vitest' &&
    first &&
    !first.text.startsWith('-') &&
    /^(?:dev|watch|init|complete)$/.test(first.text)
  )
    return call.note('unknown', 'runs-code', first.text)
  else if (name === 'dotnet') return call.note('unknown', 'runs-code', call.args.map(shown).join(' '))
  call.note('check', 'project-script', [name, verb ?? ''].join(' ').trim())
  for (const { text } of inner.args)
    if (FIXES.test(text) && !isOther(name, text) && !/^(?:gradle|make|mvn|go|grep)$/.test(name))
      call.note('effects', 'changes', text)
  checkRest(inner, name, { spec, isText: isText ?? false, verb })
}

// Letters that mean something else.
function isOther(name: string, text: string): boolean {
  return (name === 'prettier' && text === '-u') || (/^(?:jest|cargo)$/.test(name) && text === '-i')
}

const RUNS =
  /^(?:-{1,2}(?:exec|toolexec|vettool|eval|config|rulesdir|resolve-plugins-relative-to|plugin|plugins|script-shell|require|import|init-script|makefile|directory|include-dir|build-file|manifest-path|settings|c|I|f|C|p)(?:=|$))/
const HOSTILE =
  /^-{1,2}(?:exec|toolexec|vettool|eval|script-shell|init-script|testRunner|globalSetup|rulesdir)(?:=|$)|^-E$/

function checkRest(
  call: Call,
  name: string,
  { spec, isText, verb }: { spec: Spec; isText: boolean; verb: string | undefined },
): void {
  for (const [at, { text }] of call.args.entries()) {
    if (name === 'make' && text === '-E') call.note('hostile', 'runs-program', 'make -E')
    else if (HOSTILE.test(text) && text !== '-E') call.note('hostile', 'runs-program', `${name} ${text}`)
    else if (/^--config(?:=|$)/.test(text) && name === 'cargo')
      call.note('hostile', 'runs-program', `cargo ${text} ${call.args[at + 1]?.text ?? ''}`)
    else if (
      RUNS.test(text) &&
      !spec.long.has(text.split('=')[0] ?? '') &&
      !(text.length === 2 && spec.short.has(text[1] ?? ''))
    )
      call.note('unknown', 'option', text)
  }
  const dashes = call.args.findIndex(({ text }) => text === '--')
  const { operands, given } = parseOptions(dashes < 0 ? call : { ...call, args: call.args.slice(0, dashes) }, spec)
  checkValues(call, spec, given)
  if (name === 'rustfmt' && !call.args.some(({ text }) => text === '--check')) call.note('effects', 'changes', 'files')
  if (verb === 'nextest' && !/^(?:run|r|list)$/.test(operands[0]?.text ?? ''))
    call.note('unknown', 'runs-code', `cargo nextest ${operands.map(shown).join(' ')}`)
  if (verb === 'fmt' && name === 'cargo' && !call.args.some(({ text }) => text === '--check'))
    call.note('effects', 'changes', 'files')
  if (
    verb === 'format' &&
    (name === 'ruff' || name === 'dotnet' || name === 'mix') &&
    !call.args.some(({ text }) => /^--(?:check|diff|verify-no-changes|check-formatted)/.test(text))
  )
    call.note('effects', 'changes', 'files')
  if (
    (name === 'black' || name === 'isort') &&
    !call.args.some(({ text }) => /^(?:--check|--check-only|--diff|-c|--version)$/.test(text))
  )
    call.note('effects', 'changes', 'files')
  if (name === 'prettier' && !call.args.some(({ text }) => /^(?:-c|-l|--check|--list-different|--version)$/.test(text)))
    call.note('check', 'project-script', 'prettier')
  for (const operand of operands) {
    const target = TARGETS[name]
    const isKnown = target === undefined || (target.test(operand.text) && !CHANGES.test(operand.text))
    if (!isKnown || operand.text.startsWith('@')) call.note('unknown', 'runs-code', `${name} ${shown(operand)}`)
    if (!isText) checkPath(call, operand, 'read')
    else if (/^[/~]|\.\./.test(operand.text) && !/^\.\/\.\.\.$|\.\.\.$/.test(operand.text))
      checkPath(call, operand, 'read')
  }
  // Behind their dashes stand settings that may name a folder with code, or words for another builder.
  if (dashes >= 0 && (name === 'dotnet' || name === 'cmake')) call.note('unknown', 'option', '--')
  else if (dashes >= 0) handedOn({ ...call, args: call.args.slice(dashes + 1) })
}

// What they name is run, as with a script.
const SESSIONS = new Set(['tox -e', 'nox -s', 'nox --sessions', 'cmake -t', 'cmake --target'])

// A reporter, a format or a filter that is a path is code that is loaded, or a place that is written.
function checkValues(call: Call, spec: Spec, given: Parsed['given']) {
  for (const [option, value] of given) {
    const kind = spec.long.get(option) ?? spec.short.get(option.slice(1))
    if (kind !== 'text' && kind !== 'maybe') continue
    if (value && SESSIONS.has(`${call.name} ${option}`) && CHANGES.test(value.text))
      call.note('unknown', 'runs-code', `${call.name} ${shown(value)}`)
    if (value && /^(?:\.{0,2}\/|@|~)|[\w/-]\.[cm]?[jt]sx?$|[:=][./~]/.test(value.text))
      call.note('unknown', 'option', `${option} ${shown(value)}`)
  }
}

const HANDED_ON = readSpec(RUNNER)

/** Words behind `--` that a script gets: which tests, or how much it says. */
export function handedOn(call: Call): void {
  const { operands, given } = parseOptions(call, HANDED_ON)
  checkValues(call, HANDED_ON, given)
  for (const operand of operands) checkPath(call, operand, 'read')
}

const MODULES = new Set([
  'pytest',
  'mypy',
  'ruff',
  'flake8',
  'pylint',
  'black',
  'isort',
  'tox',
  'nox',
  'bandit',
  'pyright',
])

/** `python -m NAME` where that is a test or a check; false where it is not. */
export function judgeModule(call: Call, name: string): boolean {
  if (name === 'unittest') {
    parseOptions(call, UNITTEST)
    call.note('check', 'project-script', 'unittest')
    return true
  }
  if (!MODULES.has(name)) return false
  judgeCheck(call, name)
  return true
}
