import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Json, ToolContext } from '@maru/protocol'
import { createTools, openSandbox } from '@maru/tools'
import { judge, type Verdict } from './claim.ts'
import { sideBySide } from './side-by-side.ts'

// Every namespace and nothing else: what a sandbox costs at least.
const BARE = [
  ...['--unshare-all', '--unshare-user', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
  ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
]

/** What holding a command costs, in a repository with the usual protected files. */
export async function benchSandbox(): Promise<Verdict[]> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'maru-bench-')))
  const root = makeRepository(join(base, 'repo'))
  const environment = { ...process.env }
  const sandbox = openSandbox({ roots: [root], home: homedir(), maruHome: join(base, 'home'), environment })
  const outside = createTools({ root, environment })
  const inside = createTools({ root, environment, sandbox })
  try {
    const { level, reason, program = 'bwrap' } = await sandbox.state()
    if (level === 'none') throw new Error(`there is no sandbox here to measure: ${reason}`)
    const run = (tools: typeof inside, args: Json) => async () => {
      const prepared = await tools
        .list()
        .find(({ spec }) => spec.name === 'RunCommand')
        ?.prepare(args, context)
      const result = await prepared?.run(context)
      if (!result?.ok) throw new Error(`a bench times only what works: ${JSON.stringify(result)}`)
    }
    const plain = { name: 'plain spawn', run: run(outside, { command: ':' }) }
    const bareArgs = [...BARE, '--bind', root, root, '/bin/bash', '--noprofile', '--norc', '-c', ':']
    const bare = { name: 'bare bwrap', run: run(outside, { exe: program, args: bareArgs }) }
    const held = { name: `sandbox (${level})`, run: run(inside, { command: ':' }) }
    const timings = await sideBySide([plain, bare, held], { rounds: 100, warmups: 5 })
    const text = 'a command in the sandbox takes little longer than in a bare bwrap'
    return [judge(timings, { text, of: held.name, against: bare.name, atMost: 1.3 })]
  } finally {
    await inside.close()
    await outside.close()
    await sandbox.close()
    rmSync(base, { recursive: true, force: true })
  }
}

function makeRepository(root: string): string {
  mkdirSync(join(root, '.github/workflows'), { recursive: true })
  for (const [path, text] of [
    ['AGENTS.md', 'rules\n'],
    ['.gitattributes', '* text=auto\n'],
    ['.github/workflows/ci.yml', 'on: push\n'],
  ] as const) {
    writeFileSync(join(root, path), text)
  }
  for (let n = 0; n < 200; n++) {
    mkdirSync(join(root, `packages/p${n % 20}/src/d${n}`), { recursive: true })
    writeFileSync(join(root, `packages/p${n % 20}/src/d${n}/index.ts`), `export const n = ${n}\n`)
  }
  execFileSync('git', ['init', '-q', root], { env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null' } })
  return root
}

const context: ToolContext = {
  callId: 'bench',
  signal: new AbortController().signal,
  progress() {},
  ask: async () => ({ kind: 'cancel' }),
  keep: async (content) => ({ hash: '0'.repeat(64), bytes: content.length }),
  kept: async () => undefined,
}
