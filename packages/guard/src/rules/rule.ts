import type { Verdict } from '../situation.ts'

/**
 * One rule of a config file: what is decided, and about what: a tool, a program with the shape of its arguments, paths,
 * or a host. `*` stands for any letters in an argument or a host, and for any but `/` in a path; `**` for any folders in a
 * path, and as the last argument for any more of them.
 */
export interface Rule {
  readonly decision: Verdict
  readonly tool?: string
  readonly program?: string
  readonly args?: readonly string[]
  readonly path?: string
  /** Which use of the paths; both without. */
  readonly use?: 'read' | 'write'
  readonly host?: string
  /** The repository it holds in; all without. */
  readonly in?: string
  /** Said to whoever is asked or refused. */
  readonly because?: string
  /** What it must and must not match, checked when the file is read. */
  readonly examples?: Examples
}

export interface Examples {
  readonly match?: readonly string[]
  readonly not?: readonly string[]
}

/** Rules by where they come from, from the weakest to the strongest voice; in each, the last one that matches decides. */
export interface RuleLayers {
  /** The user's own file. */
  readonly user: readonly Rule[]
  /** The repository's file: it can only tighten. */
  readonly project: readonly Rule[]
  /** What the person has granted in this session. */
  readonly session: readonly Rule[]
}

export const NO_RULES: RuleLayers = { user: [], project: [], session: [] }
