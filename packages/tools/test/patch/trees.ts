import type { PatchDiagnostic, PatchPlan, PatchRefusal } from '../../src/patch/patch.ts'
import type { PatchSource } from '../../src/patch/plan-file.ts'
import { planPatch } from '../../src/patch/plan-patch.ts'

export type Files = Record<string, string>

/** Plans a patch for files that are only here. */
export function plan(
  patch: string,
  files: Files,
  options: Omit<PatchSource, 'read'> = {},
): Promise<PatchPlan | PatchRefusal> {
  return planPatch(patch, { ...options, read: async (path) => files[path] })
}

/** The files as they are afterwards; a refusal fails the test with its words. */
export async function patched(patch: string, files: Files, options?: Omit<PatchSource, 'read'>): Promise<Files> {
  const result = await plan(patch, files, options)
  if (!result.ok) throw new Error(result.diagnostics.map(({ code, message }) => `${code}: ${message}`).join('\n'))
  const after = { ...files }
  for (const change of result.changes) {
    if (change.kind === 'delete' || change.kind === 'rename') delete after[change.path]
    if (change.kind !== 'delete') after[change.kind === 'rename' ? change.to : change.path] = change.after
  }
  return after
}

/** Why a patch is refused; one that is not fails the test. */
export async function refused(
  patch: string,
  files: Files,
  options?: Omit<PatchSource, 'read'>,
): Promise<PatchDiagnostic[]> {
  const result = await plan(patch, files, options)
  if (result.ok) throw new Error(`applied: ${JSON.stringify(result.changes)}`)
  return result.diagnostics
}

export async function codes(patch: string, files: Files, options?: Omit<PatchSource, 'read'>): Promise<string[]> {
  return (await refused(patch, files, options)).map(({ code }) => code)
}

/** Lines, each with its newline. */
export function text(...lines: string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}
