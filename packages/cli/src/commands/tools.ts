import { checkArguments } from '@maru/agent'
import { isMessageKey, type Translator } from '@maru/i18n'
import type { Json, ToolSpec } from '@maru/protocol'
import { createTools } from '@maru/tools'
import { handContext } from '../by-hand.ts'
import { CliError, usageError } from '../cli-error.ts'
import { defineCommand } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { createSessionMasking } from '../session/masking.ts'
import { judgeCall } from '../session/policy.ts'
import { openSessionSandbox } from '../session/sandbox.ts'
import { agentOptions } from '../session/session-options.ts'
import { printable } from '../terminal/printable.ts'
import { tellReason } from '../terminal/tell-reason.ts'
import { tellResult } from '../terminal/tell-result.ts'
import { displayWidth, padTo } from '../terminal/width.ts'

export const tools = defineCommand({
  usage: ['tools', 'tools call NAME JSON'],
  options: { mode: agentOptions.mode, yes: agentOptions.yes },
  positionals: [
    { name: 'call', optional: true, choices: ['call'] },
    { name: 'NAME', optional: true },
    { name: 'JSON', optional: true },
  ],
  async run(invocation): Promise<ExitCode> {
    const { positionals, stdout, json, style, t, env } = invocation
    const root = invocation.repo()
    const { settings } = await invocation.config()
    const sandbox = settings.sandbox === 'off' ? undefined : openSessionSandbox(invocation, root)
    const toolbox = createTools({
      root,
      environment: env,
      ...(sandbox && { sandbox }),
      masking: createSessionMasking(invocation),
    })
    const list = toolbox.list()
    const [verb, name, text = '{}'] = positionals
    if (verb === undefined) {
      const width = Math.max(...list.map(({ spec }) => displayWidth(spec.name)))
      const draw = (spec: ToolSpec) => `${style.bold(padTo(spec.name, width))}  ${describeTool(spec, t)}`
      for (const { spec } of list) await stdout.line(json ? JSON.stringify(spec) : draw(spec))
      return EXIT.done
    }
    if (name === undefined) throw usageError(t('cli.missing', { argument: 'NAME', help: 'maru tools -h' }))
    const tool = list.find(({ spec }) => spec.name === name)
    const names = list.map(({ spec }) => spec.name).join(', ')
    if (!tool) throw usageError(t('tools.unknown', { name: printable(name), names }))
    const context = handContext(invocation.signal)
    const args = parseArguments(text, t)
    const problems = await checkArguments(tool.spec, args)
    const prepared = problems.length > 0 ? undefined : await tool.prepare(args, context)
    const decision =
      prepared &&
      judgeCall(
        { tool: name, access: prepared.access, grants: [], isTainted: false },
        { root, home: env['HOME'], settings, sandbox: (await sandbox?.holds()) === true ? 'full' : 'none' },
      )
    if (decision && decision.verdict !== 'allow') {
      throw new CliError('denied', tellReason(decision, t), { exit: EXIT.denied, details: [decision.rule] })
    }
    const permit = decision?.permit
    const result = prepared
      ? await prepared.run({ ...context, ...(permit && { permit }) })
      : { ok: false, diagnostics: problems }
    await toolbox.close()
    await sandbox?.close()
    await stdout.line(json ? JSON.stringify(result) : printable(tellResult(result, t), { keepLines: true }))
    return result.ok ? EXIT.done : EXIT.failed
  },
})

function parseArguments(text: string, t: Translator): Json {
  try {
    return JSON.parse(text)
  } catch {
    throw usageError(t('tools.not-json'))
  }
}

// The description is what the model is told, in English; a person may read another language.
function describeTool({ name, description }: ToolSpec, t: Translator): string {
  const key = `tool.${name}`
  return t('language.tag') === 'en' || !isMessageKey(key) ? description : (t as (key: string) => string)(key)
}
