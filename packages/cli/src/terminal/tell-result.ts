import { renderResult } from '@maru/agent'
import type { Translator } from '@maru/i18n'
import type { ToolResult } from '@maru/protocol'
import { tellProblem } from './tell-problem.ts'

/** What came of a call that a person made by hand: as the model reads it, with what was said to the model told to them. */
export function tellResult(result: ToolResult, t: Translator): string {
  if (t('language.tag') === 'en') return renderResult(result)
  const { ok, exit, diagnostics = [] } = result
  const told = diagnostics.map((diagnostic) => ({ code: diagnostic.code, message: tellProblem(diagnostic, t) }))
  const ending = [
    t(ok ? 'outcome.ok' : 'outcome.error'),
    ...(exit === undefined ? [] : [t('outcome.exit', { code: exit })]),
  ]
  return [
    ending.join(' · '),
    ...renderResult({ ...result, diagnostics: told })
      .split('\n')
      .slice(1),
  ].join('\n')
}
