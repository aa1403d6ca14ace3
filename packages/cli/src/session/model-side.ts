import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CONTEXT_LIMIT, type ContextSettings } from '@maru/agent'
import type { Json, ModelParams, ModelProvider, Usage } from '@maru/protocol'
import { costOf, createProvider, defaultModelOf, findModel, type ModelOverrides } from '@maru/providers'
import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import type { Settings } from '../config/settings.ts'
import { EXIT } from '../exit-code.ts'
import { printable } from '../terminal/printable.ts'
import { tellErrno } from '../terminal/tell-errno.ts'
import { readKey } from './read-key.ts'

/** The model that settings choose, and everything that follows from it: all of it changes together. */
export interface ModelSide {
  readonly settings: Settings
  readonly model: string
  readonly key: string
  readonly provider: ModelProvider
  readonly params: ModelParams
  readonly context: ContextSettings
  readonly canSee: boolean
  price(usage: Usage): number | undefined
}

/** Puts it together, or says what is missing for it. */
export async function createModelSide(
  settings: Settings,
  invocation: Invocation,
  outputSchema: string | undefined,
): Promise<ModelSide> {
  const { provider: vendor, baseUrl, models = {}, limits = {}, idleTimeout } = settings
  const model = settings.model ?? defaultModelOf(vendor) ?? 'default'
  const key = await readKey(settings, invocation)
  const params = await readParams(settings, invocation, outputSchema)
  const headers = models[model]?.headers
  const overrides = modelOverrides(models)
  const info = findModel(model, overrides)
  const price = (usage: Usage) => costOf(info, usage)
  if (limits.money !== undefined && price({ input: 0, output: 0 }) === undefined) {
    throw new CliError('no-price', invocation.t('session.no-price', { model: printable(model) }), { exit: EXIT.usage })
  }
  const provider = createProvider({
    vendor,
    key,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(headers && { headers }),
    models: overrides,
    limits: { idleMs: idleTimeout * 1000 },
  })
  return { settings, model, key, provider, params, context: contextOf(settings, info), canSee: info.vision, price }
}

// What the model answers needs room in its window as well.
const ANSWER_SHARE = 0.2

/** What the context may take: what the user says, and never more than the model can. */
export function contextOf(
  { contextLimit = CONTEXT_LIMIT, autoCompact = true }: Pick<Settings, 'contextLimit' | 'autoCompact'>,
  { window, outputLimit }: Pick<ReturnType<typeof findModel>, 'window' | 'outputLimit'>,
): ContextSettings {
  const room = Math.floor(window - Math.min(outputLimit, ANSWER_SHARE * window))
  return { limit: Math.min(contextLimit, room), canCompact: autoCompact, canPrune: true }
}

// What the user says of a model wins over the catalogue; what is not said is not set.
export function modelOverrides(models: NonNullable<Settings['models']>): ModelOverrides {
  const names = ['window', 'outputLimit', 'vision', 'price'] as const
  return Object.fromEntries(
    Object.entries(models).map(([id, said]) => [
      id,
      Object.fromEntries(names.flatMap((name) => (said[name] === undefined ? [] : [[name, said[name]]]))),
    ]),
  )
}

async function readParams({ effort }: Settings, { cwd, t }: Invocation, schemaFile?: string): Promise<ModelParams> {
  const params: ModelParams = effort === undefined ? {} : { effort }
  if (schemaFile === undefined) return params
  const path = printable(schemaFile)
  const text = await readFile(resolve(cwd, schemaFile), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const message = t('apply.unreadable', { path, reason: tellErrno(cause, t) })
    throw new CliError('output-schema', message, { exit: EXIT.usage, cause })
  })
  try {
    const schema: Json = JSON.parse(text)
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) throw new Error('no object')
    return { ...params, outputSchema: schema }
  } catch (cause) {
    throw new CliError('output-schema', t('session.schema', { path }), { exit: EXIT.usage, cause })
  }
}
