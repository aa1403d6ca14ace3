import type { CommandEntry } from './command.ts'

export type { CommandEntry } from './command.ts'

/** The commands in the order of help. */
export const commands: { readonly [name: string]: CommandEntry } = {
  agent: { summary: 'command.agent', load: async () => (await import('./commands/agent.ts')).agent },
  run: { summary: 'command.run', load: async () => (await import('./commands/run.ts')).run },
  attach: { summary: 'command.attach', load: async () => (await import('./commands/attach.ts')).attach },
  ask: { summary: 'command.ask', load: async () => (await import('./commands/ask.ts')).ask },
  chat: { summary: 'command.chat', load: async () => (await import('./commands/chat.ts')).chat },
  demo: { summary: 'command.demo', load: async () => (await import('./commands/demo.ts')).demo },
  replay: { summary: 'command.replay', load: async () => (await import('./commands/replay.ts')).replay },
  sessions: { summary: 'command.sessions', load: async () => (await import('./commands/sessions.ts')).sessions },
  reset: { summary: 'command.reset', load: async () => (await import('./commands/reset.ts')).reset },
  context: { summary: 'command.context', load: async () => (await import('./commands/context.ts')).context },
  search: { summary: 'command.search', load: async () => (await import('./commands/search.ts')).search },
  tools: { summary: 'command.tools', load: async () => (await import('./commands/tools.ts')).tools },
  apply: { summary: 'command.apply', load: async () => (await import('./commands/apply.ts')).apply },
  diff: { summary: 'command.diff', load: async () => (await import('./commands/diff.ts')).diff },
  undo: { summary: 'command.undo', load: async () => (await import('./commands/undo.ts')).undo },
  policy: { summary: 'command.policy', load: async () => (await import('./commands/policy.ts')).policy },
  redact: { summary: 'command.redact', load: async () => (await import('./commands/redact.ts')).redact },
  import: { summary: 'command.import', load: async () => (await import('./commands/import.ts')).importCommand },
  serve: { summary: 'command.serve', load: async () => (await import('./commands/serve.ts')).serve },
  user: { summary: 'command.user', load: async () => (await import('./commands/user.ts')).user },
  token: { summary: 'command.token', load: async () => (await import('./commands/token.ts')).token },
  db: { summary: 'command.db', load: async () => (await import('./commands/db.ts')).db },
  config: { summary: 'command.config', load: async () => (await import('./commands/config.ts')).config },
  doctor: { summary: 'command.doctor', load: async () => (await import('./commands/doctor.ts')).doctor },
  completions: {
    summary: 'command.completions',
    load: async () => (await import('./commands/completions.ts')).createCompletions(commands),
  },
}
