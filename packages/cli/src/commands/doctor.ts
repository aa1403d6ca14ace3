import { defineCommand, type Invocation } from '../command.ts'
import { readConfigFiles } from '../config/read-config-files.ts'
import { resolveSettings } from '../config/settings.ts'
import { type Check, examine } from '../doctor/check.ts'
import { dataProbe, diskProbe, sessionsProbe } from '../doctor/data-directory.ts'
import { modelServersProbe } from '../doctor/model-servers.ts'
import { gitProbe, nodeProbe, ripgrepProbe } from '../doctor/programs.ts'
import { sandboxProbe } from '../doctor/sandbox.ts'
import { configProbe, providersProbe } from '../doctor/settings.ts'
import { shellProbe } from '../doctor/shell.ts'
import { terminalProbe } from '../doctor/terminal.ts'
import { EXIT } from '../exit-code.ts'
import { wantsColour } from '../terminal/style.ts'
import { displayWidth, padTo } from '../terminal/width.ts'

const LIMIT_MS = 5000

const PROBES = [
  nodeProbe,
  gitProbe,
  ripgrepProbe,
  sandboxProbe,
  configProbe,
  providersProbe,
  modelServersProbe,
  dataProbe,
  diskProbe,
  sessionsProbe,
  terminalProbe,
  shellProbe,
]

/** `maru doctor`: what holds on this machine, and what to do about the rest. */
export const doctor = defineCommand({
  usage: ['doctor'],
  details: 'doctor.details',
  options: {},
  positionals: [],
  async run(invocation) {
    const { env, home, json, lang, options, signal, stdout, t } = invocation
    const repo = invocation.repo()
    const files = await readConfigFiles({ home, repo })
    const { user, project } = files
    const resolved = resolveSettings({ flags: {}, env, user: user.config ?? {}, project: project.config ?? {} })
    const hasColour = wantsColour(env, { isRefused: options['no-color'], isTerminal: stdout.isTerminal })
    const nodeVersion = process.versions.node
    const terminal = { isTerminal: stdout.isTerminal, columns: stdout.isTerminal ? stdout.columns : 0 }
    const patient = { env, home, repo, lang, t, files, resolved, hasColour, terminal, nodeVersion }
    const checks = await examine(PROBES, patient, { signal, limitMs: LIMIT_MS })
    const ok = checks.every(({ status }) => status !== 'problem')
    if (json) await stdout.line(JSON.stringify({ ok, checks }))
    else await printChecks(checks, invocation)
    return ok ? EXIT.done : EXIT.failed
  },
})

/** Findings as lines, and how many of them matter. */
export async function printChecks(checks: readonly Check[], { options, stdout, style, t }: Invocation): Promise<void> {
  const words = { ok: t('doctor.status.ok'), warning: t('doctor.status.warning'), problem: t('doctor.status.problem') }
  const paints = { ok: style.green, warning: style.yellow, problem: style.red }
  const width = Math.max(...Object.values(words).map(displayWidth)) + 2
  const indent = ' '.repeat(width)
  for (const { detail, hint, message, status } of checks) {
    if (options.quiet && status === 'ok') continue
    await stdout.line(paints[status](padTo(words[status], width)) + message)
    const isWorthIt = status !== 'ok' || options.verbose
    for (const line of isWorthIt && detail ? detail.split('\n') : []) await stdout.line(indent + style.dim(line))
    if (hint) await stdout.line(`${indent}→ ${hint}`)
  }
  if (options.quiet) return
  const count = (wanted: Check['status']) => checks.filter(({ status }) => status === wanted).length
  await stdout.line()
  await stdout.line(t('doctor.summary', { warnings: count('warning'), problems: count('problem') }))
}
