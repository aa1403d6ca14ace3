import { type ChildProcess, spawn } from 'node:child_process'
import { type Confinement, stageArguments } from './bwrap-arguments.ts'

/** Keeps what the commands of one session share: a network that has nothing in it but them, and the mounts. */
export interface Stages {
  /** The words that put a program onto a stage for this confinement, made if there is none. */
  enter(confinement: Confinement, key: string): Promise<readonly string[] | undefined>
  close(): void
}

/** A process that does nothing but be there. */
interface Keeper {
  readonly place: string
  isAlive(): boolean
  close(): void
}

// Said only when everything is set up, by its number outside, as it has no processes of its own.
const WAIT = 'echo $$; read -r _'
const START_MS = 5_000
// A command that is just being started may still be on its way to one of these.
const KEPT = 3

/**
 * A server that one command leaves running is to be reached by the next: so they share a network, and it has to outlive
 * each of them. It belongs to a user namespace, through which an unprivileged user may enter it, too. The mounts are made
 * beside it, as they take longer than all the rest; once they have changed, on another stage in the same network.
 */
export function createStages({ bwrap, nsenter }: { bwrap: string; nsenter: string }): Stages {
  let first: Keeper | undefined
  let stages: { key: string; keeper: Keeper }[] = []
  const isFirstAlive = () => first?.isAlive() ?? false
  const start = async (confinement: Confinement) => {
    if (first && isFirstAlive()) {
      const words = [...into(nsenter, first), '--', bwrap, ...stageArguments({ ...confinement, network: 'as-started' })]
      return startKeeper(words)
    }
    close()
    first = await startKeeper([bwrap, ...stageArguments({ ...confinement, network: 'own' })])
    return first
  }
  const close = () => {
    for (const { keeper } of stages) keeper.close()
    first?.close()
    first = undefined
    stages = []
  }
  const enter = async (confinement: Confinement, key: string) => {
    let stage = isFirstAlive() ? stages.find((each) => each.key === key && each.keeper.isAlive()) : undefined
    if (!stage) {
      const keeper = await start(confinement)
      if (!keeper || !first) return undefined
      stage = { key, keeper }
      stages.push(stage)
      for (const old of stages.splice(0, stages.length - KEPT)) if (old.keeper !== first) old.keeper.close()
    }
    return first && [...into(nsenter, first), `--mount=${stage.keeper.place}/mnt`, '--']
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    // One after the other: two that begin at once would make two networks.
    enter(confinement, key) {
      const entered = last.then(() => enter(confinement, key))
      last = entered.catch(() => undefined)
      return entered
    },
    close,
  }
}

function into(nsenter: string, { place }: Keeper): string[] {
  return [nsenter, '--preserve-credentials', `--user=${place}/user`, `--net=${place}/net`]
}

async function startKeeper([program = '', ...words]: readonly string[]): Promise<Keeper | undefined> {
  const child = spawn(program, [...words, '/bin/sh', '-c', WAIT], {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const pid = await firstLine(child)
  if (pid === undefined || !/^\d+$/.test(pid)) {
    child.kill('SIGKILL')
    return undefined
  }
  // A session that ends without a word takes it along: its input ends then.
  child.unref()
  for (const stream of [child.stdin, child.stdout])
    if (stream && 'unref' in stream) (stream as { unref(): void }).unref()
  return {
    place: `/proc/${pid}/ns`,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    close: () => void child.kill('SIGKILL'),
  }
}

function firstLine(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = ''
    const timer = setTimeout(() => resolve(undefined), START_MS)
    const finish = (line: string | undefined) => {
      clearTimeout(timer)
      resolve(line)
    }
    child.stdin?.on('error', () => undefined)
    child.once('error', () => finish(undefined))
    child.once('exit', () => finish(undefined))
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (text.includes('\n')) finish(text.split('\n')[0])
    })
  })
}
