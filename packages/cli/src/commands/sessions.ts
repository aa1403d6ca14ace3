import { usageError } from '../cli-error.ts'
import { defineCommand } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { ACTIONS, type Action, type SessionsInvocation, sessionsOptions } from '../sessions/options.ts'
import { printable } from '../terminal/printable.ts'

const names = Object.keys(ACTIONS) as Action[]

/** `maru sessions`: looks at the sessions there are, takes them elsewhere, forks and erases them. */
export const sessions = defineCommand({
  usage: [
    'sessions [list] [--all] [--search WORDS]',
    'sessions show [ID]',
    'sessions export [ID] [--format FORMAT] [--output FILE]',
    'sessions fork [ID] [--at SEQ|TURN] [--files | --worktree [DIR]]',
    'sessions summarise [ID] [--words N]',
    'sessions delete ID…',
    'sessions prune --older-than 30d | --keep N',
  ],
  details: 'sessions.details',
  options: sessionsOptions,
  positionals: [
    { name: names.join('|'), choices: names, optional: true },
    { name: 'ID', optional: true, many: true },
  ],
  async run(invocation): Promise<ExitCode> {
    const action = (invocation.positionals[0] ?? 'list') as Action
    expectFitting(invocation, action)
    switch (action) {
      case 'list':
        return (await import('../sessions/actions/list.ts')).list(invocation)
      case 'show':
        return (await import('../sessions/actions/show.ts')).show(invocation)
      case 'export':
        return (await import('../sessions/actions/export.ts')).exportOne(invocation)
      case 'fork':
        return (await import('../sessions/actions/fork.ts')).fork(invocation)
      case 'summarise':
        return (await import('../sessions/actions/summarise.ts')).summarise(invocation)
      case 'delete':
        return (await import('../sessions/actions/delete.ts')).remove(invocation)
      case 'prune':
        return (await import('../sessions/actions/prune.ts')).prune(invocation)
      default:
        return action satisfies never
    }
  },
})

// An option that this action does not know would be ignored in silence: `delete --keep 3` must not delete.
function expectFitting({ options, positionals, t }: SessionsInvocation, action: Action): void {
  const { options: known, most } = ACTIONS[action]
  const help = 'maru sessions -h'
  for (const name of Object.keys(sessionsOptions) as (keyof typeof sessionsOptions)[]) {
    const isGiven = options[name] !== undefined && options[name] !== false
    const isKnown = (known as readonly string[]).includes(name)
    if (isGiven && !isKnown) throw usageError(t('sessions.not-for', { option: `--${name}`, action, help }))
  }
  const extra = positionals[most + 1]
  if (extra !== undefined) throw usageError(t('cli.too-many', { argument: printable(extra), help }))
}
