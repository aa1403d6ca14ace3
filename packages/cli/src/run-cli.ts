import { CliError } from './cli-error.ts'
import type { Command, Invocation } from './command.ts'
import { createDesk, type Desk, type World } from './desk.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { commandHelp, overviewHelp } from './help.ts'
import { globalOptions } from './option.ts'
import { type ParsedArguments, parseArguments } from './parse-arguments.ts'
import { type CommandEntry, commands } from './registry.ts'
import { reportError } from './report-error.ts'
import { checkArguments, unknownCommand } from './usage.ts'
import { version } from './version.ts'

type Registry = { readonly [name: string]: CommandEntry }

/** Runs one call of `maru` in the given world. Never throws: failures are lines on stderr and the exit code. */
export async function runCli(args: readonly string[], world: World, registry: Registry = commands): Promise<ExitCode> {
  const desk = await createDesk(args, world)
  try {
    const code = await dispatch(args, desk, registry)
    return world.signal.aborted ? EXIT.interrupted : code
  } catch (error) {
    return await reportError(error, desk)
  }
}

async function dispatch(args: readonly string[], desk: Desk, registry: Registry): Promise<ExitCode> {
  const outer = parseArguments(args, globalOptions, { stopAtPositional: true })
  const before = args.slice(0, args.length - outer.positionals.length)
  const [name, ...after] = outer.positionals
  if (await meansAgent(args, outer, { desk, registry })) return dispatch(['agent', ...args], desk, registry)
  if (name === undefined || name === 'help') {
    const topic = after[0]
    if (topic !== undefined) return dispatch([...before, topic, '--help'], desk, registry)
    checkArguments(outer, { command: undefined, options: globalOptions, positionals: [] }, desk.t)
    return printAbout(outer.options['version'] === true, desk, registry)
  }
  const entry = Object.hasOwn(registry, name) ? registry[name] : undefined
  if (!entry) throw unknownCommand(name, Object.keys(registry), desk.t)
  const command = await entry.load()
  const parsed = parseArguments([...before, ...after], { ...globalOptions, ...command.options })
  if (parsed.options['help'] === true) return printHelp(command, entry, desk)
  if (parsed.options['version'] === true) return printAbout(true, desk, registry)
  checkArguments(
    parsed,
    { command: name, options: { ...globalOptions, ...command.options }, positionals: command.positionals },
    desk.t,
  )
  return runCommand(command, () => desk.invocation(parsed))
}

// `maru` alone is the agent, where a person is there to talk to it; with options of the agent it always is.
async function meansAgent(
  args: readonly string[],
  { options, positionals, problems }: ParsedArguments,
  { desk, registry }: { desk: Desk; registry: Registry },
): Promise<boolean> {
  const { agent } = registry
  if (!agent || options['help'] === true || options['version'] === true) return false
  const [problem] = problems
  if (!problem) return positionals.length === 0 && desk.isInteractive
  const command = await agent.load()
  const isItsOwn = problem.kind === 'unknown-option' && Object.hasOwn(command.options, problem.option.slice(2))
  return isItsOwn && parseArguments(args, { ...globalOptions, ...command.options }).positionals.length === 0
}

// Who has no key yet is shown how to get a model, where a person is there to choose; then the command is tried again.
async function runCommand(command: Command, invoke: () => Invocation): Promise<ExitCode> {
  const invocation = invoke()
  try {
    return await command.run(invocation)
  } catch (error) {
    if (!(error instanceof CliError && error.code === 'no-key') || !invocation.isInteractive || invocation.json)
      throw error
    const { firstRun, isUnconfigured } = await import('./first-run/first-run.ts')
    if (!(await isUnconfigured(invocation))) throw error
    const outcome = await firstRun(invocation)
    // A new invocation: the old one has read the settings as they were.
    return outcome === 'ready' ? command.run(invoke()) : outcome
  }
}

async function printAbout(isVersion: boolean, desk: Desk, registry: Registry): Promise<ExitCode> {
  if (isVersion) await desk.stdout.line(`maru ${version}`)
  else await desk.stdout.write(overviewHelp(registry, desk))
  return EXIT.done
}

async function printHelp(command: Command, entry: CommandEntry, desk: Desk): Promise<ExitCode> {
  await desk.stdout.write(commandHelp(command, entry, desk))
  return EXIT.done
}
