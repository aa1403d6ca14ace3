import type { Call, Judge } from '../call.ts'
import { checkPath, shown } from '../check-path.ts'
import { exact, type Field } from '../scope.ts'
import { textOf } from './carriers.ts'
import { checks, handedOn, isCheckName } from './checks.ts'

/** Package managers: they run the project's scripts, fetch other people's code, and publish. */
export const packagers: Record<string, Judge> = {
  npm: packageManager,
  pnpm: packageManager,
  yarn: packageManager,
  npx: runsPackage,
  bunx: runsPackage,
  pnpx: runsPackage,
  corepack: packageManager,
  pip: installer,
  pip3: installer,
  pipx: installer,
  uv: environmentRunner,
  poetry: environmentRunner,
  pipenv: environmentRunner,
  pdm: environmentRunner,
  hatch: environmentRunner,
  rye: environmentRunner,
  bundle: environmentRunner,
  conda: installer,
  mamba: installer,
  gem: installer,
  composer: installer,
  cargo: (call) =>
    otherwise(
      call,
      /^(?:install|add|update|fetch|publish|yank|login|search|owner|run|r|remove|clean|new|init|vendor)$/,
    ),
  go: (call) => otherwise(call, /^(?:get|install|mod|run|generate|env|clean|work|tool|telemetry)$/),
  dotnet: (call) => otherwise(call, /^(?:add|restore|run|publish|nuget|tool|new|remove)$/),
  nuget: installer,
  cpan: installer,
  luarocks: installer,
  rustup: installer,
  nvm: installer,
  fnm: installer,
  volta: installer,
  asdf: installer,
  mise: installer,
  lerna: (call) => call.note('unknown', 'runs-code', textOf(call.args)),
  prisma: migrates,
  drizzle_kit: migrates,
  knex: migrates,
  sequelize: migrates,
  typeorm: migrates,
  alembic: migrates,
  flyway: migrates,
  liquibase: migrates,
  rails: migrates,
  artisan: migrates,
}

const FOREIGN = /^(?:https?:|git\+|git:|ssh:|github:|gitlab:|bitbucket:|gist:|file:\/|\/|~)|\.tgz$/
const REGISTRY =
  /^(?:--registry|--index-url|--extra-index-url|-i|--find-links|--trusted-host|--index|--source|--git|--default-index)(?:=|$)/
const SCRIPT_SHELL =
  /^--(?:script-shell|shell|node-options|prefix|globalconfig|userconfig|git|editor|viewer|call|ignore-scripts=false|dir|cwd|use-yarnrc|init-module)(?:=|$)|^-C$/
const QUIET =
  /^(?:--silent|-s|--quiet|-q|--if-present|--workspaces|-ws|--no-color|--color|--recursive|-r|--parallel|--stream|--loglevel=\w+|--workspace=[\w@/-]+|--filter=[\w@/.*-]+|--no-audit|--no-fund)$/

function packageManager(call: Call) {
  const { args, name } = call
  const words: Field[] = []
  let dashes = -1
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as Field
    const { text } = arg
    if (text === '--') {
      dashes = at
      break
    }
    if (REGISTRY.test(text)) call.note('hostile', 'remote-code', text)
    else if (SCRIPT_SHELL.test(text)) judgePlace(call, arg, args[at + 1])
    else if (/^(?:-w|--workspace|--filter|-F)$/.test(text)) at++
    else if (text.startsWith('-') && !QUIET.test(text)) words.push(arg)
    else if (!text.startsWith('-')) words.push(arg)
  }
  const [verb, second, ...rest] = words
  const word = verb?.text ?? ''
  if (['--version', '-v', '--help', '-h'].includes(word) && args.length === 1) return
  if (word === 'workspace' && name === 'yarn' && /^[\w@-][\w@/-]*$/.test(second?.text ?? '') && words[0] === args[0])
    return packageManager({ ...call, args: args.slice(2) })
  if (runsTool(call, verb)) return
  const script = isRunning(word, second, name)
  if (script !== undefined) {
    const extra = word === 'run' || word === 'run-script' ? rest : words.slice(1)
    if (!isCheckName(script)) return call.note('unknown', 'runs-code', `${name} run ${script}`)
    call.note('check', 'project-script', `${name} run ${script}`)
    for (const option of extra) {
      // yarn and pnpm hand on without dashes; npm takes unknown options for its own.
      if (option.text.startsWith('-') && name === 'npm') call.note('unknown', 'option', shown(option))
    }
    handedOn({
      ...call,
      args: [
        ...extra.filter(({ text }) => name !== 'npm' || !text.startsWith('-')),
        ...(dashes < 0 ? [] : args.slice(dashes + 1)),
      ],
    })
    return
  }
  judgeVerb(call, word, { rest: words.slice(1) })
}

// yarn and pnpm take the name of an installed program for a command.
function runsTool(call: Call, verb: Field | undefined): boolean {
  const name = verb?.text ?? ''
  if (!/^(?:yarn|pnpm)$/.test(call.name) || !verb?.isExact || !isTool(name)) return false
  call.note('check', 'project-script', `${call.name} ${name}`)
  checks[name]?.({ ...call, name, args: call.args.slice(call.args.indexOf(verb) + 1) })
  return true
}

// A program of the project, not one that is a name for many.
function isTool(name: string): boolean {
  return Object.hasOwn(checks, name) && !/^(?:make|go|cargo|mvn|gradle|node --test|bun|deno|just|task)$/.test(name)
}

function judgePlace(call: Call, { text }: Field, next: Field | undefined) {
  if (/^(?:--prefix|--dir|--cwd|-C)/.test(text)) {
    const path = text.includes('=') ? text.slice(text.indexOf('=') + 1) : (next?.text ?? '')
    call.note('unknown', 'elsewhere', path)
    checkPath(call, exact(path), 'read')
  } else call.note('hostile', 'runs-program', `${call.name} ${text}`)
}

function isRunning(word: string, second: Field | undefined, name: string): string | undefined {
  if (/^(?:run|run-script|rum|urn)$/.test(word)) return second?.text
  if (/^(?:test|t|tst)$/.test(word)) return 'test'
  if (/^(?:start|stop|restart)$/.test(word)) return word
  // yarn and pnpm take the name of a script for a command.
  return (name === 'yarn' || name === 'pnpm') && isCheckName(word) ? word : undefined
}

const LOOKS = /^(?:ls|list|ll|la|root|bin|prefix|explain|why|fund|query|pkg|config|get|licenses|help-search)$/
const NETWORK =
  /^(?:install|i|in|add|ci|clean-install|update|up|upgrade|outdated|audit|view|info|show|search|v|ping|whoami|login|logout|adduser|dist-tag|deprecate|owner|access|team|token|profile|star|stars|docs|repo|bugs|home|dedupe|rebuild|rb|link|create|init|dlx|exec|x|import|fetch|create|set|self-update|plugin|npm|dist-tags|hook|org|doctor|cache|store|prune|pack|import|patch|approve-builds|env|use|prepare|enable|disable)?$/

function judgeVerb(call: Call, word: string, { rest }: { rest: readonly Field[] }) {
  const line = `${call.name} ${word} ${textOf(rest)}`.trim()
  if (/^(?:publish|unpublish|deprecate|version|stage)$/.test(word) || (word === 'npm' && rest[0]?.text === 'publish'))
    return call.note('irreversible', 'publishes', line)
  if (word === 'token' || (word === 'config' && /_auth|token|password/i.test(line)))
    call.note('hostile', 'credentials', line)
  if (word === 'exec' || word === 'x' || word === 'dlx' || word === 'create')
    return runsPackage({
      ...call,
      args:
        word === 'exec' && call.args.some(({ text }) => text === '--')
          ? call.args.slice(call.args.findIndex(({ text }) => text === '--') + 1)
          : rest,
    })
  if (word === 'config' || word === 'set' || word === 'pkg') return configures(call, word, rest)
  if (LOOKS.test(word)) {
    const isKnown = rest.every(
      ({ text }) =>
        !text.startsWith('-') ||
        /^--(?:depth(?:=\d+)?|all|json|long|parseable|prod|dev|omit=\w+|production)$|^-[alp]$/.test(text),
    )
    if (
      !/^(?:ls|list|ll|la|root|bin|prefix|why|explain)$/.test(word) ||
      !isKnown ||
      call.args.some(({ text }) => /^-g|^--global/.test(text))
    )
      call.note('unknown', 'option', line)
    return
  }
  if (/^(?:uninstall|remove|rm|un|r|unlink)$/.test(word)) return call.note('effects', 'changes', line)
  if (NETWORK.test(word)) {
    fetchesPackages(call, rest)
    return
  }
  call.note('unknown', 'runs-code', line)
}

function configures(call: Call, word: string, rest: readonly Field[]) {
  const verb = rest[0]?.text ?? ''
  const line = `${call.name} ${word} ${textOf(rest)}`
  if (word === 'pkg') return call.note(verb === 'get' ? 'unknown' : 'effects', 'changes', 'package.json')
  if (word === 'config' && /^(?:get)$/.test(verb) && rest.length === 2 && /^[\w-]+$/.test(rest[1]?.text ?? ''))
    return call.note('unknown', 'environment', line)
  if (word === 'set' || /^(?:set|edit|delete|rm|fix)$/.test(verb)) return call.note('hostile', 'persistence', line)
  call.note('unknown', 'environment', line)
}

function fetchesPackages(call: Call, rest: readonly Field[]) {
  call.reach('*', 'the registry')
  call.note('unknown', 'network', textOf(rest) || call.name)
  for (const { text } of rest) {
    if (FOREIGN.test(text) || /^[^@\s]+@(?:https?:|git|github:|file:\/)/.test(text))
      call.note('hostile', 'remote-code', text)
  }
}

// A local copy of a known checker is what the project says it is; anything else is fetched and run.
function runsPackage(call: Call) {
  const { args } = call
  let at = 0
  for (; at < args.length; at++) {
    const { text } = args[at] as Field
    if (/^(?:-c|--call)(?:=|$)/.test(text)) {
      call.note('hostile', 'runs-program', `${call.name} ${text}`)
      call.probe(args[at + 1]?.text ?? '')
      return
    }
    if (REGISTRY.test(text)) call.note('hostile', 'remote-code', text)
    if (/^(?:-p|--package)$/.test(text)) {
      at++
      call.note('unknown', 'option', text)
    } else if (/^(?:--no|--no-install|--offline|--silent|-q|--quiet|--)$/.test(text)) continue
    else if (text.startsWith('-')) call.note('unknown', 'option', text)
    else break
  }
  const program = args[at]
  const name = program?.text ?? ''
  if (isTool(name) && program?.isExact) {
    checks[name]?.({ ...call, name, args: args.slice(at + 1) })
    call.note('check', 'project-script', `${call.name} ${name}`)
    return
  }
  if (FOREIGN.test(name)) call.note('hostile', 'remote-code', name)
  if (/^prisma$|^knex$|^typeorm$|^sequelize/.test(name)) migrates({ ...call, args: args.slice(at + 1) })
  call.reach('*', 'the registry')
  call.note('unknown', 'runs-code', args.map(shown).join(' '))
}

function installer(call: Call) {
  const { args } = call
  const verb = args.map(({ text }) => text).find((text) => !text.startsWith('-')) ?? ''
  const rest = args.filter(({ text }) => text !== verb)
  if (['--version', '-V', '--help'].includes(args[0]?.text ?? '') && args.length === 1) return
  if (
    call.name.startsWith('pip') &&
    /^(?:list|freeze|show|check)$/.test(verb) &&
    rest.every(({ text }) => /^--format[= ]?\w*$|^\w[\w.-]*$|^-f$/.test(text))
  )
    return
  for (const { text } of args) if (REGISTRY.test(text)) call.note('hostile', 'remote-code', text)
  if (verb === 'config') {
    if (/^config(?: (?:list|debug|get [\w.-]+|--list|--local --list))?$/.test(textOf(args)))
      return call.note('unknown', 'environment', textOf(args))
    call.note('hostile', 'persistence', textOf(args))
  }
  if (/^(?:push|publish|yank|upload|owner)$/.test(verb)) return call.note('irreversible', 'publishes', textOf(args))
  if (/^(?:uninstall|remove)$/.test(verb)) return call.note('irreversible', 'destroys', textOf(args))
  fetchesPackages(call, rest)
  for (const { text } of args)
    if (/^(?:git|hg|svn|bzr)\+|@\s*(?:git|https?)/.test(text)) call.note('hostile', 'remote-code', text)
}

function environmentRunner(call: Call) {
  const [verb, ...rest] = call.args
  const word = verb?.text ?? ''
  if (word === '--version' && rest.length === 0) return
  if ((word === 'run' || (word === 'exec' && call.name === 'bundle')) && rest[0] && !rest[0].text.startsWith('-')) {
    const name = rest[0].text
    call.run(rest)
    if (Object.hasOwn(checks, name) || /^python3?$/.test(name)) return
    return call.note('unknown', 'runs-code', textOf(rest))
  }
  installer(call)
}

function otherwise(outer: Call, verbs: RegExp) {
  const early = outer.args.find(({ text }) => /^--(?:config|registry)(?:=|$)/.test(text))
  if (early && outer.name === 'cargo') outer.note('hostile', 'runs-program', `cargo ${shown(early)}`)
  // `cargo +nightly test`
  const call = /^\+(?:stable|beta|nightly)[\w.-]*$/.test(outer.args[0]?.text ?? '')
    ? { ...outer, args: outer.args.slice(1) }
    : outer
  const [verb, ...rest] = call.args
  const word = verb?.text ?? ''
  if (!verbs.test(word)) return (checks[call.name] as Judge)(call)
  const line = `${call.name} ${word} ${textOf(rest)}`
  if (/^(?:run|r|generate|tool)$/.test(word)) return call.note('unknown', 'runs-code', line)
  if (/^(?:publish|yank|owner|nuget)$/.test(word)) return call.note('irreversible', 'publishes', line)
  if (word === 'env') return judgeGoEnv(call, rest)
  if (word === 'clean' || word === 'remove') return call.note('irreversible', 'destroys', line)
  if (/^(?:new|init|vendor|work)$/.test(word)) return call.note('effects', 'changes', line)
  if (word === 'mod' && /^(?:graph|why|verify)$/.test(rest[0]?.text ?? '')) return call.note('unknown', 'network', line)
  for (const { text } of rest) if (REGISTRY.test(text) && !/^-i$/.test(text)) call.note('hostile', 'remote-code', text)
  call.reach('*', 'the registry')
  call.note('unknown', 'network', line)
}

function judgeGoEnv(call: Call, rest: readonly Field[]) {
  if (rest.some(({ text }) => /^-[wu]$/.test(text))) return call.note('hostile', 'persistence', textOf(call.args))
  if (!rest.every(({ text }) => /^(?:GO[A-Z\d]+|CGO_ENABLED|-json)$/.test(text)) || rest.length === 0)
    call.note('unknown', 'environment', 'go env')
}

function migrates(call: Call): void {
  const line = textOf(call.args)
  call.note('unknown', 'database', line)
  call.reach('*', 'the database')
  if (/reset|drop|rollback|revert|fresh|clean|undo|down|destroy|wipe|--force|--accept-data-loss|truncate/.test(line))
    call.note('irreversible', 'destroys', line)
}
