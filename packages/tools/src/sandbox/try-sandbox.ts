import type { SandboxTrial } from './sandbox.ts'

/** Tries to break out of a sandbox, by one command in a workspace of its own below `place`, which is left as it was. */
export async function trySandbox(place: string): Promise<SandboxTrial> {
  const { runTrial } = await import('./run-trial.ts')
  return runTrial(place)
}
