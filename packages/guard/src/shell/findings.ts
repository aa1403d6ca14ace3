import type { Access, Json } from '@maru/protocol'
import { isGraver, type Proven } from './proven.ts'
import type { Why, WhyCode } from './why.ts'

/** Everything that a line was found to do. */
export interface Findings {
  readonly accesses: Access[]
  readonly seen: Set<string>
  worst: { proven: Proven; why: Why | undefined }
  usesGit: boolean
  /** git has learned an address in this very line. */
  addedRemote: boolean
  /** How often something was reached, decoded, or read that is secret: compared before and after a part of the line. */
  reached: number
  decoded: number
  secrets: number
  /** Statements seen so far. */
  commands: number
}

export function createFindings(): Findings {
  return {
    accesses: [],
    seen: new Set(),
    worst: { proven: 'read-only', why: undefined },
    usesGit: false,
    addedRemote: false,
    reached: 0,
    decoded: 0,
    secrets: 0,
    commands: 0,
  }
}

export function addAccess(findings: Findings, access: Access): void {
  const { accesses, seen } = findings
  // Most lines touch little: keys are made only where there is something to compare.
  if (accesses.length > 0) {
    if (seen.size === 0) for (const other of accesses) seen.add(keyOf(other))
    const key = keyOf(access)
    if (seen.has(key)) return
    seen.add(key)
  }
  accesses.push(access)
}

function keyOf(access: Access): string {
  if (access.kind === 'run')
    return `${access.proven}\0${access.program}\0${access.argv.join('\0')}\0${access.why?.code}`
  return 'path' in access ? `${access.kind}\0${access.mark}\0${access.where}\0${access.path}` : JSON.stringify(access)
}

/** One command of the line and what is proven of it so far. */
export interface Note {
  proven: Proven
  why: Why | undefined
}

export function note(into: Note, proven: Proven, why: { code: WhyCode; program: string; what: string }): void {
  if (into.why !== undefined && !isGraver(proven, into.proven)) return
  if (into.why === undefined && proven === 'read-only') return
  into.proven = isGraver(proven, into.proven) ? proven : into.proven
  into.why = why
}

/** Closes a command: it becomes an access. */
export function addRun(findings: Findings, program: string, argv: string[], { proven, why }: Note): void {
  addAccess(findings, { kind: 'run', program, argv, proven, ...(why && { why }) })
  if (isGraver(proven, findings.worst.proven) || (findings.worst.why === undefined && why)) {
    findings.worst = { proven, why }
  }
}

/** A doubt about the line itself rather than one of its commands. */
export function addDoubt(findings: Findings, why: Why, proven: Proven = 'unknown'): void {
  addRun(findings, 'bash', [], { proven, why })
}

/** A node of the tree that `policy explain` shows. */
export type Branch = { [key: string]: Json }
