import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { CONTEXT_LIMIT, type ContextSettings, type SessionDeps, systemPrompt } from '@maru/agent'
import { mayHoldKey } from '@maru/guard'
import type { Json, LiveBus, ModelParams, Usage } from '@maru/protocol'
import { costOf, createProvider, defaultModelOf, findModel, type ModelOverrides } from '@maru/providers'
import { sha256, uniqueHex } from '@maru/store'
import { createTools, openSnapshots, type Toolbox } from '@maru/tools'
import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import type { Settings } from '../config/settings.ts'
import { EXIT } from '../exit-code.ts'
import { printable } from '../terminal/printable.ts'
import { snapshotStore } from '../undo/snapshot-store.ts'
import { readInstructions } from './instructions.ts'
import type { SessionMasking } from './masking.ts'
import type { OpenSession } from './open-session.ts'
import { createRawSide, type RawSide } from './raw-side.ts'
import { readKey } from './read-key.ts'
import { openSessionSandbox } from './sandbox.ts'

export interface DepsWish {
  hasTools: boolean
  outputSchema?: string | undefined
}

/** What is known only once there is a session. */
export interface DepsPlace {
  session: OpenSession
  live: LiveBus
  isDryRun: boolean
  isAttended: boolean
  onRetry: NonNullable<SessionDeps['onRetry']>
  /** A line for people. */
  onNotice(line: string): void
}

/** Reads everything that settings decide; what it gives puts the agent together, where all its parts meet. */
export async function prepareDeps(
  invocation: Invocation,
  wish: DepsWish,
  masking: SessionMasking,
): Promise<(place: DepsPlace) => SessionDeps & { raw: RawSide; closeTools(): Promise<void> }> {
  const { settings } = await invocation.config()
  const { provider: vendor, baseUrl, models, limits = {}, idleTimeout } = settings
  const model = settings.model ?? defaultModelOf(vendor) ?? 'default'
  const root = invocation.repo()
  const key = await readKey(settings, invocation)
  for (const value of secretSettings(settings, key)) masking.know(value)
  const instructions = wish.hasTools ? await maskInstructions(readInstructions(root), masking) : undefined
  const params = await readParams(settings, invocation, wish.outputSchema)
  const headers = models?.[model]?.headers
  const overrides = modelOverrides(models ?? {})
  const sandbox = wish.hasTools && settings.sandbox !== 'off' ? openSessionSandbox(invocation, root) : undefined
  const tools = wish.hasTools
    ? createTools({
        root,
        environment: invocation.env,
        ...(sandbox && { sandbox }),
        canSee: findModel(model, overrides).vision,
        masking,
        ...chosenTools(settings, invocation),
      })
    : NO_TOOLS
  const price = (usage: Usage) => costOf(findModel(model, overrides), usage)
  if (limits.money !== undefined && price({ input: 0, output: 0 }) === undefined) {
    throw new CliError('no-price', invocation.t('session.no-price', { model: printable(model) }), { exit: EXIT.usage })
  }
  return ({ session, live, isDryRun, isAttended, onRetry, onNotice }) => {
    const snapshots = openSnapshots({
      root,
      store: () => snapshotStore(invocation.home, root),
      environment: invocation.env,
      onProblem: onNotice,
    })
    const raw = createRawSide(join(session.directory, session.id, 'raw'), (error) => onNotice(String(error)))
    return {
      log: session.log,
      states: session.states,
      blobs: session.blobs,
      live,
      provider: createProvider({
        vendor,
        key,
        ...(baseUrl !== undefined && { baseUrl }),
        ...(headers && { headers }),
        models: overrides,
        limits: { idleMs: idleTimeout * 1000 },
      }),
      tools,
      // Behind the first request, which needs no policy.
      async decide(call) {
        const { judgeCall } = await import('./policy.ts')
        // Whether it holds makes no difference to the others, and is not asked for nothing.
        const counts = settings.mode === 'auto' || call.access.some(({ kind }) => kind === 'run')
        const isHeld = counts && (await sandbox?.holds()) === true
        return judgeCall(call, { root, home: invocation.env['HOME'], settings, sandbox: isHeld ? 'full' : 'none' })
      },
      async remember(rules) {
        const { rememberRules } = await import('../config/remember-rules.ts')
        // It holds for the session in any case.
        await rememberRules(invocation, rules).catch((error: Error) => invocation.notice(printable(error.message)))
      },
      settings: {
        provider: vendor,
        model,
        system: wish.hasTools ? systemPrompt({ root, ...(instructions !== undefined && { instructions }) }) : ANSWER,
        params,
        limits: {
          turns: settings.maxTurns,
          ...(limits.tokens !== undefined && { tokens: limits.tokens }),
          ...(limits.seconds !== undefined && { milliseconds: limits.seconds * 1000 }),
          ...(limits.money !== undefined && { money: limits.money }),
        },
        isUnattended: !isAttended,
        ...(settings.approvalTimeout !== undefined && { approvalMs: settings.approvalTimeout * 1000 }),
        isDryRun,
        forceFirstTool: false,
        context: contextOf(settings, findModel(model, overrides)),
      },
      masking,
      onSecret: raw.drop,
      hash: sha256,
      // The global `performance` would load a module of its own.
      now: () => Number(process.hrtime.bigint()) / 1e6,
      newId,
      price,
      ...(settings.raw !== false && { onRaw: raw.add }),
      raw,
      ...(wish.hasTools && { snapshots }),
      async closeTools() {
        await tools.close()
        await sandbox?.close()
        await snapshots.close()
      },
      onRetry,
    }
  }
}

function secretSettings({ keys, models = {}, web }: Settings, key: string): string[] {
  const headers = Object.values(models).flatMap((model) => Object.values(model.headers ?? {}))
  const given = Object.values(keys).filter((one) => typeof one === 'string')
  return [key, ...given, ...headers, (web?.search?.header ?? '').replace(/^[\w-]+:\s*/, '')]
}

// It goes to the model as it stands in the repository, where a key may have been left.
async function maskInstructions(text: string | undefined, masking: SessionMasking): Promise<string | undefined> {
  if (text === undefined || !mayHoldKey(text)) return text
  return (await masking.load()).mask(text)
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

// What the files switch on or describe.
function chosenTools({ web, test }: Settings, { env }: Invocation): Partial<Parameters<typeof createTools>[0]> {
  const line = typeof test === 'string' ? test : test && inDirectory(test)
  const { endpoint, header } = web?.search ?? {}
  const [, name, value] = /^([\w-]+):\s*(.+)$/.exec(header ?? '') ?? []
  const named = name !== undefined && value !== undefined ? { header: { name, value } } : {}
  return {
    ...(line !== undefined && { testCommand: line }),
    ...(web?.fetch === true && { webFetch: { environment: env } }),
    ...(endpoint !== undefined && { webSearch: { endpoint, environment: env, ...named } }),
  }
}

function inDirectory({ command, cwd }: { command: string; cwd?: string }): string {
  return cwd === undefined ? command : `cd '${cwd.replaceAll("'", `'\\''`)}' && ${command}`
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

const NO_TOOLS: Toolbox = { list: () => [], onChange: () => () => undefined, close: async () => undefined }

const ANSWER =
  'You are Maru. Answer in the language of the question, briefly and truthfully; say so when you do not know.'

// In the order of their making, and safe in a file name and as a vendor's id.
function newId(): string {
  return `${Date.now().toString(36)}${uniqueHex(8)}`
}

async function readParams({ effort }: Settings, { cwd, t }: Invocation, schemaFile?: string): Promise<ModelParams> {
  const params: ModelParams = effort === undefined ? {} : { effort }
  if (schemaFile === undefined) return params
  try {
    const schema: Json = JSON.parse(await readFile(resolve(cwd, schemaFile), 'utf8'))
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) throw new Error('no object')
    return { ...params, outputSchema: schema }
  } catch (error) {
    const reason = printable((error as Error).message)
    throw new CliError('output-schema', t('session.schema', { path: printable(schemaFile), reason }), {
      exit: EXIT.usage,
    })
  }
}
