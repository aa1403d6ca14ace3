import { homedir } from 'node:os'
import { openSandbox, type Sandbox, type SandboxNotice } from '@maru/tools'
import type { Invocation } from '../command.ts'
import { printable } from '../terminal/printable.ts'

/** What holds the commands of a session in this repository. Costs nothing until the first. */
export function openSessionSandbox(invocation: Invocation, root: string): Sandbox {
  const { env, home, notice } = invocation
  return openSandbox({
    roots: [root],
    home: env['HOME'] || homedir(),
    maruHome: home,
    environment: env,
    onNotice: (found) => void notice(tell(found, invocation)),
  })
}

function tell(found: SandboxNotice, { t }: Invocation): string {
  if (found.kind === 'none') return t('session.no-sandbox')
  return t('session.moved-away', {
    paths: found.paths.map((path) => printable(path)).join(', '),
    place: printable(found.place),
  })
}
