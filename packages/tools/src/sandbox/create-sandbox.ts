import { realpathSync } from 'node:fs'
import { createLinuxSandbox } from './linux-sandbox.ts'
import { forgetProbe, probeSandbox } from './probe-sandbox.ts'
import type { Held, Sandbox, SandboxOptions, SandboxState } from './sandbox.ts'
import { createSeatbelt, probeSeatbelt } from './seatbelt.ts'

/** Puts the sandbox together: finds what holds, once, and hands commands to it. */
export function createSandbox(given: SandboxOptions): Sandbox {
  const options = { ...given, roots: given.roots.map(real), home: real(given.home), maruHome: real(given.maruHome) }
  let state: Promise<SandboxState> | undefined
  let held: Held | undefined
  // Their commands may still be running.
  const retired: Held[] = []
  let hasPromised = false
  let isTold = false
  // Once it has failed at its work, what was remembered is worth nothing.
  let isFresh = false
  const look = () => {
    state ??= probe(options, isFresh).then((found) => {
      if (found.level !== 'none') hasPromised = true
      else if (!isTold) {
        isTold = true
        options.onNotice?.({ kind: 'none', state: found })
      }
      return found
    })
    return state
  }
  const open = async () => {
    const found = await look()
    if (found.level !== 'none' && found.program !== undefined) {
      held ??=
        process.platform === 'darwin'
          ? createSeatbelt(options)
          : createLinuxSandbox(options, {
              level: found.level,
              isSealed: found.isSealed ?? false,
              bwrap: found.program,
              onFailure,
            })
    }
    return found.level === 'none' ? undefined : held
  }
  const onFailure = () => {
    forgetProbe(options.maruHome)
    state = undefined
    if (held) retired.push(held)
    held = undefined
    isFresh = true
  }
  return {
    state: look,
    holds: async () => (await look()).level !== 'none',
    async confine(command) {
      const inner = await open()
      if (inner) return inner.confine(command)
      // The policy may have counted on it: then nothing runs outside that was meant to run inside.
      if (!hasPromised) return { kind: 'none' }
      hasPromised = false
      return { kind: 'failed', diagnostic: LOST }
    },
    adopt: async (paths) => held?.adopt(paths),
    warm: async () => (await open())?.warm(),
    async close() {
      for (const each of [...retired, ...(held ? [held] : [])]) await each.close()
    },
  }
}

const LOST = {
  code: 'sandbox-failed',
  message: 'The sandbox that was here no longer works; the command was not run.',
  hint: 'Try once more: it will be judged as a command without a sandbox.',
}

async function probe(options: SandboxOptions, isFresh: boolean): Promise<SandboxState> {
  // Where everything is writable there is nothing left to hold.
  const isTooWide = options.roots.some((root) =>
    ['/', '/usr', '/etc', '/home', '/Users', '/var', '/run', '/proc'].includes(root),
  )
  if (isTooWide || options.roots.length === 0) {
    return { level: 'none', reason: 'root-too-wide' }
  }
  return process.platform === 'darwin' ? probeSeatbelt() : probeSandbox({ ...options, isFresh })
}

// What does not exist yet, like the directory of a first start, is taken by its name.
function real(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}
