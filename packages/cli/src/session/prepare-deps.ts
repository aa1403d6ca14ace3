import { join } from 'node:path'
import { type SessionDeps, type Snapshots, systemPrompt, type WorkState } from '@maru/agent'
import type { Access, LiveBus, Recorded } from '@maru/protocol'
import { sha256, uniqueHex } from '@maru/store'
import { createTools, openSnapshots, type Toolbox } from '@maru/tools'
import type { Invocation } from '../command.ts'
import type { Choice } from '../config/load-config.ts'
import type { Settings } from '../config/settings.ts'
import { printable } from '../terminal/printable.ts'
import { claimSnapshots } from '../undo/snapshot-store.ts'
import { readInstructions } from './instructions.ts'
import type { SessionMasking } from './masking.ts'
import { createModelSide, type ModelSide } from './model-side.ts'
import { createRawSide } from './raw-side.ts'
import { openSessionSandbox } from './sandbox.ts'
import { tellNested } from './tell-nested.ts'
import type { WorkedSession } from './worked-session.ts'

export { contextOf, modelOverrides } from './model-side.ts'

export interface DepsWish {
  hasTools: boolean
  outputSchema?: string | undefined
}

/** What is known only once there is a session. */
export interface DepsPlace {
  session: WorkedSession
  live: LiveBus
  isDryRun: boolean
  isAttended: boolean
  /** What the session says of itself, where it was there before. */
  past?: Pick<WorkState, 'settings' | 'condensedSeq'> | undefined
  onRetry: NonNullable<SessionDeps['onRetry']>
  /** A line for people. */
  onNotice(line: string): void
}

/** The agent put together for one session. */
export interface PreparedDeps extends SessionDeps {
  /** What holds for the next turn. */
  readonly chosen: Settings & { readonly model: string }
  /** Whether commands are held, as far as anybody has asked yet. */
  readonly sandboxState: 'full' | 'none' | 'unknown'
  /** Finds out whether this can be chosen; what it gives makes it so. */
  choose(choice: Choice): Promise<() => void>
  /** To be told of each new fact. */
  fact(record: Recorded): void
  close(): Promise<void>
}

/** Reads everything that settings decide; what it gives puts the agent together, where all its parts meet. */
export async function prepareDeps(
  invocation: Invocation,
  wish: DepsWish,
  masking: SessionMasking,
): Promise<(place: DepsPlace) => Promise<PreparedDeps>> {
  const { settings, settingsWith } = await invocation.config()
  const { limits = {} } = settings
  const root = invocation.repo()
  const sideOf = async (chosen: Settings) => {
    const made = await createModelSide(chosen, invocation, wish.outputSchema)
    masking.know(made.key)
    return made
  }
  let side = await sideOf(settings)
  for (const value of secretSettings(settings)) masking.know(value)
  const told = wish.hasTools ? await readInstructions(invocation, masking) : {}
  const system = wish.hasTools ? systemPrompt({ root, ...told }) : ANSWER
  const sandbox = wish.hasTools && settings.sandbox !== 'off' ? openSessionSandbox(invocation, root) : undefined
  let isHeld: boolean | undefined = sandbox ? undefined : false
  const tools = wish.hasTools
    ? createTools({
        root,
        environment: invocation.env,
        ...(sandbox && { sandbox }),
        get canSee() {
          return side.canSee
        },
        masking,
        ...chosenTools(settings, invocation),
      })
    : NO_TOOLS
  return async ({ session, live, isDryRun, isAttended, past, onRetry, onNotice }) => {
    let now: Choice = {}
    if (past && Object.keys(past.settings).length > 0) side = await sideOf(settingsWith(past.settings, now))
    const snapshots = openSnapshots({
      root,
      store: () => claimSnapshots(invocation.home, root, session),
      environment: invocation.env,
      onProblem: onNotice,
    })
    const raw = createRawSide(join(session.directory, session.id, 'raw'), (error) => onNotice(String(error)))
    const nested = wish.hasTools
      ? tellNested(tools, { root, session, masking, condensedSeq: past?.condensedSeq ?? 0 })
      : undefined
    const engineSettings = ({ settings: chosen, model, params, context }: ModelSide): SessionDeps['settings'] => ({
      provider: chosen.provider,
      model,
      system,
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
      context,
    })
    let current = engineSettings(side)
    return {
      log: session.log,
      ...(session.states && { states: session.states }),
      blobs: session.blobs,
      live,
      // These three belong together, and a turn takes them together.
      get provider() {
        return side.provider
      },
      get settings() {
        return current
      },
      get price() {
        return side.price
      },
      tools: nested?.tools ?? tools,
      // Behind the first request, which needs no policy.
      async decide(call) {
        const { judgeCall } = await import('./policy.ts')
        const { settings: chosen } = side
        // Whether it holds makes no difference to the others, and is not asked for nothing.
        const isRun = (one: Access) => one.kind === 'run' && one.proven !== 'read-only'
        const counts = chosen.mode === 'auto' || call.access.some(isRun)
        if (counts) isHeld = (await sandbox?.holds()) === true
        const held = counts && isHeld ? 'full' : 'none'
        return judgeCall(call, { root, home: invocation.env['HOME'], settings: chosen, sandbox: held })
      },
      async remember(rules) {
        const { rememberRules } = await import('../config/remember-rules.ts')
        // It holds for the session in any case.
        await rememberRules(invocation, rules).catch((error: Error) => invocation.notice(printable(error.message)))
      },
      masking,
      onSecret: raw.drop,
      hash: sha256,
      // The global `performance` would load a module of its own.
      now: () => Number(process.hrtime.bigint()) / 1e6,
      newId,
      ...(settings.raw !== false && { onRaw: raw.add }),
      ...(wish.hasTools && { snapshots: session.onTree ? noting(snapshots, session.onTree) : snapshots }),
      onRetry,
      get chosen() {
        return { ...side.settings, model: side.model }
      },
      get sandboxState() {
        return isHeld === undefined ? 'unknown' : isHeld ? 'full' : 'none'
      },
      async choose(choice) {
        const wanted = { ...now, ...choice }
        const next = await sideOf(settingsWith(past?.settings ?? {}, wanted))
        return () => {
          now = wanted
          side = next
          current = engineSettings(next)
        }
      },
      fact(record) {
        if (record.type === 'turn-end' || record.type === 'turn-fail') raw.end(record.turnId)
        nested?.fact(record)
      },
      async close() {
        await tools.close()
        await sandbox?.close()
        await snapshots.close()
        raw.close()
      },
    }
  }
}

function secretSettings({ keys, models = {}, web }: Settings): string[] {
  const headers = Object.values(models).flatMap((model) => Object.values(model.headers ?? {}))
  const given = Object.values(keys).filter((one) => typeof one === 'string')
  return [...given, ...headers, (web?.search?.header ?? '').replace(/^[\w-]+:\s*/, '')]
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

// Before the log speaks of it: what a fact names is never swept away.
function noting(snapshots: Snapshots, onTree: (id: string) => void): Snapshots {
  return {
    async take(...given) {
      const taken = await snapshots.take(...given)
      if (taken) onTree(taken.id)
      return taken
    },
  }
}

const NO_TOOLS: Toolbox = { list: () => [], onChange: () => () => undefined, close: async () => undefined }

const ANSWER =
  'You are Maru. Answer in the language of the question, briefly and truthfully; say so when you do not know.'

// In the order of their making, and safe in a file name and as a vendor's id.
function newId(): string {
  return `${Date.now().toString(36)}${uniqueHex(8)}`
}
