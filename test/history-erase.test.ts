import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openJsonlStore, sha256 } from '@maru/store'
import { input, person, start, temporaryDirectory } from '@maru/testkit'
import { expect, test } from 'vitest'

const bin = join(import.meta.dirname, '../packages/cli/bin/maru.cjs')

async function maru(home: string, ...args: string[]): Promise<{ code: number | null; stdout: string }> {
  const child = spawn(process.execPath, [bin, ...args], {
    env: { PATH: process.env['PATH'], MARU_HOME: home, MARU_LANG: 'en' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stdout }
}

/** The files of the database that hold some bytes. */
function filesWith(home: string, text: string): string[] {
  const entries = readdirSync(join(home, 'db'), { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return paths.filter((path) => readFileSync(path).includes(text))
}

// Nothing that a database could pack: what it stores is what we look for.
const noise = Array.from({ length: 200 }, (_, n) => sha256(`${n}`)).join('')

test('what is deleted or erased is found no more, and nothing of it is left in the files of the history', {
  timeout: 240_000,
}, async () => {
  const { path: home, dispose } = await temporaryDirectory()
  const store = () => openJsonlStore({ directory: join(home, 'sessions'), now: Date.now })
  try {
    const { log, blobs } = store()
    for (const id of ['gone', 'kept']) {
      await log.create(id, start)
      await log.admit(id, { type: 'title-set', key: 't', by: person, title: `${id}title of it` })
      await log.admit(id, input('1', `${id}words that were said`))
      await log.admit(id, input('2', `${id}secret that slipped out`))
      const blob = await blobs.put(id, `${noise} ${id}content`)
      const parts = [{ type: 'text' as const, text: `${id}preview`, blob }]
      await log.admit(id, { type: 'message-add', key: '3', by: person, role: 'user', parts })
    }
    await log.close()
    const find = async (words: string) =>
      (await maru(home, 'search', words, '--json')).stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => (JSON.parse(line) as { seq: number }).seq)
    expect([await find('gonewords'), await find('gonecontent'), await find('gonetitle')]).toEqual([[3], [5], [2]])
    const traces = ['gonewords', 'gonesecret', 'gonecontent', 'gonetitle', 'keptsecret']
    for (const trace of traces) expect(filesWith(home, trace), trace).not.toEqual([])

    expect((await maru(home, 'sessions', 'delete', 'gone', '--yes')).code).toBe(0)
    const again = store()
    await again.log.erase('kept', 4)
    await again.log.close()

    expect([await find('gone'), await find('keptsecret'), await find('keptwords')]).toEqual([[], [], [3]])
    for (const trace of traces) expect(filesWith(home, trace), trace).toEqual([])
    expect(filesWith(home, 'keptwords')).not.toEqual([])
    const { stdout } = await maru(home, 'db', 'doctor', '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      checks: expect.arrayContaining([expect.objectContaining({ id: 'upkeep', status: 'ok' })]),
    })
  } finally {
    await dispose()
  }
})
