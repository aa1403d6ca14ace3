import type { Invocation } from '../command.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import type { Output } from '../terminal/output.ts'

export interface RootWish {
  root: string
  /** What was asked for with the session: stands where options stand on a command line. */
  provider?: string | undefined
  model?: string | undefined
  mode?: string | undefined
  onNotice(line: string): void
}

/** The server's call as if it had been made in another repository, with nobody at its terminal. */
export function inRoot(
  { env, home, signal, lang, t, style, options }: Invocation,
  { root, provider, model, mode, onNotice }: RootWish,
): Invocation {
  const notice = async (line: string) => onNotice(line)
  let loading: Promise<LoadedConfig> | undefined
  const load = async () => {
    const loaded = await loadConfig({ home, repo: root, env, flags: { provider, model, mode }, t })
    for (const warning of loaded.warnings) onNotice(warning)
    return loaded
  }
  return {
    ...{ env, home, signal, lang, t, style, options, notice },
    positionals: [],
    stdin: (async function* () {})(),
    stdout: NOWHERE,
    stderr: NOWHERE,
    cwd: root,
    isInteractive: false,
    json: false,
    repo: () => root,
    config: () => {
      loading ??= load()
      return loading
    },
  }
}

const NOWHERE: Output = {
  isTerminal: false,
  columns: 80,
  write: async () => undefined,
  line: async () => undefined,
}
