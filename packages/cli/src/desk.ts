import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { createTranslator, pickLanguage } from '@maru/i18n'
import { usageError } from './cli-error.ts'
import type { Invocation } from './command.ts'
import type { LoadedConfig } from './config/load-config.ts'
import type { Environment } from './environment.ts'
import { findRepository } from './find-repository.ts'
import { type GlobalOptions, globalOptions } from './option.ts'
import { type ParsedArguments, parseArguments } from './parse-arguments.ts'
import { createOutput, type Output, type Stream } from './terminal/output.ts'
import { printable } from './terminal/printable.ts'
import { createStyle, type Style, wantsColour } from './terminal/style.ts'

/** The process as a command sees it: the edge that tests replace. */
export interface World {
  readonly stdin: AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean }
  readonly stdout: Stream
  readonly stderr: Stream
  readonly env: Environment
  readonly cwd: string
  readonly signal: AbortSignal
}

type Fixed = Omit<Invocation, 'options' | 'positionals' | 'stdin' | 'repo' | 'config'>

/** What is settled before the arguments are understood: language, colours, places. Errors are told with it too. */
export interface Desk extends Fixed {
  readonly verbose: boolean
  /** Colours for stderr. */
  readonly errorStyle: Style
  invocation(parsed: ParsedArguments): Invocation
}

/** Sets the desk by the global options, wherever they stand and whatever else is wrong. */
export async function createDesk(args: readonly string[], world: World): Promise<Desk> {
  const { env, cwd, signal } = world
  const options = parseArguments(args, globalOptions).options as GlobalOptions
  const stdout = createOutput(world.stdout)
  const stderr = createOutput(world.stderr)
  const home = resolve(cwd, env['MARU_HOME'] || join(env['HOME'] || homedir(), '.maru'))
  const lang = await chooseLanguage(options.lang, env, home)
  const styleOf = ({ isTerminal }: Output, isRefused: boolean) =>
    createStyle(wantsColour(env, { isRefused: isRefused || options['no-color'], isTerminal }))
  const fixed: Fixed = {
    stdout,
    stderr,
    env,
    cwd,
    home,
    signal,
    lang,
    t: createTranslator(lang),
    style: styleOf(stdout, options.json),
    isInteractive: stdout.isTerminal && world.stdin.isTTY === true,
    json: options.json,
    notice: async (line) => {
      if (!options.quiet) await stderr.line(line)
    },
  }
  return {
    ...fixed,
    verbose: options.verbose,
    errorStyle: styleOf(stderr, false),
    invocation: (parsed) => invocationOf(fixed, world, parsed),
  }
}

async function chooseLanguage(flag: string | undefined, env: Environment, home: string) {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG']
  const wishes = { flag, env: env['MARU_LANG'], locale }
  if (flag || wishes.env) return pickLanguage(wishes)
  const { peekLanguage } = await import('./config/peek-language.ts')
  return pickLanguage({ ...wishes, config: await peekLanguage(home) })
}

function invocationOf(fixed: Fixed, world: World, { options, positionals }: ParsedArguments): Invocation {
  const { cwd, env, home, notice, t } = fixed
  const given = options as GlobalOptions
  let loading: Promise<LoadedConfig> | undefined
  let root: string | undefined
  const repo = () => {
    root ??= findRepository(resolve(cwd, given.repo ?? '.'))
    if (root === undefined) throw usageError(t('cli.no-repo', { path: printable(given.repo ?? cwd) }))
    return root
  }
  const load = async () => {
    const { loadConfig } = await import('./config/load-config.ts')
    const loaded = await loadConfig({ home, repo: repo(), env, flags: options, t })
    for (const warning of loaded.warnings) await notice(warning)
    return loaded
  }
  return {
    ...fixed,
    // The parser made these by the command's own table, whose type the command knows.
    options: options as Invocation['options'],
    positionals,
    get stdin() {
      return world.stdin
    },
    repo,
    config: () => {
      loading ??= load()
      return loading
    },
  }
}
