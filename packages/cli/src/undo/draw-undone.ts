import type { FileChange } from '@maru/protocol'
import type { Invocation } from '../command.ts'
import { printable } from '../terminal/printable.ts'

/** What came of taking a run back. */
export interface UndoneRun {
  readonly runId: string
  readonly task: string
  readonly restored: readonly FileChange[]
  readonly left: readonly { readonly path: string; readonly why: string }[]
}

/** The same as lines for people: each path once, with what became of it. */
export function drawUndone(
  { runId, task, restored, left }: UndoneRun,
  { style, t }: Pick<Invocation, 'style' | 't'>,
): string[] {
  return [
    t('undo.run', { run: runId, task: printable(task).slice(0, 60) }),
    ...[...signsOf(restored)].map(([path, sign]) => `  ${sign} ${printable(path)}`),
    ...left.map(({ path, why }) => `  ${style.yellow('!')} ${printable(path)}: ${reasonOf(why, t)}`),
  ]
}

// A file that several calls changed is named once: as it was found, and as it is again.
function signsOf(restored: readonly FileChange[]): Map<string, string> {
  const ends = new Map<string, FileChange>()
  for (const change of restored) ends.set(change.path, { ...change, ...pick(ends.get(change.path)) })
  return new Map(
    [...ends].map(([path, { before, after }]) => [path, before === undefined ? '+' : after === undefined ? '-' : '~']),
  )
}

function pick(first: FileChange | undefined): { before?: string } {
  return first?.before === undefined ? {} : { before: first.before }
}

function reasonOf(why: string, t: Invocation['t']): string {
  return why === 'changed-since' ? t('undo.changed-since') : t('undo.not-kept')
}
