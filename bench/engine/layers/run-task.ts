import { join } from 'node:path'
import { runSession, type SessionDeps, systemPrompt } from '@maru/agent'
import type { DoorFact } from '@maru/protocol'
import { createProvider } from '@maru/providers'
import { createLiveBus, newSessionId, openJsonlStore, sha256, uniqueHex } from '@maru/store'

/** What stands on the engine in one of its layers. */
export interface Layer extends Pick<SessionDeps, 'tools' | 'decide' | 'masking'> {
  close?(): Promise<void>
}

/** Where a layer works, as `maru run` is told it. */
export const place = {
  root: process.cwd(),
  home: process.env['MARU_HOME'] ?? join(process.cwd(), '.maru'),
  environment: process.env,
}

/** Does the task of the command line as `maru run` would: a new session, every fact durable, the words to stdout. */
export async function runTask({ close, ...layer }: Layer): Promise<void> {
  const id = newSessionId(Date.now())
  const { log, blobs } = openJsonlStore({
    directory: join(place.home, 'sessions'),
    now: Date.now,
    mask: (text) => layer.masking?.loaded?.maskKnown(text) ?? text,
  })
  const live = createLiveBus()
  live.subscribe(id, (event) => {
    if (event.type === 'text-delta') process.stdout.write(event.text)
  })
  await log.create(id, { agent: { kind: 'maru' }, door: 'terminal', cwd: place.root })
  const deps: SessionDeps = {
    ...layer,
    log,
    blobs,
    live,
    provider: createProvider({
      vendor: 'anthropic',
      key: process.env['ANTHROPIC_API_KEY'] ?? '',
      baseUrl: process.env['ANTHROPIC_BASE_URL'] ?? '',
    }),
    settings: SETTINGS,
    hash: sha256,
    now: () => Number(process.hrtime.bigint()) / 1e6,
    newId: () => uniqueHex(16),
  }
  const reason = await runSession(deps, id, new AbortController().signal, said(process.argv[2] ?? ''))
  await close?.()
  await log.close()
  process.exitCode = reason === 'done' ? 0 : 1
  process.once('beforeExit', () => process.exit())
}

const SETTINGS: SessionDeps['settings'] = {
  provider: 'anthropic',
  model: 'claude-sonnet-4-5',
  system: systemPrompt({ root: place.root }),
  params: {},
  limits: { turns: 40 },
  isUnattended: true,
  isDryRun: false,
  forceFirstTool: false,
}

function said(text: string): DoorFact {
  const by = { kind: 'person', id: 'owner', door: 'terminal' } as const
  return { type: 'input-admit', key: uniqueHex(32), by, delivery: 'queue', parts: [{ type: 'text', text }] }
}
