import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@maru/testkit'
import { judge, type Verdict } from './claim.ts'
import { startVendor, type Vendor } from './engine/start-vendor.ts'
import { SLOW_STREAM, STREAM, TASK } from './engine/workload.ts'
import { inTurn, sideBySide, summarize, type Timing } from './side-by-side.ts'
import { type Agent, BARE, type Call, MARU, ownAgents, peerAgents } from './terminal/agents.ts'
import { runInTerminal, type Typing } from './terminal/in-terminal.ts'
import { type AgentRun, runAgent } from './terminal/run-agent.ts'

/** An agent from the terminal, start to exit, beside the least script and, where they are installed, beside others. */
export async function benchTerminal(root: string, peers?: { directory: string; names: string[] }): Promise<Verdict[]> {
  const agents = [...ownAgents(root), ...(peers ? peerAgents(peers.directory, peers.names) : [])]
  const others = peers?.names ?? []
  const { path, dispose } = await temporaryDirectory()
  const repo = join(path, 'repo')
  await mkdir(repo)
  const vendor = await startVendor(repo)
  try {
    const calls = await Promise.all(agents.map(async (agent) => prepare(agent, path, vendor)))
    const play = (prompt: string) => calls.map((call) => () => playOnce(call, { prompt, repo, vendor }))
    const rounds = peers ? 7 : 15
    const versions = await sideBySide(
      agents.map(({ name, version }) => ({ name: name === BARE ? NODE : name, command: version })),
      { rounds: rounds * 2 },
    )
    const tasks = await inTurn(play(TASK.prompt), { rounds })
    const streams = await inTurn(play(STREAM.prompt), { rounds: Math.ceil(rounds / 2) })
    const timed = (runs: Played[][], of: (run: Played) => number, unit?: Timing['unit']) =>
      agents.map(({ name }, index) => summarize(name, (runs[index] ?? []).map(of), unit))
    const first = timed(tasks, ({ firstRequestMs }) => firstRequestMs)
    const task = timed(tasks, ({ ms }) => ms)
    const stream = timed(streams, ({ ms }) => ms)
    const cpu = timed(streams, ({ cpuMs }) => cpuMs)
    const memory = timed(streams, ({ megabytes }) => megabytes, 'MB')
    const body = timed(tasks, ({ bodyBytes }) => bodyBytes / 1000, 'kB')
    const drawn = await benchDrawing(root, { path, repo, url: vendor.url })
    const isFirst = (timings: Timing[], text: string) => others.map((against) => firstOf(timings, { text, against }))
    return [
      judge(versions, { text: 'saying its version', of: MARU, against: NODE, atMost: 1.4 }),
      judge(task, {
        text: 'a task of four requests, start to exit, with policy, masking, sandbox and checkpoints',
        of: MARU,
        against: BARE,
        atMost: 2.2,
      }),
      judge(memory, { text: 'the memory of that, at its most', of: MARU, under: 80 }),
      judge(body, { text: 'the first request', of: MARU, under: 10 }),
      drawn,
      ...isFirst(first, 'from process start to the first request'),
      ...isFirst(task, 'the task'),
      ...isFirst(stream, 'the long answer'),
      ...isFirst(cpu, 'the processor time of the long answer'),
      ...isFirst(memory, 'the memory of the long answer'),
    ]
  } finally {
    vendor.stop()
    await dispose()
  }
}

const NODE = 'node -e 0'
const DRAWS = 'maru'
const WRITES = 'writes each frame'

// The whole screen, with its editor and status line, beside a program that only writes what has come, frame by frame.
async function benchDrawing(
  root: string,
  { path, repo, url }: { path: string; repo: string; url: string },
): Promise<Verdict> {
  const env = {
    ANTHROPIC_API_KEY: 'bench-key',
    ANTHROPIC_BASE_URL: url,
    MARU_LANG: 'en',
    MARU_HOME: join(path, 'drawn'),
  }
  const maru = [join(root, 'packages/cli/bin/maru.cjs')]
  const typing = [
    { after: 'ask', keys: `${SLOW_STREAM.prompt}\r` },
    { after: SLOW_STREAM.end, keys: '\u0004' },
  ]
  const writer = [join(root, 'bench/engine/bare-agent.cjs'), SLOW_STREAM.prompt]
  const cpuOf = async (args: string[], keys: Typing[]) =>
    (await runInTerminal(args, { cwd: repo, env, typing: keys })).cpuMs
  const [wrote = [], drew = []] = await inTurn([() => cpuOf(writer, []), () => cpuOf(maru, typing)], {
    rounds: 3,
    warmups: 0,
  })
  return judge([summarize(WRITES, wrote), summarize(DRAWS, drew)], {
    text: `the processor time of ${SLOW_STREAM.deltas} deltas over 20 s on a terminal of 200 by 50`,
    of: DRAWS,
    against: WRITES,
    atMost: 3,
  })
}

function firstOf(timings: Timing[], { text, against }: { text: string; against: string }): Verdict {
  // The least script stands in the table as well: nobody is quicker than that.
  const three = timings.filter(({ name }) => [BARE, MARU, against].includes(name))
  return judge(three, { text: `${text}, beside ${against}`, of: MARU, against, atMost: 1 })
}

type Prepared = Call & { name: string; home: string }
type Played = AgentRun & { firstRequestMs: number; bodyBytes: number }

async function prepare(agent: Agent, path: string, { url, geminiUrl }: Vendor): Promise<Prepared> {
  const home = join(path, `home-${agent.name.replaceAll(' ', '-')}`)
  await mkdir(home)
  return { name: agent.name, home, ...(await agent.prepare({ home, url, geminiUrl })) }
}

async function playOnce(
  call: Prepared,
  { prompt, repo, vendor }: { prompt: string; repo: string; vendor: Vendor },
): Promise<Played> {
  const file = join(repo, TASK.file)
  await writeFile(file, TASK.before)
  await vendor.take()
  const run = await runAgent(call, { args: [prompt], cwd: repo, home: call.home })
  const [first] = await vendor.take()
  if (!first) throw new Error(`${call.name} asked for nothing`)
  if (prompt === TASK.prompt && (await readFile(file, 'utf8')) !== TASK.after)
    throw new Error(`${call.name} edited nothing`)
  return { ...run, firstRequestMs: first.receivedAt - run.startedAt, bodyBytes: first.bodyBytes }
}
