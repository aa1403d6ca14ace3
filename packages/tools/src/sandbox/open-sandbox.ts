import type { Sandbox, SandboxOptions } from './sandbox.ts'

/** The sandbox of a session. Costs nothing until it is asked something. */
export function openSandbox(options: SandboxOptions): Sandbox {
  let inner: Promise<Sandbox> | undefined
  const load = () => {
    inner ??= import('./create-sandbox.ts').then(({ createSandbox }) => createSandbox(options))
    return inner
  }
  return {
    state: async () => (await load()).state(),
    holds: async () => (await load()).holds(),
    confine: async (command) => (await load()).confine(command),
    adopt: async (paths) => (await inner)?.adopt(paths),
    warm: async () => (await load()).warm(),
    close: async () => (await inner)?.close(),
  }
}
