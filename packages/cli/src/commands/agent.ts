import { usageError } from '../cli-error.ts'
import { defineCommand } from '../command.ts'
import { agentOptions } from '../session/session-options.ts'

const { 'output-schema': _structured, ...options } = agentOptions

/** The interactive agent; what `maru` does by itself in a terminal. */
export const agent = defineCommand({
  usage: ['agent ["WORDS"]', 'agent --continue', 'agent --resume [ID]'],
  details: 'screen.details',
  options: {
    ...options,
    plain: { kind: 'flag', summary: 'option.plain' },
    local: { kind: 'flag', summary: 'option.local' },
  },
  positionals: [{ name: 'WORDS', optional: true, many: true }],
  async run(invocation) {
    const { options: given, positionals, isInteractive, json, env, t, repo } = invocation
    if (json) throw usageError(t('screen.no-json'))
    if (!isInteractive) throw usageError(t('screen.no-terminal'))
    // What is wrong with the place is said before anything is drawn.
    repo()
    const wish = {
      hasTools: true,
      words: positionals.join(' '),
      isDryRun: given['dry-run'],
      isLocal: given.local,
      session: given.session,
      resume: given.resume,
      continue: given.continue,
    }
    if (given.plain || env['TERM'] === 'dumb' || !env['TERM']) {
      const { runPlain } = await import('../agent/run-plain.ts')
      return runPlain(invocation, wish)
    }
    const { runScreen } = await import('../agent/run-screen.ts')
    return runScreen(invocation, wish)
  },
})
