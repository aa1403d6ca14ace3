import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { TELL_MEMORY, temporaryDirectory } from '@maru/testkit'
import { judge, type Verdict } from './claim.ts'
import { makeLog } from './make-log.ts'
import { summarize } from './side-by-side.ts'

const LOG_BYTES = 1_000_000_000
const ROUNDS = 3

// The shortest thing that reads every line of a log: no checks, no fold, nothing printed but a count.
const BARE = `
import { createReadStream } from 'node:fs'
let rest = ''
let count = 0
for await (const chunk of createReadStream(process.argv[2], { encoding: 'utf8' })) {
  const lines = (rest + chunk).split('\\n')
  rest = lines.pop()
  for (const line of lines) if (JSON.parse(line)) count++
}
console.log(count)
`

/** What looking at a very long log costs beside only parsing it. */
export async function benchReplay(root: string): Promise<Verdict[]> {
  const { path, dispose } = await temporaryDirectory()
  try {
    const log = join(path, 'long.jsonl')
    const bare = join(path, 'bare.mjs')
    await makeLog(log, LOG_BYTES)
    await writeFile(bare, BARE)
    const variants: { name: string; args: string[]; ms: number[]; megabytes: number[] }[] = [
      { name: 'bare parse', args: [bare, log], ms: [], megabytes: [] },
      { name: 'maru replay', args: [join(root, 'packages/cli/bin/maru.cjs'), 'replay', log], ms: [], megabytes: [] },
    ]
    for (let round = 0; round < ROUNDS; round++) {
      for (const { args, ms, megabytes } of variants) {
        const start = performance.now()
        megabytes.push(await peakMemory(['--require', TELL_MEMORY, ...args]))
        ms.push(performance.now() - start)
      }
    }
    const claim = { of: 'maru replay', against: 'bare parse' }
    return [
      judge(
        variants.map(({ name, ms }) => summarize(name, ms)),
        { ...claim, text: 'a 1 GB log is shown in little more time than it takes to parse', atMost: 2 },
      ),
      judge(
        variants.map(({ name, megabytes }) => summarize(name, megabytes, 'MB')),
        { ...claim, text: 'and in little more memory, at the peak', atMost: 1.3 },
      ),
    ]
  } finally {
    await dispose()
  }
}

async function peakMemory(args: string[]): Promise<number> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] })
  const report = child.stdio[3]
  if (!report) throw new Error('no pipe for the report')
  let kilobytes = ''
  for await (const text of report as AsyncIterable<Buffer>) kilobytes += text.toString()
  if (kilobytes === '') throw new Error(`"${args.join(' ')}" reported no memory`)
  return Number(kilobytes) / 1024
}
