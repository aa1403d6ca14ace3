import type { Access, Json, Prepared, Tool, ToolContext, ToolResult } from '@maru/protocol'
import { cleanEnvironment } from '../clean-environment.ts'
import { readCommandAccess } from '../command/command-access.ts'
import { NOT_HELD } from '../command/judge-end.ts'
import { approach } from '../file-access.ts'
import { hashOf } from '../hash.ts'
import { readArguments } from '../read-arguments.ts'
import { failure, INTERRUPTED, refusal } from '../refusal.ts'
import { type ProcessEnd, runProcess } from '../run-process.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Inside, Workspace } from '../workspace.ts'
import { type Command, findCommand, quote } from './find-command.ts'
import { judgeRun } from './judge-run.ts'
import type { ProfileKind } from './profile.ts'
import { plainText } from './report.ts'
import { verifySpecs } from './specs.ts'

const DEFAULT_TIMEOUT_SEC = 600

type Arguments = { filter?: string; kind?: ProfileKind; path?: string; timeoutSec?: number }

export interface RunTestsOptions {
  readonly workspace: Workspace
  /** The directory that `workspace` was made for. */
  readonly root: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** A shell line that runs the tests, instead of what is found; `{filter}` stands for the filter. */
  readonly testCommand?: string
  /** Holds what is run. */
  readonly sandbox?: Sandbox
}

/** The tool that runs the tests of a repository as the repository itself does, and reads what came of it. */
export function createRunTests(options: RunTestsOptions): Tool {
  return {
    spec: verifySpecs.RunTests,
    async prepare(args: Json): Promise<Prepared> {
      const read = readArguments<Arguments>(verifySpecs.RunTests.schema, args)
      if (!read.ok) return refusal(read.diagnostic)
      const { filter, kind = 'test', path = '.', timeoutSec = DEFAULT_TIMEOUT_SEC } = read.args
      const way = await approach(options.workspace, path, 'read')
      if (way.kind === 'refused') return refusal(way.diagnostic, way.access)
      const wanted = { filter, kind, path: way.place.path, testCommand: options.testCommand }
      const command = await findCommand(options.workspace, wanted)
      if ('code' in command) return refusal(command)
      const home = await approach(options.workspace, command.cwd, 'read')
      if (home.kind === 'refused') return refusal(home.diagnostic)
      void options.sandbox?.warm().catch(() => undefined)
      const words = [command.program, ...command.argv]
      return {
        access: await accessOf(command, options),
        preview: { kind: 'command', command: words.map(quote).join(' '), cwd: command.cwd },
        basis: [hashOf(JSON.stringify([words, command.cwd, timeoutSec]))],
        run: (context) => execute({ ...options, command, place: home.place, timeoutSec }, context),
      }
    },
  }
}

// What was found by our own table is a test; a line that somebody wrote is judged by its words as well.
async function accessOf({ program, argv, line }: Command, { root, environment }: RunTestsOptions): Promise<Access[]> {
  const run: Access = { kind: 'run', program, argv: [...argv], proven: 'check' }
  if (line === undefined) return [run]
  const { access } = await readCommandAccess({ line, program, argv }, { root, cwd: root, home: environment['HOME'] })
  // It was configured to be run: that it is not known does not count, but what is known to be bad does.
  return [run, ...access.filter((one) => one.kind !== 'run' || GRAVE.has(one.proven))]
}

const GRAVE = new Set(['irreversible', 'hostile', 'catastrophe'])

interface Execution extends RunTestsOptions {
  command: Command
  place: Inside
  timeoutSec: number
}

// Enough for any report; of more, the end is kept, where the sums are.
const KEPT = 2 * 1024 * 1024
const PROGRESS_LIMIT = 200_000
const GRACE_MS = 2_000

async function execute(execution: Execution, context: ToolContext): Promise<ToolResult> {
  const { workspace, environment, command, place, timeoutSec, sandbox } = execution
  if (context.signal.aborted) return failure(INTERRUPTED)
  const output = { stdout: createTail(), stderr: createTail() }
  const show = createProgress(context)
  const end = await workspace.enter(place, (cwd) =>
    runProcess({
      ...command,
      cwd,
      // Runners that would watch for changes run once where they believe to be alone.
      env: { ...cleanEnvironment(environment), CI: '1', FORCE_COLOR: '0' },
      timeoutMs: timeoutSec * 1000,
      graceMs: GRACE_MS,
      signal: context.signal,
      hold: { ...(sandbox && { sandbox }), ...(context.permit && { permit: context.permit }) },
      onText(stream, text) {
        output[stream].push(text)
        show(text)
      },
    }),
  )
  if (end.kind === 'problem') return failure(end.diagnostic)
  if (end.kind !== 'ended') return withNotes(unfinished(end, execution, output.stdout.text().slice(-4_000)), end)
  const [stdout, stderr] = [plainText(output.stdout.text()), plainText(output.stderr.text())]
  const isCut = output.stdout.isCut() || output.stderr.isCut()
  const shorten = createShorten(execution.root, command.cwd)
  const verdict = judgeRun({ profile: command.profile, exit: end.exit, output: { stdout, stderr, isCut }, shorten })
  return withNotes(verdict, end)
}

function withNotes(result: ToolResult, end: ProcessEnd): ToolResult {
  if (!('notes' in end) || !end.notes?.length) return result
  return { ...result, diagnostics: [...(result.diagnostics ?? []), ...end.notes] }
}

function unfinished(
  end: Exclude<ProcessEnd, { kind: 'ended' }>,
  { command, timeoutSec }: Execution,
  stdout: string,
): ToolResult {
  const said = plainText(stdout).trim()
  const tail = said === '' ? {} : { stdout: said }
  switch (end.kind) {
    case 'killed':
      return { ...failure({ code: 'killed', message: `The tests were ended by ${end.signal}.` }), ...tail }
    case 'stopped': {
      const message = `Not done after ${timeoutSec} s; ended with all its processes.`
      const hint = 'Run fewer tests with filter, or give a longer timeoutSec.'
      if (end.why === 'timeout') return { ...failure({ code: 'timeout', message, hint }), ...tail }
      return { ...failure({ code: 'interrupted', message: 'The tests were interrupted and ended.' }), ...tail }
    }
    case 'not-held':
      return failure(NOT_HELD)
    case 'not-let':
      return failure(end.diagnostic)
    case 'not-started': {
      const hint = 'Install it, or set testCommand in maru.json.'
      if (end.code !== 'ENOENT') return failure({ code: 'not-started', message: `${command.program}: ${end.code}.` })
      return failure({ code: 'no-program', message: `There is no program ${command.program}.`, hint })
    }
    default:
      return end satisfies never
  }
}

function createTail() {
  let text = ''
  let isCut = false
  return {
    push(more: string) {
      text += more
      if (text.length <= 2 * KEPT) return
      text = text.slice(-KEPT)
      isCut = true
    },
    text: () => text,
    isCut: () => isCut,
  }
}

function createProgress(context: ToolContext): (text: string) => void {
  let room = PROGRESS_LIMIT
  return (text) => {
    // What is printed for machines is no progress to look at.
    if (room <= 0 || text.startsWith('{"')) return
    context.progress(text.slice(0, room))
    room -= text.length
  }
}

function createShorten(root: string, cwd: string): (file: string) => string {
  return (file) => {
    const path = file.replace(/^file:\/\//, '').replace(/^\.\//, '')
    if (path.startsWith(`${root}/`)) return path.slice(root.length + 1)
    return path.startsWith('/') || cwd === '.' ? path : `${cwd}/${path}`
  }
}
