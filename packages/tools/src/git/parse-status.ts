/** One path in the status, below the directory that was asked about. */
export interface StatusEntry {
  /** What happened to it: `modified`, `new`, `deleted`, `renamed`, `type changed`, or how both sides conflict. */
  readonly change: string
  readonly path: string
  readonly from?: string
  readonly isSubmodule?: true
}

/** A repository's state, as `git status --porcelain=v2 --branch -z` tells it. */
export interface Status {
  /** Nothing when HEAD is detached. */
  readonly branch?: string
  /** Nothing before the first commit. */
  readonly commit?: string
  readonly upstream?: string
  readonly ahead: number
  readonly behind: number
  readonly staged: StatusEntry[]
  readonly changed: StatusEntry[]
  readonly conflicted: StatusEntry[]
  readonly untracked: StatusEntry[]
}

const CHANGES: Record<string, string> = {
  M: 'modified',
  A: 'new',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type changed',
}
const CONFLICTS: Record<string, string> = {
  DD: 'both deleted',
  AU: 'added by us',
  UD: 'deleted by them',
  UA: 'added by them',
  DU: 'deleted by us',
  AA: 'both added',
  UU: 'both modified',
}

/** Reads the status; paths are given below `prefix`, which git counts from the top of the work tree. */
export function parseStatus(text: string, prefix: string): Status {
  const status = { ahead: 0, behind: 0, staged: [], changed: [], conflicted: [], untracked: [] } as Draft
  const records = text.split('\0')
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? ''
    if (record.startsWith('# ')) readHeader(status, record.slice(2))
    // A rename has the old name as a record of its own.
    else if (record.startsWith('2 '))
      readChange(status, { fields: record.split(' '), prefix, from: records[++at] ?? '' })
    else if (record.startsWith('1 ')) readChange(status, { fields: record.split(' '), prefix })
    else if (record.startsWith('u ')) readConflict(status, record.split(' '), prefix)
    else if (record.startsWith('? ')) status.untracked.push({ change: 'new', path: below(prefix, record.slice(2)) })
  }
  return status
}

type Draft = { -readonly [Key in keyof Status]: Status[Key] }

function readHeader(status: Draft, header: string): void {
  const [name, first = '', second = ''] = header.split(' ')
  const value = header.slice(String(name).length + 1)
  if (name === 'branch.oid' && value !== '(initial)') status.commit = value
  if (name === 'branch.head' && value !== '(detached)') status.branch = value
  if (name === 'branch.upstream') status.upstream = value
  if (name !== 'branch.ab') return
  status.ahead = Math.abs(Number(first))
  status.behind = Math.abs(Number(second))
}

// `1 XY SUB mH mI mW hH hI PATH`, and with a score before the path in a rename.
function readChange(
  status: Draft,
  { fields, prefix, from }: { fields: string[]; prefix: string; from?: string },
): void {
  const [, letters = '..', sub = 'N'] = fields
  const path = below(prefix, fields.slice(from === undefined ? 8 : 9).join(' '))
  const entry = (letter: string): StatusEntry => ({
    change: CHANGES[letter] ?? letter,
    path,
    ...(from !== undefined && 'RC'.includes(letter) && { from: below(prefix, from) }),
    ...(sub.startsWith('S') && { isSubmodule: true }),
  })
  const [index = '.', tree = '.'] = letters
  if (index !== '.') status.staged.push(entry(index))
  if (tree !== '.') status.changed.push(entry(tree))
}

// `u XY SUB m1 m2 m3 mW h1 h2 h3 PATH`
function readConflict(status: Draft, fields: string[], prefix: string): void {
  const [, letters = ''] = fields
  status.conflicted.push({ change: CONFLICTS[letters] ?? letters, path: below(prefix, fields.slice(10).join(' ')) })
}

function below(prefix: string, path: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : `(outside) ${path}`
}
