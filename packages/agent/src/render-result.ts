import type { Diagnostic, ToolResult } from '@maru/protocol'
import { cutMiddle } from './excerpt.ts'

/** No result that reaches the model is longer than this, in characters. */
export const RESULT_LIMIT = 10_000

/** What a tool may put into its texts so that they reach the model whole, with everything around them. */
export const TEXT_LIMIT = 9_400

// Diagnostics and data are short by nature; a tool that floods them shall not push out everything else.
const DIAGNOSTICS_LIMIT = 4_000
const DATA_LIMIT = 4_000

/** A result as the model reads it: how it ended, what to do about it, then data and output. */
export function renderResult({ ok, exit, diagnostics = [], data, stdout = '', stderr = '' }: ToolResult): string {
  const lines = [`${ok ? 'ok' : 'failed'}${exit === undefined ? '' : ` (exit code ${exit})`}`]
  if (diagnostics.length > 0) lines.push(cutMiddle(diagnostics.map(renderDiagnostic).join('\n'), DIAGNOSTICS_LIMIT))
  if (data !== undefined) lines.push(cutMiddle(JSON.stringify(data), DATA_LIMIT))
  const room = RESULT_LIMIT - lines.join('\n').length - '\nstdout:\n\nstderr:\n'.length
  const streams = fitStreams({ stdout, stderr }, room)
  // A lone output needs no name.
  if (streams.stdout !== '') lines.push(...(stderr === '' ? [] : ['stdout:']), streams.stdout)
  if (streams.stderr !== '') lines.push('stderr:', streams.stderr)
  return lines.join('\n')
}

/** Shares `limit` characters between the two outputs: each gets half, and what the other does not need. */
export function shareLimit(lengths: { stdout: number; stderr: number }, limit: number): typeof lengths {
  const half = Math.floor(limit / 2)
  return {
    stdout: Math.max(half, limit - lengths.stderr),
    stderr: Math.max(half, limit - lengths.stdout),
  }
}

function fitStreams({ stdout, stderr }: { stdout: string; stderr: string }, limit: number) {
  const share = shareLimit({ stdout: stdout.length, stderr: stderr.length }, limit)
  return { stdout: cutMiddle(stdout, share.stdout), stderr: cutMiddle(stderr, share.stderr) }
}

function renderDiagnostic({ code, message, hint, details }: Diagnostic): string {
  const parts = [`${code}: ${message}`, hint, details === undefined ? undefined : JSON.stringify(details)]
  return parts.filter((part) => part !== undefined).join(' ')
}
