import type { Command } from './command.ts'
import { createDesk, type Desk, type World } from './desk.ts'
import { EXIT, type ExitCode } from './exit-code.ts'
import { commandHelp, overviewHelp } from './help.ts'
import { globalOptions } from './option.ts'
import { parseArguments } from './parse-arguments.ts'
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
  return command.run(desk.invocation(parsed))
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
