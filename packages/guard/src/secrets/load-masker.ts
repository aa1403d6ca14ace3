import type { Masker, MaskerOptions } from './masker.ts'

/** A masker that is loaded when it is first needed: most runs begin without anything to mask. */
export interface Masking {
  load(): Promise<Masker>
  /** The masker, once it is loaded. */
  readonly loaded: Masker | undefined
}

/** What a masker is made of, once it is needed. */
export type MaskerSource = () => Promise<
  Omit<MaskerOptions, 'known'> & {
    /** Where the user's own values are found by their names: `process.env`. */
    environment?: Readonly<Record<string, string | undefined>>
    /** Values that are secret in any case: the keys of a configuration. */
    values?: readonly string[]
  }
>

/** Makes a masking; nothing is loaded yet. */
export function createMasking(source: MaskerSource): Masking {
  let loading: Promise<Masker> | undefined
  let loaded: Masker | undefined
  const load = async () => {
    const [{ createMasker }, { findOwnValues }] = await Promise.all([import('./masker.ts'), import('./own-values.ts')])
    const { environment = {}, values = [], ...options } = await source()
    loaded = createMasker({ ...options, known: findOwnValues(environment, values) })
    return loaded
  }
  return {
    load() {
      loading ??= load()
      return loading
    },
    get loaded() {
      return loaded
    },
  }
}

const TELLING =
  /pass|pwd|secret|token|\bkey|[_-]key|apikey|auth|cred|cookie|login|비밀|비번|암호|패스워드|토큰|인증|-----BEGIN|:\/\/[^\s/]{0,200}@|\d{6}[- ]?\d{7}|\d{4}[ -]?\d{4}[ -]?\d{4}|\d{3}-\d\d-\d{5}|\d\d-\d\d-\d{6}/i

/** Whether a page about a project, which speaks of keys all the time, may hold one. */
export function mayHoldKey(text: string): boolean {
  return ASSIGNED.test(text) || text.split(/[\s"'`<>()]+/).some(isUnlikeWord)
}

const ASSIGNED =
  /-----BEGIN|:\/\/[^\s/@]{0,100}:[^\s/@]{1,100}@|(?:pass|secret|token|key|비밀번호|암호)\w{0,20}["'`]?[ \t]{0,8}[=:][ \t]{0,8}["'`]?[^\s"'`]{0,60}\d/i

/** Whether a text is worth to load the masker for. Cheap, and wrong only in being careful. */
export function mayHoldSecret(text: string): boolean {
  return TELLING.test(text) || text.split(/[\s"'`<>()]+/).some(isUnlikeWord)
}

// Long, with capitals and digits in it: a path or a name rarely has as many.
function isUnlikeWord(word: string): boolean {
  return word.length >= 14 && (word.match(/[A-Z0-9]/g)?.length ?? 0) >= 4
}
