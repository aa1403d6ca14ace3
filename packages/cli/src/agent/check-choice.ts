import type { Translator } from '@maru/i18n'
import { MODELS } from '@maru/providers'
import { usageError } from '../cli-error.ts'
import { MODES, PROVIDERS } from '../config/choices.ts'
import type { Choice } from '../config/load-config.ts'
import type { Settings } from '../config/settings.ts'
import { nearest } from '../nearest.ts'
import { printable } from '../terminal/printable.ts'

/**
 * What can be wrong with a choice. A mode or vendor that there is not is refused; a model that nobody here knows may be
 * new, or one's own, and is only remarked upon.
 */
export function checkChoice(
  { provider, model, mode }: Choice,
  { settings, t }: { settings: Settings; t: Translator },
): { notice?: string } {
  expectOneOf(mode, MODES, t)
  expectOneOf(provider, PROVIDERS, t)
  if (model === undefined || knownModels(settings).includes(model)) return {}
  const meant = nearest(model, knownModels(settings))
  const name = printable(model)
  return { notice: meant ? t('agent.unknown-model-meant', { name, meant }) : t('agent.unknown-model', { name }) }
}

/** The models that the catalogue or the user's file knows, each once. */
export function knownModels({ models = {} }: Pick<Settings, 'models'>): string[] {
  return [...new Set([...Object.keys(models), ...MODELS.map(({ id }) => id)])]
}

function expectOneOf(name: string | undefined, choices: readonly string[], t: Translator): void {
  if (name === undefined || choices.includes(name)) return
  throw usageError(t('agent.no-such', { name: printable(name), choices: choices.join(', ') }))
}
