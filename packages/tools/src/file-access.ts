import { type Mark, markOf } from '@maru/guard'
import type { Access, Diagnostic } from '@maru/protocol'
import type { Place } from './locate.ts'
import type { Inside, Workspace } from './workspace.ts'

type FileAccess = Extract<Access, { path: string }>

/** A path that may be gone to, or why not and what the policy is told. */
export type Approach =
  | { kind: 'inside'; place: Inside; mark: Mark | undefined }
  | { kind: 'refused'; diagnostic: Diagnostic; access: Access[] }

/** Where a path argument leads, before anything is opened. */
export async function approach(workspace: Workspace, path: string, use: 'read' | 'write'): Promise<Approach> {
  const place = await workspace.locate(path, use)
  switch (place.where) {
    case 'inside':
      return { kind: 'inside', place, mark: markOf(place.path, use) }
    case 'outside':
      return { kind: 'refused', diagnostic: outside(place.path), access: [{ kind: use, path, where: 'outside' }] }
    case 'nowhere':
      return { kind: 'refused', diagnostic: place.diagnostic ?? noPath(place), access: [] }
    default:
      return place satisfies never
  }
}

/** The access to a file inside the workspace. */
export function accessTo(place: Inside, kind: FileAccess['kind'], mark: Mark | undefined): FileAccess {
  return { kind, path: place.path, where: 'inside', ...(mark && { mark }) }
}

function outside(path: string): Diagnostic {
  const hint = 'Use a path relative to the workspace root.'
  return { code: 'outside-workspace', message: `${path} is outside the workspace.`, hint }
}

function noPath({ path, problem }: Extract<Place, { where: 'nowhere' }>): Diagnostic {
  return { code: 'bad-path', message: `The path "${path}" ${problem}.`, hint: 'Give a path in the workspace.' }
}
