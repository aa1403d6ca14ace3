import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { cleanEnvironment } from '../clean-environment.ts'
import { runProcess } from '../run-process.ts'
import { openSandbox } from './open-sandbox.ts'
import type { SandboxPromise, SandboxTrial } from './sandbox.ts'

const LIMIT_MS = 4_000

/** The trial itself. What counts is what has happened outside, never what the command says of itself. */
export async function runTrial(place: string): Promise<SandboxTrial> {
  const base = realpathSync(mkdtempSync(join(place, '.maru-trial-')))
  const [root, home] = [join(base, 'repo'), join(base, 'home')]
  const sandbox = openSandbox({ roots: [root], home, maruHome: join(base, 'maru'), environment: {} })
  const secret = randomBytes(12).toString('hex')
  let stranger: ChildProcess | undefined
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.destroy()
  })
  try {
    for (const directory of [join(root, '.git/hooks'), join(home, '.ssh')]) mkdirSync(directory, { recursive: true })
    writeFileSync(join(root, '.git/config'), '[core]\n')
    writeFileSync(join(home, '.ssh/key'), secret)
    const state = await sandbox.state()
    if (state.level === 'none') return { state, kept: [] }
    stranger = spawn('/bin/sh', ['-c', 'sleep 30'], {
      stdio: 'ignore',
      env: { PATH: '/usr/bin:/bin', STRANGER: secret },
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const output = await run(attempts({ base, pid: stranger.pid ?? 0, port }), { root, home, sandbox })
    const kept: Record<SandboxPromise, boolean> = {
      'write-outside': !existsSync(join(base, 'outside')) && !existsSync(join(home, 'outside')),
      protected:
        readFileSync(join(root, '.git/config'), 'utf8') === '[core]\n' &&
        !existsSync(join(root, '.git/hooks/pre-commit')) &&
        !existsSync(join(root, '.envrc')),
      secrets: !output.includes(secret),
      network: connections === 0,
      processes: stranger.exitCode === null && stranger.signalCode === null,
      work: existsSync(join(root, 'inside')) && output.includes('at the end'),
    }
    return {
      state,
      kept: Object.entries(kept).map(([promise, isKept]) => ({ promise: promise as SandboxPromise, isKept })),
    }
  } finally {
    server.close()
    if (stranger && stranger.exitCode === null && stranger.signalCode === null) {
      stranger.kill('SIGKILL')
      await once(stranger, 'exit')
    }
    await sandbox.close()
    rmSync(base, { recursive: true, force: true })
  }
}

function attempts({ base, pid, port }: { base: string; pid: number; port: number }): string {
  return [
    'echo x > inside',
    `echo x > ${base}/outside; echo x > ~/outside`,
    'echo x >> .git/config; echo x > .git/hooks/pre-commit; mv .git .git2; echo x > .envrc',
    `cat ~/.ssh/key ${base}/home/.ssh/key /proc/*/root${base}/home/.ssh/key`,
    `tr '\\0' '\\n' < /proc/${pid}/environ; cat /proc/[0-9]*/environ | grep -a STRANGER`,
    `(exec 9<>/dev/tcp/127.0.0.1/${port})`,
    `kill -9 ${pid}`,
    'echo at the end',
  ].join('\n')
}

async function run(
  line: string,
  { root, home, sandbox }: { root: string; home: string; sandbox: ReturnType<typeof openSandbox> },
): Promise<string> {
  let output = ''
  await runProcess({
    program: '/bin/bash',
    argv: ['--noprofile', '--norc', '-c', line],
    cwd: root,
    env: { ...cleanEnvironment({}), HOME: home },
    timeoutMs: LIMIT_MS,
    graceMs: 0,
    signal: new AbortController().signal,
    hold: { sandbox, permit: { isConfined: true, hosts: [] } },
    onText: (_, text) => {
      output += text
    },
  })
  return output
}
