import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Json, ToolResult } from '@maru/protocol'
import { bundleNodeScript, collect, linesOf, type NodeScript, temporaryDirectory } from '@maru/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isRunning } from './processes.ts'

let script: NodeScript
let place: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  script = await bundleNodeScript(fileURLToPath(new URL('scripts/run-tools.ts', import.meta.url)))
  place = await temporaryDirectory()
})
afterAll(async () => {
  await script.dispose()
  await place.dispose()
})

async function callInOwnProcess(...calls: [name: string, args: Json][]) {
  const lines = await collect(linesOf(script.start(place.path, JSON.stringify(calls))))
  return lines.map((line) => JSON.parse(line) as ToolResult & { megabytes: number })
}

// What is true of a whole process cannot be seen from a thread of one.
describe.runIf(process.platform === 'linux')('commands of a process', () => {
  test('a command that writes a gigabyte is told in little memory, and counted to the last byte', async () => {
    const command = "head -c 1000000000 /dev/zero | tr '\\0' x"
    const [result] = await callInOwnProcess(['RunCommand', { command, timeoutSec: 100 }])
    expect(result?.exit).toBe(0)
    const [, start = '', cut, end = ''] = /^(x+)\n\[… (\d+) bytes cut …\]\n(x+)$/.exec(result?.stdout ?? '') ?? []
    expect(start.length + Number(cut) + end.length).toBe(1_000_000_000)
    const [part] = result?.parts ?? []
    expect(part).toMatchObject({ type: 'file', blob: { bytes: expect.any(Number) } })
    if (part?.type === 'file') expect(part.blob.bytes).toBeGreaterThan(4_000_000)
    expect(result?.megabytes).toBeLessThan(100)
  }, 180_000)

  test('its outputs are real pipes, which can be opened by name', async () => {
    const command = 'echo out > /dev/stdout; echo err > /dev/stderr; echo both | tee /dev/stderr'
    const results = await callInOwnProcess(...Array(20).fill(['RunCommand', { command }]))
    expect(results).toHaveLength(20)
    for (const result of results)
      expect(result).toMatchObject({ stdout: 'out\nboth\n', stderr: 'err\nboth\n', exit: 0 })
    // Nothing with a name is left behind.
    const [{ stdout } = {}] = await callInOwnProcess(['RunCommand', { command: 'readlink /proc/$$/fd/1' }])
    expect(stdout).toMatch(/^\/.*maru-pipes-.* \(deleted\)\n$/)
  })

  test('what is in the background dies with the process, to the last daemon', async () => {
    const command =
      'echo $$ > pids; setsid sleep 300 & echo $! >> pids; (setsid sleep 300 & echo $! >> pids); sleep 300'
    const all = 'until test "$(cat pids 2>/dev/null | wc -l)" = 3; do sleep 0.01; done'
    const [result] = await callInOwnProcess(
      ['RunCommand', { command, background: true, timeoutSec: 60 }],
      ['RunCommand', { command: all }],
    )
    expect(result?.data).toMatchObject({ state: 'running' })
    const pids = (await readFile(join(place.path, 'pids'), 'utf8')).trim().split('\n')
    expect(pids).toHaveLength(3)
    // Killed as the very last thing: to die, they need their time.
    for (const pid of pids) await expect.poll(() => isRunning(pid), { timeout: 50_000 }).toBe(false)
  })
})
