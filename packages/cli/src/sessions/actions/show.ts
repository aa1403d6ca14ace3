import { EXIT, type ExitCode } from '../../exit-code.ts'
import { drawPortrait } from '../draw-portrait.ts'
import { findSession } from '../find-session.ts'
import type { SessionsInvocation } from '../options.ts'
import { readPortrait } from '../read-portrait.ts'
import { forScripts } from './list.ts'

/** What there is to know of one session, short. */
export async function show(invocation: SessionsInvocation): Promise<ExitCode> {
  const { positionals, json, stdout } = invocation
  const session = await findSession(invocation, positionals[1])
  try {
    const { row, ...portrait } = await readPortrait(invocation, session)
    if (json) await stdout.line(JSON.stringify({ ...forScripts(row), ...portrait }))
    else for (const line of drawPortrait({ row, ...portrait }, invocation)) await stdout.line(line)
    return EXIT.done
  } finally {
    await session.log.close()
  }
}
