import type { PlainKey } from '@maru/i18n'
import type { Command } from './command.ts'

/** A command as the list of commands needs it; the rest is loaded when it is called. */
export interface CommandEntry {
  readonly summary: PlainKey
  load(): Promise<Command>
}

/** The commands in the order of help. */
export const commands: { readonly [name: string]: CommandEntry } = {
  run: { summary: 'command.run', load: async () => (await import('./commands/run.ts')).run },
  ask: { summary: 'command.ask', load: async () => (await import('./commands/ask.ts')).ask },
  chat: { summary: 'command.chat', load: async () => (await import('./commands/chat.ts')).chat },
  demo: { summary: 'command.demo', load: async () => (await import('./commands/demo.ts')).demo },
  replay: { summary: 'command.replay', load: async () => (await import('./commands/replay.ts')).replay },
  context: { summary: 'command.context', load: async () => (await import('./commands/context.ts')).context },
  tools: { summary: 'command.tools', load: async () => (await import('./commands/tools.ts')).tools },
  apply: { summary: 'command.apply', load: async () => (await import('./commands/apply.ts')).apply },
  diff: { summary: 'command.diff', load: async () => (await import('./commands/diff.ts')).diff },
  undo: { summary: 'command.undo', load: async () => (await import('./commands/undo.ts')).undo },
  policy: { summary: 'command.policy', load: async () => (await import('./commands/policy.ts')).policy },
  redact: { summary: 'command.redact', load: async () => (await import('./commands/redact.ts')).redact },
  config: { summary: 'command.config', load: async () => (await import('./commands/config.ts')).config },
  doctor: { summary: 'command.doctor', load: async () => (await import('./commands/doctor.ts')).doctor },
}
