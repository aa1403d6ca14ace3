import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Prepared, ToolResult } from '@maru/protocol'
import { applyPatch } from '@maru/tools'
import { handContext } from '../by-hand.ts'
import { usageError } from '../cli-error.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { readAll } from '../session/read-task.ts'
import { printable } from '../terminal/printable.ts'
import { tellErrno } from '../terminal/tell-errno.ts'
import { tellResult } from '../terminal/tell-result.ts'

export const apply = defineCommand({
  usage: ['apply [FILE|-]'],
  details: 'apply.details',
  options: { check: { kind: 'flag', summary: 'option.check' } },
  positionals: [{ name: 'FILE|-', optional: true }],
  async run(invocation): Promise<ExitCode> {
    const { options, stdout, json, signal, t } = invocation
    const prepared = await applyPatch(invocation.repo(), await readPatch(invocation))
    const result = options.check ? await rehearse(prepared, signal) : await prepared.run(handContext(signal))
    const diff = prepared.preview && 'text' in prepared.preview ? prepared.preview.text : ''
    if (json) await stdout.line(JSON.stringify({ ...result, ...(diff !== '' && { diff }) }))
    else if (options.check && result.ok) await stdout.line(printable(diff, { keepLines: true }))
    else await stdout.line(printable(tellResult(result, t), { keepLines: true }))
    return result.ok ? EXIT.done : EXIT.failed
  },
})

async function readPatch(invocation: Invocation): Promise<string> {
  const [file = '-'] = invocation.positionals
  if (file === '-') return readAll(invocation.stdin)
  try {
    return await readFile(resolve(invocation.cwd, file), 'utf8')
  } catch (error) {
    const reason = printable(tellErrno(error, invocation.t))
    throw usageError(invocation.t('apply.unreadable', { path: printable(file), reason }))
  }
}

// What is refused says so when it is run, and does nothing; what would change something is not run.
async function rehearse(prepared: Prepared, signal: AbortSignal): Promise<ToolResult> {
  return prepared.basis.length > 0 ? { ok: true } : prepared.run(handContext(signal))
}
