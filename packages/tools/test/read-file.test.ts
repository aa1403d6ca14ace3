import { truncate } from 'node:fs/promises'
import { renderResult } from '@maru/agent'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createReadFile } from '../src/read-file.ts'
import { createWorkspace } from '../src/workspace.ts'
import { type Bench, codesOf, contextOf, openBench } from './bench-of-tools.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.dispose())

describe('ReadFile', () => {
  test('shows numbered lines and says which', async () => {
    await bench.put('src/a.ts', 'one\ntwo\n세 번째\n')
    expect(await bench.call('ReadFile', { path: 'src/a.ts' })).toEqual({
      ok: true,
      data: { path: 'src/a.ts', lines: '1-3 of 3' },
      stdout: '1\tone\n2\ttwo\n3\t세 번째',
    })
  })

  test('shows a range, and names a path below the root in the same way however it was written', async () => {
    await bench.put('b.txt', 'a\nb\nc\nd')
    const result = await bench.call('ReadFile', { path: `${bench.root}/src/../b.txt`, startLine: 2, endLine: 3 })
    expect(result).toEqual({
      ok: true,
      data: { path: 'b.txt', lines: '2-3 of 4' },
      stdout: '2\tb\n3\tc\n[lines 4 to 4 not asked for]',
    })
  })

  test('says that it only reads, and what', async () => {
    const { access, basis } = await bench.prepare('ReadFile', { path: './src//a.ts' })
    expect({ access, basis }).toEqual({ access: [{ kind: 'read', path: 'src/a.ts', where: 'inside' }], basis: [] })
  })

  test('marks a file that holds secrets for the policy', async () => {
    const { access } = await bench.prepare('ReadFile', { path: 'app/.env' })
    expect(access).toEqual([{ kind: 'read', path: 'app/.env', where: 'inside', mark: 'secret' }])
  })

  test('a long file stops at a whole line and says how to go on, down to the last line', async () => {
    await bench.put('long.txt', Array.from({ length: 2_000 }, (_, index) => `line ${index + 1}`).join('\n'))
    const seen: string[] = []
    let startLine = 1
    for (let page = 0; page < 10; page++) {
      const result = await bench.call('ReadFile', { path: 'long.txt', startLine })
      const text = renderResult(result)
      expect(text.length).toBeLessThanOrEqual(10_000)
      expect(text).not.toContain('characters cut')
      seen.push(...(result.stdout ?? '').split('\n').filter((line) => /^\d+\t/.test(line)))
      const next = /go on with startLine (\d+)/.exec(text)?.[1]
      if (next === undefined) break
      startLine = Number(next)
    }
    expect(seen).toEqual(Array.from({ length: 2_000 }, (_, index) => `${index + 1}\tline ${index + 1}`))
  })

  test('cuts a long line and says by how much', async () => {
    await bench.put('wide.json', `${'x'.repeat(5_000)}\nend\n`)
    const { stdout } = await bench.call('ReadFile', { path: 'wide.json' })
    expect(stdout).toBe(`1\t${'x'.repeat(1_000)} [… 4000 characters of this line cut]\n2\tend`)
  })

  test('describes what is no text, and what is too large', async () => {
    await bench.put('logo.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    await truncate(await bench.put('huge.log', ''), 6 * 1024 * 1024)
    const image = await bench.call('ReadFile', { path: 'logo.png' })
    expect(image.data).toEqual({ path: 'logo.png', kind: 'image/png', bytes: 8 })
    expect(codesOf(image)).toEqual(['described'])
    const huge = await bench.call('ReadFile', { path: 'huge.log' })
    expect(huge.data).toEqual({ path: 'huge.log', kind: 'huge', bytes: 6 * 1024 * 1024 })
    expect(huge.stdout).toBeUndefined()
  })

  test('gives an image to a model that can see', async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    await bench.put('shot.png', png)
    const tool = createReadFile(createWorkspace(bench.root), { canSee: true })
    const kept: unknown[] = []
    const blob = { hash: 'f'.repeat(64), bytes: 8 }
    const context = contextOf({
      keep: async (content) => {
        kept.push(content)
        return blob
      },
    })
    const result = await (await tool.prepare({ path: 'shot.png' }, context)).run(context)
    expect(result.parts).toEqual([{ type: 'image', mediaType: 'image/png', blob }])
    expect(kept).toEqual([png])
  })

  test('reads CRLF, a byte-order mark, other encodings and nothing at all', async () => {
    await bench.put('crlf.txt', '\uFEFFa\r\nb\r\n')
    await bench.put('korean.txt', Buffer.from([0xb0, 0xa1, 0x0a]))
    await bench.put('empty.txt', '')
    expect(await bench.call('ReadFile', { path: 'crlf.txt' })).toEqual({
      ok: true,
      data: { path: 'crlf.txt', lines: '1-2 of 2', lineEnds: 'CRLF' },
      stdout: '1\ta\n2\tb',
    })
    expect(await bench.call('ReadFile', { path: 'korean.txt' })).toEqual({
      ok: true,
      data: { path: 'korean.txt', lines: '1-1 of 1', encoding: 'EUC-KR/CP949' },
      stdout: '1\t가',
    })
    expect((await bench.call('ReadFile', { path: 'empty.txt' })).data).toEqual({
      path: 'empty.txt',
      lines: 'empty file',
    })
  })

  test.each([
    ['a name that is not there', { path: 'nope.ts' }, 'not-found'],
    ['a directory', { path: 'src' }, 'is-directory'],
    ['the root', { path: '.' }, 'is-directory'],
    ['a file written like a directory', { path: 'src/a.ts/' }, 'is-directory'],
    ['a file used as a directory', { path: 'src/a.ts/b' }, 'not-a-directory'],
    ['lines beyond the end', { path: 'b.txt', startLine: 9 }, 'out-of-range'],
    ['a range the wrong way round', { path: 'b.txt', startLine: 3, endLine: 2 }, 'bad-arguments'],
    ['no path', {}, 'bad-arguments'],
    ['a name nobody knows', { path: 'b.txt', lines: 3 }, 'bad-arguments'],
    ['half a line', { path: 'b.txt', startLine: 1.5 }, 'bad-arguments'],
    ['a NUL', { path: 'b\0.txt' }, 'bad-path'],
    ['a name that is too long', { path: 'x'.repeat(300) }, 'bad-path'],
  ])('%s is a result with a reason', async (_, args, code) => {
    const result = await bench.call('ReadFile', args)
    expect(result.ok).toBe(false)
    expect(codesOf(result)).toEqual([code])
  })

  test('a workspace that is gone is a result too', async () => {
    const gone = await openBench()
    await gone.dispose()
    expect(codesOf(await gone.call('ReadFile', { path: 'a' }))).toEqual(['no-workspace'])
  })

  test('shows what a call kept, by range, and asks nobody about it', async () => {
    const text = Array.from({ length: 50_000 }, (_, index) => `line ${index + 1}\n`).join('')
    const context = { kept: async (callId: string) => (callId === 'call-7' ? Buffer.from(text) : undefined) }
    const args = { path: 'output:call-7', startLine: 40_000, endLine: 40_001 }
    expect(await bench.call('ReadFile', args, context)).toEqual({
      ok: true,
      data: { path: 'output:call-7', lines: '40000-40001 of 50000' },
      stdout: '40000\tline 40000\n40001\tline 40001\n[lines 40002 to 50000 not asked for]',
    })
    expect((await bench.prepare('ReadFile', args, context)).access).toEqual([])
    const beyond = await bench.call('ReadFile', { path: 'output:call-7', startLine: 50_001 }, context)
    expect(codesOf(beyond)).toEqual(['out-of-range'])
  })

  test('what no call kept is not there, but a file may have such a name', async () => {
    await bench.put('output:call-8', 'a file\n')
    const missing = await bench.call('ReadFile', { path: 'output:call-8' })
    expect(codesOf(missing)).toEqual(['not-found'])
    expect(renderResult(missing)).toContain('./output:call-8')
    expect(await bench.call('ReadFile', { path: './output:call-8' })).toMatchObject({ ok: true, stdout: '1\ta file' })
  })
})
