import { constants } from 'node:os'
import { createExcerpt, shareLimit, TEXT_LIMIT } from '@maru/agent'
import type { Access, Diagnostic, Prepared, Tool, ToolContext, ToolResult } from '@maru/protocol'
import { cleanEnvironment } from './clean-environment.ts'
import { approach } from './file-access.ts'
import { hashOf } from './hash.ts'
import { badArguments, readArguments } from './read-arguments.ts'
import { failure, INTERRUPTED, refusal } from './refusal.ts'
import { type ProcessEnd, runProcess } from './run-process.ts'
import { MAX_TIMEOUT_SEC, specs } from './specs.ts'
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
  readonly program: string
  readonly argv: string[]
  /** As a person reads it. */
  readonly shown: string
}

// What a flooding command may send to those who watch; the result has its end as well.
const PROGRESS_LIMIT = 200_000
const GRACE_MS = 2_000

/** The tool that runs a command to its end, with nothing of the user's keys and nothing left behind. */
export function createRunCommand(
  workspace: Workspace,
  environment: Readonly<Record<string, string | undefined>>,
): Tool {
  return {
    spec: specs.RunCommand,
    async prepare(args) {
      const read = readArguments<Arguments>(specs.RunCommand.schema, args)
      if (!read.ok) return refusal(read.diagnostic)
      const command = commandOf(read.args)
      if ('code' in command) return refusal(command)
      const { cwd = '.', timeoutSec = DEFAULT_TIMEOUT_SEC } = read.args
      const run = { kind: 'run', program: command.program, argv: command.argv, proven: 'unknown' } satisfies Access
      const way = await approach(workspace, cwd, 'read')
      if (way.kind === 'refused') return refusal(way.diagnostic, way.access.length > 0 ? [run, ...way.access] : [])
      const { place } = way
      return {
        access: [run],
        preview: { kind: 'command', command: command.shown, cwd: place.path },
        // Nothing on the disk to compare: what was approved is these very words.
        basis: [hashOf(JSON.stringify([command.program, command.argv, place.path, timeoutSec]))],
        run: (context) => execute({ workspace, environment, command, place, timeoutSec }, context),
      } satisfies Prepared
    },
  }
}

function commandOf({ command, exe, args, background }: Arguments): Command | Diagnostic {
  if (background === true) {
    const hint = 'Run it in the foreground with a timeoutSec that fits.'
    return { code: 'not-available', message: 'Background commands are not available yet.', hint }
  }
  if ((command === undefined) === (exe === undefined)) return badArguments('Give either command or exe.')
  if (command !== undefined && args !== undefined) return badArguments('args belong to exe, not to command.')
  if ([command, exe, ...(args ?? [])].some((word) => word?.includes('\0'))) {
    return badArguments('A command cannot hold a NUL character.')
  }
  if (exe !== undefined) return { program: exe, argv: args ?? [], shown: [exe, ...(args ?? [])].map(quote).join(' ') }
  const line = command ?? ''
  return { program: '/bin/bash', argv: ['--noprofile', '--norc', '-c', line], shown: line }
}

interface Execution {
  workspace: Workspace
  environment: Readonly<Record<string, string | undefined>>
  command: Command
  place: Inside
  timeoutSec: number
}

async function execute(execution: Execution, context: ToolContext): Promise<ToolResult> {
  const { workspace, environment, command, place, timeoutSec } = execution
  if (context.signal.aborted) return failure(INTERRUPTED)
  const output = { stdout: createExcerpt(TEXT_LIMIT), stderr: createExcerpt(TEXT_LIMIT) }
  let room = PROGRESS_LIMIT
  const end = await workspace.enter(place, (cwd) =>
    runProcess({
      ...command,
      cwd,
      env: cleanEnvironment(environment),
      timeoutMs: timeoutSec * 1000,
      graceMs: GRACE_MS,
      signal: context.signal,
      onText(stream, text) {
        output[stream].push(text)
        if (room > 0)
          context.progress(text.length <= room ? text : `${text.slice(0, room)}\n[… more is not shown live]\n`)
        room -= text.length
      },
    }),
  )
  if (end.kind === 'problem') return failure(end.diagnostic)
  const share = shareLimit({ stdout: output.stdout.length, stderr: output.stderr.length }, TEXT_LIMIT)
  const stdout = output.stdout.within(share.stdout)
  const stderr = output.stderr.within(share.stderr)
  return { ...verdictOn(end, execution), ...(stdout && { stdout }), ...(stderr && { stderr }) }
}

function verdictOn(end: ProcessEnd, { command, timeoutSec }: Execution): ToolResult {
  switch (end.kind) {
    case 'ended':
      return { ok: end.exit === 0, exit: end.exit, ...(end.leftProcesses && { diagnostics: [LEFT_PROCESSES] }) }
    case 'killed':
      return {
        ok: false,
        exit: 128 + constants.signals[end.signal],
        diagnostics: [
          { code: 'killed', message: `The command was ended by ${end.signal}.` },
          ...(end.leftProcesses ? [LEFT_PROCESSES] : []),
        ],
      }
    case 'stopped':
      return failure(end.why === 'abort' ? STOPPED : timedOut(timeoutSec))
    case 'not-started':
      return failure(notStarted(command.program, end.code))
    default:
      return end satisfies never
  }
}

const LEFT_PROCESSES: Diagnostic = {
  code: 'left-processes',
  message: 'The command left processes running; they were ended with it.',
  hint: 'Background commands are not available yet: start and use a server within one command.',
}

const STOPPED: Diagnostic = {
  code: 'interrupted',
  message: 'The command was interrupted and ended with all its processes; what it had done by then stays.',
}

function timedOut(seconds: number): Diagnostic {
  const hint = `Make it do less, or give a longer timeoutSec (at most ${MAX_TIMEOUT_SEC}).`
  return { code: 'timeout', message: `Not done after ${seconds} s; ended with all its processes.`, hint }
}

function notStarted(program: string, code: string): Diagnostic {
  if (code === 'ENOENT') {
    const hint = 'Check its name; shell syntax and built-ins need command instead of exe.'
    return { code: 'no-program', message: `There is no program ${program}.`, hint }
  }
  if (code === 'E2BIG') {
    return { code: 'too-long', message: 'The command line is too long.', hint: 'Write a file and run that.' }
  }
  return { code: 'not-started', message: `${program} could not be started (${code}).` }
}

function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
