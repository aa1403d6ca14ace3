import type { Invocation } from '../command.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { AgentDoor } from './door.ts'

/** The same invocation, but that it speaks through the door: a line written past it would tear what is drawn. */
export function inDoor(invocation: Invocation, door: AgentDoor): Invocation {
  const { home, env, options, repo, signal, style, stdout, json, cwd, positionals, isInteractive } = invocation
  const { t } = door
  const notice = async (line: string) => {
    if (!options.quiet) door.events.notice(line)
  }
  let loading: Promise<LoadedConfig> | undefined
  const load = async () => {
    const { loadConfig } = await import('../config/load-config.ts')
    const loaded = await loadConfig({ home, repo: repo(), env, flags: options, t })
    for (const warning of loaded.warnings) await notice(warning)
    return loaded
  }
  const line = async (text = '') => door.events.notice(text)
  return {
    ...{ home, env, options, repo, signal, style, json, cwd, positionals, isInteractive, t, notice },
    stdin: emptyInput(),
    stdout,
    stderr: { isTerminal: true, columns: stdout.columns, write: async (text) => line(String(text)), line },
    get lang() {
      return door.lang
    },
    config() {
      loading ??= load()
      return loading
    },
  }
}

// Keys belong to the door alone.
async function* emptyInput(): AsyncGenerator<string> {}
