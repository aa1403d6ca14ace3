import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Recorded } from '@maru/protocol'
import { openJsonlStore } from '@maru/store'
import { start, temporaryDirectory, toolEnd, toolStart, upTo } from '@maru/testkit'
import { judge, type Verdict } from './claim.ts'
import { sideBySide } from './side-by-side.ts'

const APPENDS = 300

/** How much longer than a bare durable write of the same bytes an append takes, and how much of it is the sync. */
export async function benchLog(): Promise<Verdict[]> {
  const { path, dispose } = await temporaryDirectory()
  const { log } = openJsonlStore({ directory: path, now: Date.now })
  try {
    await log.create('s', start)
    const { epoch, last } = await log.lease('s')
    let own = last
    let lines: string[] = []
    const append = async (fact: ReturnType<typeof toolStart>) => {
      const written = await log.append('s', { epoch, expect: own }, [fact])
      own = written[0]?.seq ?? own
      return written
    }
    const remember = (written: Recorded[]) => `${JSON.stringify(written[0])}\n`
    for (const n of upTo(APPENDS)) lines.push(remember(await append(toolStart(`c${n}`, { path: 'x'.repeat(n) }))))
    const bare = await open(join(path, 'bare'), 'w')
    const timings = await sideBySide(
      [
        { name: 'fs.write + fdatasync', run: () => writeBare(bare, lines, true) },
        {
          name: 'append, synced',
          run: async () => {
            lines = []
            for (const n of upTo(APPENDS))
              lines.push(remember(await append(toolStart(`c${n}`, { path: 'x'.repeat(n) }))))
          },
        },
        { name: 'fs.write', run: () => writeBare(bare, lines, false) },
        {
          name: 'append, not synced',
          run: async () => {
            for (const n of upTo(APPENDS)) await append(toolEnd(`c${n}`, 'x'.repeat(n)))
          },
        },
      ],
      { rounds: 15 },
    )
    await bare.close()
    const text = `${APPENDS} durable appends, one after the other, take little more than bare writes of the same bytes`
    return [judge(timings, { text, of: 'append, synced', against: 'fs.write + fdatasync', atMost: 1 / 0.7 })]
  } finally {
    await log.close()
    await dispose()
  }
}

async function writeBare(file: FileHandle, lines: string[], sync: boolean): Promise<void> {
  for (const line of lines) {
    await file.write(line)
    if (sync) await file.datasync()
  }
}
