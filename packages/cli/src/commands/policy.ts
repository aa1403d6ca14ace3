import { existsSync, readlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type CommandPlace,
  decideWith,
  type Judgement,
  loadJudge,
  NO_RULES,
  type Ruling,
  type Situation,
} from '@maru/guard'
import type { Access, Json } from '@maru/protocol'
import { usageError } from '../cli-error.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { agentOptions } from '../session/session-options.ts'
import { printable } from '../terminal/printable.ts'
import { tellReason } from '../terminal/tell-reason.ts'

const options = {
  mode: agentOptions.mode,
  yes: agentOptions.yes,
  sandbox: { kind: 'value', value: 'full|none', choices: ['full', 'none'], summary: 'option.sandbox' },
} as const

type PolicyInvocation = Invocation<typeof options>

/** `maru policy explain|check`: what is decided about commands, and why. Runs nothing. */
export const policy = defineCommand({
  usage: ['policy explain CMD', 'policy check'],
  details: 'policy.details',
  options,
  positionals: [
    { name: 'explain|check', choices: ['explain', 'check'] },
    { name: 'CMD', optional: true },
  ],
  async run(invocation): Promise<ExitCode> {
    const [action, line] = invocation.positionals
    const { t } = invocation
    if (action === 'check') {
      if (line !== undefined) throw usageError(t('cli.too-many', { argument: line, help: 'maru policy -h' }))
      return check(invocation)
    }
    if (line === undefined) throw usageError(t('cli.missing', { argument: 'CMD', help: 'maru policy -h' }))
    return explain(invocation, line)
  },
})

interface Judged {
  readonly judgement: Judgement
  readonly ruling: Ruling
}

type Judge = (line: string, at: { cwd?: string; shell?: string }) => Judged

async function openJudge(invocation: PolicyInvocation): Promise<{ judge: Judge; situation: Situation }> {
  const { settings } = await invocation.config()
  const situation: Situation = { mode: settings.mode, sandbox: invocation.options.sandbox ?? 'none' }
  const layers = { ...NO_RULES, ...settings.rules }
  const { judgeLine } = await loadJudge()
  const places = new Map<string, CommandPlace>()
  const judge: Judge = (line, { cwd, shell }) => {
    const key = cwd ?? ''
    const place = places.get(key) ?? placeOf(invocation, cwd)
    places.set(key, place)
    const judgement = judgeLine(line, shell === undefined ? place : { ...place, shell })
    const call = {
      tool: 'RunCommand',
      access: judgement.accesses,
      root: place.root,
      ...(place.home !== undefined && { home: place.home }),
    }
    return { judgement, ruling: decideWith(call, situation, layers) }
  }
  return { judge, situation }
}

// A line that names its directory and no repository is judged as if that were one.
function placeOf(invocation: PolicyInvocation, directory: string | undefined): CommandPlace {
  const { env } = invocation
  const isOwn = directory === undefined || invocation.options.repo !== undefined
  const root = isOwn ? invocation.repo() : resolve(directory)
  const cwd = resolve(root, directory ?? '.')
  if (!existsSync(root)) return { cwd, root }
  return { cwd, root, readLink, ...(env['HOME'] && { home: env['HOME'] }) }
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    // No link, or nothing there: either way it leads nowhere else.
    return undefined
  }
}

async function explain(invocation: PolicyInvocation, line: string): Promise<ExitCode> {
  const { judge, situation } = await openJudge(invocation)
  const { judgement, ruling } = judge(line, {})
  const { stdout, json, style, t } = invocation
  const reason = tellReason(ruling, t)
  if (json) {
    const { tree, accesses, usesGit } = judgement
    await stdout.line(
      JSON.stringify({ cmd: line, decision: ruling.verdict, rule: ruling.rule, reason, accesses, tree, usesGit }),
    )
    return EXIT.done
  }
  const paint = { allow: style.green, ask: style.yellow, deny: style.red }[ruling.verdict]
  const verdict = t(`policy.verdict.${ruling.verdict}`)
  await stdout.line(`${paint(style.bold(verdict))}  ${printable(reason)}`)
  await stdout.line(style.dim(t('policy.decided', { rule: ruling.rule, ...situation })))
  await stdout.line()
  await stdout.line(style.bold(t('policy.tree')))
  for (const row of treeLines(judgement.tree, 1)) await stdout.line(printable(row))
  await stdout.line()
  await stdout.line(style.bold(t('policy.touches')))
  for (const access of judgement.accesses) await stdout.line(`  ${printable(describe(access))}`)
  return EXIT.done
}

function treeLines(tree: Json, depth: number): string[] {
  const branches = Array.isArray(tree) ? tree : []
  return branches.flatMap((branch) => {
    if (typeof branch !== 'object' || branch === null || Array.isArray(branch)) return []
    const { node, run, argv = [], proven, children = [] } = branch
    const words = [run, ...(Array.isArray(argv) ? argv : [])].filter((word) => typeof word === 'string')
    const label = typeof node === 'string' ? node : `${words.join(' ')}  [${typeof proven === 'string' ? proven : ''}]`
    return [`${'  '.repeat(depth)}${label}`, ...treeLines(children, depth + 1)]
  })
}

function describe(access: Access): string {
  switch (access.kind) {
    case 'run':
      return `run  ${[access.program, ...access.argv].join(' ')}  [${access.proven}]`
    case 'net':
      return `net  ${access.host}`
    case 'read':
    case 'write':
    case 'create':
    case 'delete':
      return `${access.kind}  ${access.path}  [${[access.where, access.mark ?? ''].join(' ').trim()}]`
    default:
      return access.kind
  }
}

async function check(invocation: PolicyInvocation): Promise<ExitCode> {
  const { judge } = await openJudge(invocation)
  const { stdout, signal, t } = invocation
  let number = 0
  let isBroken = false
  const answer = (text: string): string => {
    number++
    if (text.trim() === '') return ''
    const row = readRow(text)
    if (typeof row !== 'string') {
      const { ruling } = judge(row.cmd, row)
      const reason = tellReason(ruling, t)
      return `${JSON.stringify({ cmd: row.cmd, decision: ruling.verdict, rule: ruling.rule, reason })}\n`
    }
    isBroken = true
    const error = t('policy.bad-line', { line: number, reason: printable(row) })
    return `${JSON.stringify({ error, line: number })}\n`
  }
  // As many as came together are answered together: whoever waits for an answer gets it.
  for await (const lines of linesOf(invocation.stdin)) {
    if (signal.aborted) return EXIT.interrupted
    const answers = lines.map(answer).join('')
    if (answers !== '') await stdout.write(answers)
  }
  return isBroken ? EXIT.failed : EXIT.done
}

interface Row {
  readonly cmd: string
  readonly cwd?: string
  readonly shell?: string
}

// The row, or what is wrong with it.
function readRow(text: string): Row | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return (error as Error).message
  }
  if (typeof value !== 'object' || value === null) return 'no object'
  const { cmd, cwd, shell } = value as { [name: string]: unknown }
  if (typeof cmd !== 'string') return '"cmd"'
  if (cwd !== undefined && typeof cwd !== 'string') return '"cwd"'
  if (shell !== undefined && typeof shell !== 'string') return '"shell"'
  return { cmd, ...(cwd !== undefined && { cwd }), ...(shell !== undefined && { shell }) }
}

async function* linesOf(stdin: Invocation['stdin']): AsyncGenerator<string[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stdin) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines
  }
  rest += decoder.decode()
  if (rest !== '') yield [rest]
}
