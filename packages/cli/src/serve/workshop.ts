import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { type WorkState, work } from '@maru/agent'
import { LogError, type SessionLog } from '@maru/protocol'
import type { Agent, AgentWish, Workshop } from '@maru/server'
import { type History, importFile, type OwnHistory } from '@maru/store'
import { type RunEffects, readRunEffects } from '@maru/tools'
import type { Invocation } from '../command.ts'
import { openImportMask } from '../history/import-mask.ts'
import { prepareDeps } from '../session/prepare-deps.ts'
import { exportSession } from '../sessions/export/export-session.ts'
import { printable } from '../terminal/printable.ts'
import { tellFailure } from '../terminal/tell-failure.ts'
import { undoPlace } from '../undo/find-run.ts'
import { noteTrees, servedDirectory } from '../undo/served-trees.ts'
import { takeBack } from '../undo/take-back.ts'
import { inRoot } from './in-root.ts'
import type { MaskedHistory } from './masked-history.ts'

export interface WorkshopOptions {
  invocation: Invocation
  /** As it is, for what is masked by itself. */
  history: History
  masked: Pick<MaskedHistory, 'maskingOf' | 'plainOf'>
  summarise?: Workshop['summarise'] | undefined
}

/** What the server's agents are made of: the same engine, hands and guard as in the terminal. */
export function createWorkshop({ invocation, history, masked, summarise }: WorkshopOptions): Workshop {
  const { home, lang, signal, t } = invocation
  return {
    ...(summarise && { summarise }),
    openAgent: (wish) => openAgent(wish, invocation, masked),
    async diff({ id, root, log, blobs }) {
      const place = undoPlace({ home, repo: () => root }, { id, blobs })
      try {
        const runs = await changingRuns(log, id)
        return runs.length === 0 ? '' : await place.diff(runs, signal)
      } finally {
        await place.close()
      }
    },
    async undo(session, { by, runId }) {
      const runs = await changingRuns(session.log, session.id)
      const run = runs.findLast((one) => (runId === undefined ? !one.isUndone : one.runId === runId))
      if (!run && runId !== undefined) throw new LogError('missing', t('undo.no-run', { run: printable(runId) }))
      if (!run) return { restored: [], kept: [] }
      const place = { home, repo: () => session.root }
      const plain = { ...session, blobs: masked.plainOf(session.blobs) }
      const { restored, left } = await takeBack(place, { session: plain, run }, { signal, by })
      return { restored: [...new Set(restored.map(({ path }) => path))], kept: left }
    },
    exportConversation: ({ log, blobs }, id, { format, hasMetadata }) =>
      exportSession({ log, blobs, id }, { format, hasMetadata, t, lang }),
    async importUpload(own, file, onProgress, stop) {
      const mask = await openImportMask(invocation)
      const masked = await history.openOwner(own.owner, { mask })
      try {
        return await importNamed(file, { own: masked, mask, signal: stop, onProgress })
      } finally {
        await masked.log.close()
      }
    },
  }
}

async function openAgent(
  { id, root, provider, model, mode, log, blobs, live, onNotice }: AgentWish,
  invocation: Invocation,
  { maskingOf, plainOf }: WorkshopOptions['masked'],
): Promise<Agent> {
  const { home, t } = invocation
  const place = inRoot(invocation, { root, provider, model, mode, onNotice })
  const makeDeps = await prepareDeps(place, { hasTools: true }, maskingOf(blobs))
  const deps = await makeDeps({
    session: { id, log, blobs: plainOf(blobs), directory: servedDirectory(home), onTree: noteTrees(home, id) },
    live,
    past: await readWork(log, id),
    isDryRun: false,
    // Somebody may come by any door at any time.
    isAttended: true,
    onRetry: (waitMs, reason) =>
      onNotice(t('session.retry', { reason: printable(tellFailure(reason, t)), seconds: Math.ceil(waitMs / 1000) })),
    onNotice: (line) => onNotice(t('session.no-snapshot', { reason: printable(line) })),
  })
  return { deps, fact: deps.fact, close: deps.close }
}

/** What a session says of itself; nothing before its first fact. */
async function readWork(log: SessionLog, id: string): Promise<WorkState | undefined> {
  const state = work.create()
  try {
    for await (const record of log.read(id)) work.apply(state, record)
    return state
  } catch (error) {
    if (error instanceof LogError && error.code === 'missing') return undefined
    throw error
  }
}

async function changingRuns(log: SessionLog, id: string): Promise<RunEffects[]> {
  return (await readRunEffects(log.read(id))).filter(({ effects }) => effects.length > 0)
}

interface Upload {
  own: OwnHistory
  mask(text: string): string
  signal: AbortSignal
  onProgress: Parameters<Workshop['importUpload']>[2]
}

// What a file is called tells which session it holds, where nothing inside does.
async function importNamed(
  { path, name }: { path: string; name: string },
  { own, mask, signal, onProgress }: Upload,
): ReturnType<Workshop['importUpload']> {
  const folder = await mkdtemp(join(tmpdir(), 'maru-import-'))
  const problems: string[] = []
  let total = 0
  try {
    const named = join(folder, basename(name).replaceAll('\0', '') || 'upload')
    await symlink(resolve(path), named)
    const report = await importFile(named, {
      ...{ own, mask, signal, now: Date.now, isDry: false },
      isSensitive: (text) => mask(text) !== text,
      onProgress(read) {
        total = read.total
        onProgress({ bytes: read.done, total, sessions: 0, messages: 0 })
      },
      onProblem({ place, reason }) {
        if (problems.length < MOST_PROBLEMS) problems.push(`${place}: ${reason}`)
      },
    })
    const { added, grown, same, messages } = report
    onProgress({ bytes: total, total, sessions: added + grown + same, messages })
    return { added, grown, same, messages, problems }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const MOST_PROBLEMS = 1_000
