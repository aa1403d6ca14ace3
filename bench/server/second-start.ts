import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@maru/testkit'
import { judge, type Verdict } from '../claim.ts'
import { inTurn, summarize } from '../side-by-side.ts'
import { pgliteModule } from '../store/second-open.ts'

const ROUNDS = 9

/**
 * `npm start` over a history that is there, until its link is printed, beside a process that opens the same directory by
 * PGlite alone and asks it one thing.
 */
export async function benchSecondStart(root: string): Promise<Verdict[]> {
  const { path, dispose } = await temporaryDirectory()
  try {
    const env = { PATH: process.env['PATH'], MARU_HOME: path, MARU_LANG: 'en' }
    const script = join(path, 'bare.mjs')
    writeFileSync(script, bareOpen(root, join(path, 'db/data')))
    const start = () => untilFirstLine([join(root, 'scripts/start.mjs'), '--port', '0', '--json'], env)
    const bare = () => untilFirstLine([script], env)
    // The first one makes the history.
    await start()
    const [alone = [], started = []] = await inTurn([bare, start], { rounds: ROUNDS })
    return [
      judge([summarize('bare PGlite', alone), summarize('npm start', started)], {
        text: 'a second `npm start`, until its link is printed, against PGlite alone until it answers',
        of: 'npm start',
        against: 'bare PGlite',
        atMost: 3,
      }),
    ]
  } finally {
    await dispose()
  }
}

function bareOpen(root: string, data: string): string {
  return `const { PGlite } = await import('${pgliteModule(root)}')
const db = await PGlite.create(${JSON.stringify(data)})
await db.query('select 1')
console.log('ready')
process.once('SIGTERM', () => db.close())
`
}

/** Milliseconds from a program's start to its first line; then it is asked to end, and waited for. */
async function untilFirstLine(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += String(text)
  })
  const ended = once(child, 'close')
  const spoke = once(child.stdout, 'data').then(() => performance.now() - startedAt)
  const ms = await Promise.race([spoke, ended.then(() => undefined)])
  child.kill('SIGTERM')
  await ended
  if (ms === undefined) throw new Error(`"${args.join(' ')}" ended before it was ready: ${errors}`)
  return ms
}
