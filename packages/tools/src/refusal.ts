import type { Access, Diagnostic, Prepared, ToolResult } from '@maru/protocol'

/** A failure that was to be expected: it says what went wrong and what to do instead. */
export function failure(...diagnostics: Diagnostic[]): ToolResult {
  return { ok: false, diagnostics }
}

/**
 * A call that will do nothing but say why. It touches nothing, so nobody is asked about it; only what would leave the
 * workspace or break into `.git` names that access, so that the policy denies it by its own rule.
 */
export function refusal(diagnostic: Diagnostic, access: Access[] = []): Prepared {
  return { access, basis: [], run: async () => failure(diagnostic) }
}

/** What a call says that was interrupted before it did anything. */
export const INTERRUPTED: Diagnostic = { code: 'interrupted', message: 'Interrupted before anything was done.' }
