import { join } from 'node:path'
import { shareLimit, TEXT_LIMIT } from '@maru/agent'
import type { Access, Diagnostic, Prepared, Tool, ToolContext, ToolResult } from '@maru/protocol'
import { cleanEnvironment, provenEnvironment } from './clean-environment.ts'
import type { Background } from './command/background.ts'
import { type CollectedOutput, collectOutput } from './command/collect-output.ts'
import { readCommandAccess } from './command/command-access.ts'
import { dataOf, tellBackground } from './command/command-output.ts'
import { judgeEnd, judgeStart } from './command/judge-end.ts'
import { keepOutput, SHOWN_BESIDE_KEPT } from './command/keep-output.ts'
import { startHeld } from './command/start-held.ts'
import { type ProcessOptions, type Running, untilEnd } from './command/start-process.ts'
import { tellLive } from './command/tell-live.ts'
import { approach } from './file-access.ts'
import type { HarmlessGit, openHarmlessGit } from './git/run-git.ts'
import { hashOf } from './hash.ts'
import { badArguments, readArguments } from './read-arguments.ts'
import { failure, INTERRUPTED, refusal } from './refusal.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { specs } from './specs.ts'
import type { Inside, Workspace } from './workspace.ts'

const DEFAULT_TIMEOUT_SEC = 120

type Arguments = {
  command?: string
  exe?: string
  args?: string[]
  cwd?: string
  timeoutSec?: number
  background?: boolean
}

interface Command {
  /** What a shell is given to read. */
  readonly line?: string
  readonly program: string
  readonly argv: string[]
  /** As a person reads it. */
  readonly shown: string
}

const GRACE_MS = 2_000
// Long enough to see a server fail at once, or say where it listens.
const FIRST_WORDS_MS = 500

export interface RunCommandOptions {
  readonly workspace: Workspace
  /** The directory that `workspace` was made for. */
  readonly root: string
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly background: Background
  /** Holds what is run, unless the permit says otherwise. */
  readonly sandbox?: Sandbox
}

/** The tool that runs a command, with nothing of the user's keys and nothing left behind. */
export function createRunCommand(options: RunCommandOptions): Tool {
  return {
    spec: specs.RunCommand,
    async prepare(args) {
      const read = readArguments<Arguments>(specs.RunCommand.schema, args)
      if (!read.ok) return refusal(read.diagnostic)
      const command = commandOf(read.args)
      if ('code' in command) return refusal(command)
      const { cwd = '.', timeoutSec, background = false } = read.args
      const run = { kind: 'run', program: command.program, argv: command.argv, proven: 'unknown' } satisfies Access
      const way = await approach(options.workspace, cwd, 'read')
      if (way.kind === 'refused') return refusal(way.diagnostic, way.access.length > 0 ? [run, ...way.access] : [])
      const { place } = way
      const { root, environment } = options
      const judged = await readCommandAccess(command, { root, cwd: join(root, place.path), home: environment['HOME'] })
      const { isProven, needsHarmlessGit } = judged
      // While it is perhaps asked about. What is wrong with it is told to whoever waits for it.
      if (!isProven) void options.sandbox?.warm().catch(() => undefined)
      const execution = { ...options, command, place, timeoutSec, isProven, needsHarmlessGit }
      return {
        access: judged.access,
        preview: { kind: 'command', command: background ? `${command.shown} &` : command.shown, cwd: place.path },
        // Nothing on the disk to compare: what was approved is these very words.
        basis: [hashOf(JSON.stringify([command.program, command.argv, place.path, timeoutSec, background]))],
        async run(context) {
          if (context.signal.aborted) return failure(INTERRUPTED)
          return background ? leaveRunning(execution, context) : runToEnd(execution, context)
        },
      } satisfies Prepared
    },
  }
}

function commandOf({ command, exe, args }: Arguments): Command | Diagnostic {
  if ((command === undefined) === (exe === undefined)) return badArguments('Give either command or exe.')
  if (command !== undefined && args !== undefined) return badArguments('args belong to exe, not to command.')
  if ([command, exe, ...(args ?? [])].some((word) => word?.includes('\0'))) {
    return badArguments('A command cannot hold a NUL character.')
  }
  if (exe !== undefined) return { program: exe, argv: args ?? [], shown: [exe, ...(args ?? [])].map(quote).join(' ') }
  const line = command ?? ''
  return { line, program: '/bin/bash', argv: ['--noprofile', '--norc', '-c', line], shown: line }
}

interface Execution extends RunCommandOptions {
  readonly command: Command
  readonly place: Inside
  readonly timeoutSec: number | undefined
  readonly isProven: boolean
  readonly needsHarmlessGit: boolean
}

async function runToEnd(execution: Execution, context: ToolContext): Promise<ToolResult> {
  const { timeoutSec = DEFAULT_TIMEOUT_SEC } = execution
  const output = collectOutput()
  const live = tellLive(context)
  const running = await start({ ...execution, timeoutSec }, context, (stream, bytes) => {
    output.push(stream, bytes)
    live(stream, bytes)
  })
  if ('ok' in running) return running
  const end = await untilEnd(running, context.signal)
  output.end()
  return tell(judgeEnd(end, timeoutSec), output, context)
}

async function leaveRunning(execution: Execution, context: ToolContext): Promise<ToolResult> {
  if (!execution.background.hasRoom()) return failure(TOO_MANY)
  const output = collectOutput()
  const running = await start(execution, context, output.push)
  if ('ok' in running) return running
  const command = execution.background.add(running, output)
  await command.news(Number.POSITIVE_INFINITY, FIRST_WORDS_MS, context.signal)
  if (context.signal.aborted) await command.stop()
  if (command.end === undefined) return tellBackground(command, 0, context)
  // It is over already: told as if it had been waited for.
  command.read = output.whole.length
  const told = await tell(judgeEnd(command.end, execution.timeoutSec ?? 0), output, context)
  return { ...told, data: dataOf(command) }
}

const TOO_MANY: Diagnostic = {
  code: 'too-many-running',
  message: 'Too many background commands are running already.',
  hint: 'Stop one that is no longer needed with CommandOutput stop: true.',
}

// The directory is held only until the program is in it.
async function start(
  { workspace, root, environment, command, place, timeoutSec, sandbox, isProven, needsHarmlessGit }: Execution,
  { permit, signal }: ToolContext,
  onOutput: ProcessOptions['onOutput'],
): Promise<Running | ToolResult> {
  const isHeld = (permit?.isConfined ?? true) && (await sandbox?.holds()) === true
  const git = needsHarmlessGit ? await harmlessGit(join(root, place.path), { environment, signal, isHeld }) : undefined
  const started = await workspace.enter(place, (cwd) => {
    const options = {
      ...command,
      cwd,
      env: {
        ...(isProven ? provenEnvironment(environment, root) : cleanEnvironment(environment)),
        ...git?.environment,
      },
      graceMs: GRACE_MS,
      onOutput,
      ...(timeoutSec !== undefined && { timeoutMs: timeoutSec * 1000 }),
    }
    return startHeld(options, { ...(sandbox && { sandbox }), ...(permit && { permit }) })
  })
  if (!('kind' in started)) {
    void started.ended.then(git?.dispose)
    return started
  }
  await git?.dispose()
  return started.kind === 'not-started' ? judgeStart(command.program, started) : failure(started.diagnostic)
}

// What was let pass because it only reads must not run what a repository's configuration names.
async function harmlessGit(directory: string, options: Parameters<typeof openHarmlessGit>[1]): Promise<HarmlessGit> {
  const { openHarmlessGit } = await import('./git/run-git.ts')
  return openHarmlessGit(directory, options)
}

async function tell(verdict: ToolResult, output: CollectedOutput, context: ToolContext): Promise<ToolResult> {
  const lengths = { stdout: output.stdout.length, stderr: output.stderr.length }
  const isLong = lengths.stdout + lengths.stderr > TEXT_LIMIT
  const kept = isLong ? await keepOutput(output.whole.text(0), context) : undefined
  const share = shareLimit(lengths, kept ? SHOWN_BESIDE_KEPT : TEXT_LIMIT)
  const [stdout, stderr] = [output.stdout.within(share.stdout), output.stderr.within(share.stderr)]
  return {
    ...verdict,
    ...(stdout && { stdout }),
    ...(stderr && { stderr }),
    ...(kept && { diagnostics: [...(verdict.diagnostics ?? []), kept.diagnostic], parts: [kept.part] }),
  }
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
