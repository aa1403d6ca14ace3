import { spawn, spawnSync } from 'node:child_process'
import type { Readable } from 'node:stream'
import { loadJudge } from '@maru/guard'
import type { Access } from '@maru/protocol'
import { createRandom } from '../bench/patches/random.ts'
import { growLine } from './commands/grow-line.ts'

/** What a run of the proof saw. */
export interface BashNamesReport {
  lines: number
  /** Commands that bash tried to run. */
  run: number
  /** Lines of which the judge said that it does not know everything. */
  doubted: number
}

interface Options {
  /** Batches of lines. */
  times?: number
  seconds?: number
  seed?: number
  log?(line: string): void
}

const BATCH = 200
const PLACE = { cwd: '/w', root: '/w', home: '/home/u' }

// Every name is looked up in vain, and told with the number of its line: what is substituted may outlive the line.
const DRIVER = `
command_not_found_handle() { printf '%s:%s\\0' "$ZQ_LINE" "$1" >&9; return 127; }
export -f command_not_found_handle
number=0
while IFS= read -r -d '' line; do
  ZQ_LINE=$number PATH=/nowhere /usr/bin/timeout -s KILL 5 /bin/bash --noprofile --norc -c "$line" </dev/null >/dev/null 2>&1
  number=$((number + 1))
done
printf '%s:\\0' "$number" >&9
`

/** Whether bash can be put into a jail here, and what to do where it cannot. */
export function whyNoJail(): string | undefined {
  const { status } = spawnSync('bwrap', [...JAIL, '/bin/bash', '-c', 'true'])
  if (status === 0) return undefined
  return 'bash is not let loose outside a jail: install bubblewrap (apt install bubblewrap) and allow user namespaces'
}

const JAIL = [
  ...['--unshare-all', '--die-with-parent', '--new-session', '--clearenv', '--ro-bind', '/', '/', '--dev', '/dev'],
  ...['--tmpfs', '/tmp', '--tmpfs', '/root', '--tmpfs', '/home', '--chdir', '/tmp'],
]

/**
 * Lets real bash run lines of nested quoting and substitution in an empty jail, where every name is looked up in vain:
 * no name is looked up that the judgement of the line did not name, unless it said that it does not know. Throws at the
 * first that is.
 */
export async function proveBashNames({ times = 5, seconds, seed = Date.now(), log = () => undefined }: Options) {
  const reason = whyNoJail()
  if (reason !== undefined) throw new Error(reason)
  const report: BashNamesReport = { lines: 0, run: 0, doubted: 0 }
  const until = seconds === undefined ? undefined : Date.now() + seconds * 1000
  for (let round = 0; until === undefined ? round < times : Date.now() < until; round++) {
    await proveBatch(seed + round, report)
    if (round % 20 === 19) log(`${round + 1} batches from seed ${seed}: ${JSON.stringify(report)}`)
  }
  return report
}

async function proveBatch(seed: number, report: BashNamesReport): Promise<void> {
  const random = createRandom(seed)
  const { judgeLine } = await loadJudge()
  const lines = Array.from({ length: BATCH }, () => growLine(random)).filter((line) => !line.includes('\0'))
  const seen = await runInJail(lines)
  for (const [at, line] of lines.entries()) {
    const { accesses } = judgeLine(line, PLACE)
    const named = new Set(accesses.flatMap((access) => (access.kind === 'run' ? [access.program] : [])))
    const hidden = (seen[at] ?? []).filter((name) => !named.has(name))
    const isDoubted = accesses.some(isDoubt)
    report.lines++
    report.run += seen[at]?.length ?? 0
    if (isDoubted) report.doubted++
    if (hidden.length > 0 && !isDoubted)
      throw new Error(`seed ${seed}: bash ran ${hidden.join(', ')}, unnamed, of:\n${line}`)
  }
}

// That a name, or a part of the line, is known only when it runs; a doubt about what a command gets is none of these.
function isDoubt(access: Access): boolean {
  if (access.kind !== 'run') return false
  const isAboutLine = access.program === 'bash' && access.argv.length === 0
  return access.program.includes('…') || (isAboutLine && DOUBTS.has(access.why?.code ?? ''))
}

const DOUBTS = new Set(['dynamic', 'construct', 'syntax', 'limit', 'odd-characters'])

function runInJail(lines: readonly string[]): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    const child = spawn('bwrap', [...JAIL, '/bin/bash', '--noprofile', '--norc', '-c', DRIVER], {
      stdio: ['pipe', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'ignore', 'pipe'],
    })
    const told = (child.stdio as readonly unknown[])[9] as Readable
    let text = ''
    told.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
    })
    child.on('error', reject)
    child.on('close', () => {
      const rows: string[][] = lines.map(() => [])
      for (const told of text.split('\0').slice(0, -1)) rows[Number.parseInt(told, 10)]?.push(told.replace(/^\d+:/, ''))
      const isWhole = text.includes(`${lines.length}:\0`)
      if (isWhole) resolve(rows)
      else reject(new Error('the jail ended before its last line'))
    })
    // Whoever ends early says so by the rows that are missing.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(lines.map((line) => `${line}\0`).join(''))
  })
}
