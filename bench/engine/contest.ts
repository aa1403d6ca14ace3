import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TELL_MEMORY, temporaryDirectory } from '@maru/testkit'
import { buildLayer } from './build-layer.ts'
import { startVendor } from './start-vendor.ts'
import { type Exchange, TASK, TURNS } from './workload.ts'

/** One run of an agent, process start to exit. */
export type Run = { startedAt: number; ms: number; stdout: string; exchanges: Exchange[]; megabytes: number }

type Work = { prompt: string; requests: number }

/** Agents in one repository, talking to one scripted vendor. */
export type Contest = {
  maru(work: Work): Promise<Run>
  bare(work: Work): Promise<Run>
  /** A layer of the product by itself, built into a directory of the contest. */
  addLayer(name: 'engine' | 'guarded'): Promise<(work: Work) => Promise<Run>>
  close(): Promise<void>
}

/** `files`: how many more there are in the repository, twenty to a folder. */
export async function openContest(root: string, { files = 0 }: { files?: number } = {}): Promise<Contest> {
  const { path, dispose } = await temporaryDirectory()
  const repo = join(path, 'repo')
  await mkdir(repo)
  await fill(repo, files)
  const vendor = await startVendor(repo)
  const env = {
    PATH: process.env['PATH'],
    MARU_HOME: join(path, 'home'),
    MARU_LANG: 'en',
    ANTHROPIC_API_KEY: 'bench-key',
    ANTHROPIC_BASE_URL: vendor.url,
  }
  const run = async (args: string[], { requests }: Work): Promise<Run> => {
    const sum = join(repo, TASK.file)
    await writeFile(sum, TASK.before)
    for (let index = 0; index < TURNS.count; index++) {
      await writeFile(join(repo, TURNS.file(index)), `${TURNS.text(index)}\n`)
    }
    const ended = await time(spawnAgent(['--require', TELL_MEMORY, ...args], { cwd: repo, env }), clock())
    const exchanges = await vendor.take()
    if (exchanges.length !== requests) throw new Error(`${exchanges.length} requests instead of ${requests}`)
    if (requests === TASK.requests && (await readFile(sum, 'utf8')) !== TASK.after)
      throw new Error('nothing was edited')
    return { ...ended, exchanges }
  }
  const maru = [join(root, 'packages/cli/bin/maru.cjs'), 'run', '--yes', '--max-turns', '40', '--repo', repo]
  const bare = [join(import.meta.dirname, 'bare-agent.cjs')]
  return {
    maru: (work) => run([...maru, work.prompt], work),
    bare: (work) => run([...bare, work.prompt], work),
    async addLayer(name) {
      const program = await buildLayer(root, name, path)
      return (work) => run([program, work.prompt], work)
    },
    async close() {
      vendor.stop()
      await dispose()
    },
  }
}

async function fill(repo: string, files: number): Promise<void> {
  for (let folder = 0; folder * FILES_IN_FOLDER < files; folder++) {
    const path = join(repo, `part-${folder % 50}`, `folder-${folder}`)
    await mkdir(path, { recursive: true })
    for (let file = 0; file < FILES_IN_FOLDER; file++) {
      await writeFile(join(path, `file-${file}.ts`), `export const value = ${folder * FILES_IN_FOLDER + file}\n`)
    }
  }
}

const FILES_IN_FOLDER = 20

function spawnAgent(args: string[], { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }): ChildProcess {
  return spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
}

async function time(child: ChildProcess, startedAt: number): Promise<Omit<Run, 'exchanges'>> {
  const [stdout, stderr, kilobytes, end] = await Promise.all([
    textOf(child.stdio[1]),
    textOf(child.stdio[2]),
    textOf(child.stdio[3]),
    new Promise<{ code: number | null; at: number }>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code) => resolve({ code, at: clock() }))
    }),
  ])
  if (end.code !== 0) throw new Error(`"${child.spawnargs.join(' ')}" ended with ${end.code}: ${stderr}`)
  return { startedAt, ms: end.at - startedAt, stdout, megabytes: Number(kilobytes) / 1024 }
}

async function textOf(stream: ChildProcess['stdio'][number]): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

// The vendor's clock too: it is the machine's.
function clock(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
