import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { takeFinished, transcript } from '@maru/protocol'
import { openJsonlStore, type Repair } from '@maru/store'
import { defineCommand, type Invocation } from '../command.ts'
import { owner, writeSession } from '../demo/write-session.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { renderEntry } from '../replay/render-entry.ts'

const ID = 'tour'
// The tour starts itself once more as the writer that it kills.
const WRITER = 'MARU_TOUR_WRITER'

/** Until the engine is there, the tour shows what it will stand on. */
export const demo = defineCommand({
  usage: ['demo'],
  details: 'demo.details',
  options: {},
  positionals: [],
  async run(invocation): Promise<ExitCode> {
    const directory = invocation.env[WRITER]
    if (directory !== undefined) return writeForEver(directory)
    await tour(await mkdtemp(join(tmpdir(), 'maru-tour-')), invocation)
    return EXIT.done
  },
})

async function tour(directory: string, { stdout, style, t }: Invocation): Promise<void> {
  await stdout.line(`${style.bold(t('demo.title'))}\n`)
  const repairs: Repair[] = []
  const { log } = openJsonlStore({ directory, now: Date.now, onRepair: (repair) => repairs.push(repair) })
  const answers = await writeSession(log, ID, t)

  await stdout.line(`${t('demo.facts')}\n`)
  const state = transcript.create()
  for await (const record of log.read(ID)) {
    transcript.apply(state, record)
    for (const entry of takeFinished(state)) {
      const text = renderEntry(entry, { t, style, isVerbose: false })
      await stdout.write(text.replace(/^(?=.)/gm, '   '))
    }
  }

  await stdout.line(t('demo.answers'))
  const doors = [
    ['terminal', 'allow'],
    ['web', 'deny'],
  ] as const
  for (const [index, [door, said]] of doors.entries()) {
    const stored = answers[index]
    if (stored?.type !== 'approval-answer') continue
    await stdout.line(t('demo.answer', { door: t(`door.${door}`), said, stored: stored.option, seq: stored.seq }))
  }

  const acknowledged = await killWriter(directory)
  const lease = await log.lease(ID)
  await lease.release()
  const seqs: number[] = []
  for await (const { seq } of log.read(ID)) seqs.push(seq)
  await stdout.line(`\n${t('demo.killed', { count: acknowledged.length })}`)
  for (const { cut } of repairs) await stdout.line(t('demo.torn', { cut }))
  const lost = acknowledged.filter((seq) => seqs[seq - 1] !== seq).length
  await stdout.line(t('demo.kept', { stored: seqs.length, lost }))
  await stdout.line(`\n${t('demo.next')}\n   maru replay ${join(directory, `${ID}.jsonl`)}`)
  await log.close()
}

async function killWriter(directory: string): Promise<number[]> {
  const child = spawn(process.execPath, [process.argv[1] ?? '', 'demo'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, [WRITER]: directory },
  })
  const MOMENT_MS = 30
  let printed = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    if (printed === '') setTimeout(() => child.kill('SIGKILL'), MOMENT_MS)
    printed += text
  }
  return printed.split('\n').slice(0, -1).map(Number)
}

async function writeForEver(directory: string): Promise<never> {
  const { log } = openJsonlStore({ directory, now: Date.now })
  const lease = await log.lease(ID)
  for (let n = 0; ; n++) {
    const parts = [{ type: 'text' as const, text: '마루 '.repeat(200) }]
    const { seq } = await log.admit(ID, {
      type: 'input-admit',
      key: `${lease.epoch}.${n}`,
      by: owner,
      delivery: 'queue',
      parts,
    })
    // Straight to the pipe: what was said before the kill must not wait in this process.
    writeSync(1, `${seq}\n`)
  }
}
