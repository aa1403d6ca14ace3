import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Held, SandboxOptions, SandboxState } from './sandbox.ts'
import { seatbeltProfile } from './seatbelt-profile.ts'
import { makeSessionDirectory, type SessionDirectory } from './session-directory.ts'

const PROGRAM = '/usr/bin/sandbox-exec'

/** Whether macOS holds commands. Never run on a real Mac: the profile is tested as text alone. */
export function probeSeatbelt(): Promise<SandboxState> {
  return new Promise((resolve) => {
    execFile(PROGRAM, ['-p', '(version 1)(allow default)', '/usr/bin/true'], { timeout: 5_000 }, (error) => {
      resolve(
        error ? { level: 'none', reason: 'refused', program: PROGRAM } : { level: 'shared-proc', program: PROGRAM },
      )
    })
  })
}

/** Commands held by macOS. Network is all or nothing there: a host by itself cannot be named in a profile. */
export function createSeatbelt(options: SandboxOptions): Held {
  let session: SessionDirectory | undefined
  return {
    async confine({ program, argv, cwd, env, hosts }) {
      session ??= makeSessionDirectory(options.roots)
      mkdirSync(join(session.temporary, 'cache'), { recursive: true })
      const profile = seatbeltProfile({ ...options, temporary: session.temporary, hasNetwork: hosts.includes('*') })
      return {
        kind: 'confined',
        program: PROGRAM,
        argv: ['-p', profile, program, ...argv],
        cwd,
        env: { ...env, TMPDIR: session.temporary, XDG_CACHE_HOME: join(session.temporary, 'cache') },
        files: [],
        settle: async () => ({ exit: 'as-seen', leftProcesses: false, diagnostics: [] }),
      }
    },
    async adopt() {},
    async warm() {},
    async close() {
      session?.remove()
      session = undefined
    },
  }
}
