import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recorded, RecordedOf } from '@maru/protocol'
import { startScriptedModel } from '@maru/scripted-model'
import { openJsonlStore } from '@maru/store'
import { collect } from '@maru/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPlace } from './end-to-end.ts'

let place: Awaited<ReturnType<typeof createPlace>>
let model: Awaited<ReturnType<typeof startScriptedModel>>
beforeEach(async () => {
  place = await createPlace()
  model = await startScriptedModel({
    script: ({ view }) =>
      view.toolResults.length > 0
        ? { reply: [{ text: `it said: ${view.toolResults[0]?.text}` }] }
        : { reply: [{ call: 'RunCommand', args: { command: 'echo ran >> trace; cat trace' } }] },
  })
})
afterEach(async () => {
  await model.close()
  await place.dispose()
})

// A terminal needs `script` of util-linux, and finding our own child needs /proc.
const hasTerminal = process.platform === 'linux' && spawnSync('script', ['--version']).status === 0

const needTerminal = ({ skip }: { skip(reason: string): void }) => {
  if (!hasTerminal) skip('needs Linux and `script` of util-linux')
}

const maru = join(import.meta.dirname, '../../packages/cli/bin/maru.cjs')

/** Runs `maru` on a terminal of its own, so that there is a person to ask. */
function onTerminal(args: string[]) {
  const words = [process.execPath, maru, ...args, '--session', place.log, '--repo', place.repo]
  // The shell gives way to maru, so that killing the child kills maru itself.
  const command = `exec ${words.map((word) => `'${word}'`).join(' ')}`
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    env: {
      PATH: process.env['PATH'],
      MARU_HOME: join(place.path, 'home'),
      MARU_LANG: 'en',
      NO_COLOR: '1',
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: model.url,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
  })
  return {
    child,
    // When all that it has shown has been read, too.
    exited: new Promise<number | null>((resolve) => child.once('close', resolve)),
    shown: () => shown,
    async until(text: string) {
      while (!shown.includes(text))
        await Promise.race([new Promise((resolve) => child.stdout.once('data', resolve)), timeout(text)])
    },
    // The process that `script` started for us: maru itself.
    killMaru() {
      const [pid] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ')
      process.kill(Number(pid), 'SIGKILL')
    },
  }
}

function timeout(text: string): Promise<never> {
  return new Promise((_resolve, reject) =>
    setTimeout(() => reject(new Error(`"${text}" was never shown`)), 60_000).unref(),
  )
}

async function facts(): Promise<Recorded[]> {
  const { log } = openJsonlStore({ directory: place.path, now: Date.now })
  try {
    return await collect(log.read('session'))
  } finally {
    await log.close()
  }
}

const asks = async () =>
  (await facts()).filter((fact): fact is RecordedOf<'approval-ask'> => fact.type === 'approval-ask')

test('what was asked before a kill is still open after it, and is asked again there', async (context) => {
  needTerminal(context)
  const first = onTerminal(['run', 'go'])
  await first.until('Allow this? (y/N)')
  expect(first.shown()).toContain('$ echo ran >> trace; cat trace')
  const [asked] = await asks()
  first.killMaru()
  await first.exited
  const second = onTerminal(['run'])
  await second.until('Allow this? (y/N)')
  second.child.stdin.write('y\n')
  await second.until('it said: ok')
  expect(await second.exited).toBe(0)
  expect(await asks()).toEqual([asked])
  expect(readFileSync(join(place.repo, 'trace'), 'utf8')).toBe('ran\n')
})

test('no is the answer of a person who says nothing else, and nothing runs', async (context) => {
  needTerminal(context)
  const run = onTerminal(['run', 'go'])
  await run.until('Allow this? (y/N)')
  run.child.stdin.write('\n')
  expect(await run.exited).toBe(3)
  expect(run.shown()).toContain('declined')
  expect(() => readFileSync(join(place.repo, 'trace'))).toThrow()
})
