import type { Access, Json } from '@maru/protocol'

/** What a command would do, as far as its words tell. */
export interface Judgement {
  readonly accesses: Access[]
  /** The line as it was understood, for people to look at. */
  readonly tree: Json
  /** Why it is more than read-only, in words; empty where it is not. */
  readonly reason: string
  /** It runs git, which has to be kept from running what a repository's configuration names. */
  readonly usesGit: boolean
}
