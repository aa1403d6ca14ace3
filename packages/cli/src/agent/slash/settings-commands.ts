import { LANGS } from '@maru/i18n'
import { findModel, type ModelInfo } from '@maru/providers'
import { usageError } from '../../cli-error.ts'
import { MODES, type Mode, PROVIDERS } from '../../config/choices.ts'
import { modelOverrides } from '../../session/model-side.ts'
import { printable } from '../../terminal/printable.ts'
import { knownModels } from '../check-choice.ts'
import type { SlashCommand, SlashPlace } from './slash.ts'

const model: SlashCommand = {
  name: 'model',
  summary: 'slash.model',
  argument: '[PROVIDER] [NAME]',
  async run(argument, place) {
    const { conversation, invocation } = place
    const words = argument.split(/\s+/).filter(Boolean)
    const provider = PROVIDERS.find((name) => name === words[0])
    const name = provider ? words[1] : words[0]
    if (words.length > (provider ? 2 : 1)) throw usageError(invocation.t('slash.too-many', { command: '/model' }))
    const chosen = name ?? (await pickModel(place, provider ?? conversation.settings.provider))
    if (chosen === undefined) return
    await conversation.change({ ...(provider && { provider }), model: chosen })
    place.show([invocation.t('slash.model-is', { model: printable(chosen) })])
  },
}

async function pickModel(
  { conversation, invocation, pick }: SlashPlace,
  provider: string,
): Promise<string | undefined> {
  const { settings } = await invocation.config()
  const overrides = modelOverrides(settings.models ?? {})
  const names = knownModels(settings).filter((name) => {
    return name in overrides || name.startsWith('claude') === (provider === 'anthropic')
  })
  const { model: current } = conversation.settings
  return pick({
    title: invocation.t('slash.pick-model'),
    isSearchable: true,
    items: [...new Set([current, ...names])].map((name) => ({
      label: mark(printable(name), name === current),
      detail: describeModel(findModel(name, overrides), invocation.lang),
      value: name,
    })),
  })
}

function describeModel({ window, price }: ModelInfo, lang: string): string {
  const tokens = `${Math.round(window / 1000).toLocaleString(lang)}k`
  return price ? `${tokens} · $${price.input} / $${price.output}` : tokens
}

const mode: SlashCommand = {
  name: 'mode',
  summary: 'slash.mode',
  argument: '[ask|auto|read-only|yes]',
  async run(argument, place) {
    const { conversation, invocation } = place
    const { t } = invocation
    const items = MODES.map((name) => ({
      label: mark(name, name === conversation.settings.mode),
      detail: t(MODE_SUMMARIES[name]),
      value: name,
    }))
    const chosen = argument || (await place.pick({ title: t('slash.pick-mode'), items }))
    if (chosen === undefined) return
    // What is no mode is refused there.
    await conversation.change({ mode: chosen as Mode })
    place.show([t('slash.mode-is', { mode: chosen })])
  },
}

const MODE_SUMMARIES = {
  ask: 'slash.mode-ask',
  auto: 'slash.mode-auto',
  'read-only': 'slash.mode-read-only',
  yes: 'slash.mode-yes',
} as const

const effort: SlashCommand = {
  name: 'effort',
  summary: 'slash.effort',
  argument: '[LEVEL]',
  async run(argument, place) {
    const { conversation, invocation } = place
    const { t } = invocation
    const { settings } = await invocation.config()
    const { efforts } = findModel(conversation.settings.model, modelOverrides(settings.models ?? {}))
    if (argument === '' && efforts.length === 0) throw usageError(t('slash.no-efforts'))
    const items = efforts.map((level) => ({ label: mark(level, level === conversation.settings.effort), value: level }))
    const chosen = argument || (await place.pick({ title: t('slash.pick-effort'), items }))
    if (chosen === undefined) return
    await conversation.change({ effort: chosen })
    place.show([t('slash.effort-is', { effort: printable(chosen) })])
  },
}

const lang: SlashCommand = {
  name: 'lang',
  summary: 'slash.lang',
  argument: '[ko|en]',
  async run(argument, place) {
    const { invocation } = place
    const items = LANGS.map((one) => ({ label: mark(LANGUAGE_NAMES[one], one === invocation.lang), value: one }))
    const named = argument || (await place.pick({ title: invocation.t('slash.pick-lang'), items }))
    if (named === undefined) return
    const chosen = LANGS.find((one) => one === named)
    if (!chosen) throw usageError(invocation.t('agent.no-such', { name: printable(named), choices: LANGS.join(', ') }))
    place.setLanguage(chosen)
  },
}

// Each in itself: who does not read the language that is spoken now must find their own.
const LANGUAGE_NAMES = { en: 'English', ko: '한국어' } as const

const mark = (label: string, isCurrent: boolean) => (isCurrent ? `${label} ✓` : label)

export const settingsCommands: readonly SlashCommand[] = [model, mode, effort, lang]
