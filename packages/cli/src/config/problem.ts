import type { RuleFault } from '@maru/guard'
import type { MessageKey, PlainKey, Translator } from '@maru/i18n'
import { printable } from '../terminal/printable.ts'

/** What is wrong in a config file. Values are never part of it: one of them may be a key. */
export type Fault =
  | { readonly kind: 'syntax'; readonly what: Extract<PlainKey, `config.syntax.${string}`> }
  | { readonly kind: 'unknown-key'; readonly key: string; readonly meant?: string; readonly known: readonly string[] }
  | { readonly kind: 'user-only' | 'project-only' | 'duplicate-key'; readonly key: string }
  | { readonly kind: 'wrong-value'; readonly key: string; readonly must: Extract<MessageKey, `config.must.${string}`> }
  | {
      readonly kind: 'wrong-choice'
      readonly key: string
      readonly choices: readonly string[]
      readonly meant?: string
    }
  | { readonly kind: 'wrong-rule'; readonly key: string; readonly what: RuleFault }
  | { readonly kind: 'unreadable'; readonly reason: string }

/** A fault and its place. A file that cannot be read at all has no line; the environment has no file. */
export interface ConfigProblem {
  readonly file?: string
  readonly line?: number
  readonly column?: number
  readonly fault: Fault
}

/** The whole line: `file:line:column what`. */
export function describeProblem(t: Translator, { file, line, column, fault }: ConfigProblem): string {
  if (file === undefined) return describeFault(t, fault)
  const place = line === undefined ? '' : `:${line}:${column ?? 1}`
  return `${printable(file)}${place} ${describeFault(t, fault)}`
}

/** What is wrong and what was probably meant, without the place. */
export function describeFault(t: Translator, fault: Fault): string {
  switch (fault.kind) {
    case 'syntax':
      return t(fault.what)
    case 'unknown-key': {
      const key = shownKey(fault.key)
      if (fault.meant) return t('config.unknown-key-meant', { key, meant: fault.meant })
      return t('config.unknown-key', { key, known: fault.known.join(', ') })
    }
    case 'user-only':
      return t('config.user-only', { key: shownKey(fault.key) })
    case 'project-only':
      return t('config.project-only', { key: shownKey(fault.key) })
    case 'duplicate-key':
      return t('config.duplicate-key', { key: shownKey(fault.key) })
    case 'wrong-value':
      return t(fault.must, { key: shownKey(fault.key) })
    case 'wrong-choice': {
      const values = { key: shownKey(fault.key), choices: fault.choices.join(', ') }
      return fault.meant
        ? t('config.wrong-choice-meant', { ...values, meant: fault.meant })
        : t('config.wrong-choice', values)
    }
    case 'wrong-rule':
      return describeRuleFault(t, shownKey(fault.key), fault.what)
    case 'unreadable':
      return t('config.unreadable', { reason: printable(fault.reason) })
    default:
      return fault satisfies never
  }
}

function describeRuleFault(t: Translator, key: string, fault: RuleFault): string {
  switch (fault.kind) {
    case 'no-subject':
      return t('config.rule.no-subject', { key })
    case 'two-subjects':
      return t('config.rule.two-subjects', { key })
    case 'loosens':
      return t('config.rule.loosens', { key })
    case 'matched':
      return t('config.rule.matched', { key, example: printable(fault.example) })
    case 'not-matched':
      return t('config.rule.not-matched', { key, example: printable(fault.example) })
    default:
      return fault satisfies never
  }
}

// Somebody may have put a secret where a name belongs: names are short and without long runs of digits and letters.
function shownKey(key: string): string {
  const parts = key.split('.').map((part) => (isNameLike(part) ? printable(part) : '…'))
  return parts.join('.')
}

function isNameLike(part: string): boolean {
  return part.length <= 40 && !/^(sk|pk|ghp|xox|key|AKIA|AIza)[-_A-Za-z0-9]{8,}/.test(part)
}
