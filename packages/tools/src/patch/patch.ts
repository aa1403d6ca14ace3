import type { Blobs } from './blob.ts'

/** A line of a hunk. `isLoose`: it was written without the sign that it should have. */
export interface HunkLine {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
  /** Its line in the patch, from 1. */
  readonly at: number
  readonly isLoose?: boolean
  /** Followed by `\ No newline at end of file`. */
  readonly isUnended?: boolean
}

/** What stands between the `@@`; a count that is not written is not known. */
export interface HunkHeader {
  readonly oldStart: number
  readonly oldCount?: number
  readonly newStart?: number
  readonly newCount?: number
}

/** One place of a file to change, as written. */
export interface Hunk {
  /** From 1 in its file. */
  readonly number: number
  readonly at: number
  readonly header?: HunkHeader
  /** Lines of the file above the place that say which one is meant (`@@ class Server`). */
  readonly anchors: readonly string[]
  readonly lines: readonly HunkLine[]
  /** The place ends the file (`*** End of File`). */
  readonly endsFile?: boolean
  /** Nothing stands behind it that proves that it is whole; `likely`, something is missing that should. */
  readonly mayBeCut?: 'perhaps' | 'likely'
  /** Its lines had the numbers of lines before them. */
  readonly isNumbered?: boolean
  /** The text ends with it, and without a newline. */
  readonly isUnfinished?: boolean
  /** Where its last line stands in the old and in the new file, if it is that end which is known. */
  readonly lastLine?: { readonly old: number; readonly new: number }
  /** How many of `lines` the header's counts ask for, where prose may follow. */
  readonly counted?: number
}

/** What a patch does to one file, before anybody has looked at that file. */
export type FilePatch =
  | { kind: 'create'; path: string; at: number; hunk: Hunk; isExecutable?: boolean; blobs?: Blobs }
  | { kind: 'delete'; path: string; at: number; hunks: readonly Hunk[]; orPath?: string }
  | {
      kind: 'update'
      path: string
      at: number
      hunks: readonly Hunk[]
      moveTo?: string
      /** It has only new lines, and says that there were none before. */
      mayCreate?: boolean
      /** What the path may also mean, where there is no such file: `a/x.ts` with its first letter. */
      orPath?: string
      /** The name behind `---` where it is another one and nothing says that the file is renamed. */
      oldPath?: string
      /** What git calls the file before and after, if the patch says so. */
      blobs?: Blobs
    }

/** A tolerance that was needed, so that it can be told. */
export type Tolerance =
  | 'line-numbers'
  | 'line-counts'
  | 'missing-prefix'
  | 'trailing-space'
  | 'indentation'
  | 'punctuation'
  | 'ellipsis'
  | 'numbered-lines'
  | 'missing-context'
  | 'edited-context'
  | 'proven-by-index'

/** Where a hunk has landed, in numbers of the new file; one that only takes lines away has a `last` before its `first`. */
export type LandedHunk = {
  hunk: number
  first: number
  last: number
  /** These lines and a few around them as `NUMBER<tab>TEXT`, as many as fit. */
  lines: string
  tolerances: Tolerance[]
}

export type PlannedChange =
  | { kind: 'create'; path: string; after: string; landed: LandedHunk[]; isExecutable?: boolean }
  | { kind: 'update'; path: string; before: string; after: string; landed: LandedHunk[] }
  | { kind: 'rename'; path: string; to: string; before: string; after: string; landed: LandedHunk[] }
  | { kind: 'delete'; path: string; before: string }

/** A part of the patch that the files hold already; without `hunk`, all that it says of that file. */
export type AlreadyApplied = { file: string; hunk?: number }

export type PatchPlan = { ok: true; changes: PlannedChange[]; alreadyApplied: AlreadyApplied[] }

export type PatchCode =
  | 'no-patch'
  | 'malformed'
  | 'truncated'
  | 'too-large'
  | 'no-path'
  | 'bad-path'
  | 'unsupported'
  | 'same-file-twice'
  | 'file-exists'
  | 'file-missing'
  | 'empty-hunk'
  | 'no-context'
  | 'not-found'
  | 'ambiguous'
  | 'overlap'
  | 'indentation-unclear'
  | 'punctuation-unclear'
  | 'already-applied'
  | 'not-as-indexed'
  | 'no-change'

export type PatchDetails = {
  file?: string
  hunk?: number
  /** In the patch. */
  line?: number
  /** The line of the file where the closest place stops matching. */
  stopsAt?: number
  expected?: string
  /** Real lines of the file, as `NUMBER<tab>TEXT`. */
  found?: string
  /** Lines of the file where the hunk could begin. */
  candidates?: number[]
}

/** Why nothing is changed, in words that the model can act on; assignable to the protocol's `Diagnostic`. */
export type PatchDiagnostic = { code: PatchCode; message: string; hint: string; details: PatchDetails }

export type PatchRefusal = { ok: false; diagnostics: PatchDiagnostic[] }
