import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMasking } from '@maru/guard'
import { judge, type Verdict } from './claim.ts'
import { sideBySide } from './side-by-side.ts'

const BYTES = 64 * 1024 * 1024
const CHUNK = 64 * 1024
/** So much plain text a second, in the time that it takes. */
const LEAST_PER_SECOND = 50

/** How fast secrets are looked for in plain text: beside the least that reads every byte of it, and by the clock. */
export async function benchRedact(root: string): Promise<Verdict[]> {
  const directory = await mkdtemp(join(tmpdir(), 'maru-bench-'))
  try {
    const bytes = makeProse()
    const text = join(directory, 'text')
    await writeFile(text, bytes)
    const maru = join(root, 'packages/cli/bin/maru.cjs')
    const shell = (command: string) => ({ command: ['/bin/sh', '-c', command] })
    const inProcess = await sideBySide(
      [
        { name: 'one pattern', run: async () => searchOnce(bytes) },
        { name: 'the masker', run: async () => maskAll(bytes) },
      ],
      { rounds: 5, warmups: 2 },
    )
    const megabytes = BYTES / 1e6
    const whole = await sideBySide(
      [
        { name: 'cat', ...shell(`cat '${text}' | cat > /dev/null`) },
        {
          name: 'maru redact',
          ...shell(`MARU_HOME='${directory}' '${process.execPath}' '${maru}' redact < '${text}' > /dev/null`),
        },
      ],
      { rounds: 5, warmups: 1 },
    )
    return [
      judge(inProcess, {
        text: `the masker reads ${megabytes.toFixed(0)} MB of plain text at ${LEAST_PER_SECOND} MB/s or more`,
        of: 'the masker',
        under: (megabytes / LEAST_PER_SECOND) * 1000,
      }),
      judge(inProcess, {
        text: 'looking for every kind of secret costs no more than sixteen passes of one simple pattern',
        of: 'the masker',
        against: 'one pattern',
        atMost: 16,
      }),
      judge(whole, {
        text: `maru redact reads ${megabytes.toFixed(0)} MB of plain text at ${LEAST_PER_SECOND} MB/s or more, its start included`,
        of: 'maru redact',
        under: (megabytes / LEAST_PER_SECOND) * 1000,
      }),
    ]
  } finally {
    await rm(directory, { recursive: true })
  }
}

const WORDS =
  'a session is an append only log of facts and everything else is read from it so that what was seen can be seen again by whoever comes later with the same question in mind while others wait for their turn and nobody loses what has been written down before'.split(
    ' ',
  )

// Lines of words, with a name, a number or a remark here and there, as people write them.
function makeProse(): Buffer {
  const lines: string[] = []
  let length = 0
  for (let turn = 0, seed = 1; length < 4 * 1024 * 1024; turn++) {
    const line: string[] = []
    for (let at = 0; at < 14; at++) {
      seed = (seed * 16_807) % 2_147_483_647
      line.push(WORDS[seed % WORDS.length] ?? '')
    }
    if (turn % 20 === 0) line.push(`(see docs/chapter-${turn % 97}.md, line ${turn}: it says so).`)
    lines.push(line.join(' '))
    length += (lines.at(-1)?.length ?? 0) + 1
  }
  const piece = Buffer.from(`${lines.join('\n')}\n`)
  return Buffer.alloc(BYTES, piece)
}

function searchOnce(bytes: Buffer): number {
  let found = 0
  for (let at = 0; at < bytes.length; at += CHUNK) {
    found += bytes.toString('latin1', at, at + CHUNK).match(/[Pp]assword=\S{8}/g)?.length ?? 0
  }
  return found
}

const masker = createMasking(async () => ({ digest: () => '0123456789abcdef', isContactSecret: true }))

async function maskAll(bytes: Buffer): Promise<void> {
  const stream = (await masker.load()).stream()
  let length = 0
  for (let at = 0; at < bytes.length; at += CHUNK)
    length += stream.push(bytes.toString('latin1', at, at + CHUNK)).length
  length += stream.end().length
  if (length !== bytes.length) throw new Error('something in the text was taken for a secret')
}
