import { appendFileSync, existsSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fact } from '@maru/protocol'
import { expect, test } from 'vitest'
import { listSessions } from '../../src/sessions/list-sessions.ts'
import { by, conversation, makePlace, text } from './place.ts'

test('the sessions of this repository are listed, newest first, with what they are known by', async () => {
  const place = await makePlace()
  place.put('older', conversation(place.repo))
  place.put('newer', conversation(place.repo, ['둘째 세션', 'more']), { at: 1_790_000_500_000 })
  place.put('elsewhere', conversation('/somewhere/else'), { at: 1_790_000_900_000 })
  const { stdout, code, stderr } = await place.maru('sessions')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/^newer +\d{4}-\d\d-\d\d \d\d:\d\d +3 turns +15k tokens +\$0\.\d\d +둘째 세션$/)
  expect(lines[1]).toContain('서버를 고쳐 주세요')
})

test('with --all those of every directory are there, and --json tells everything', async () => {
  const place = await makePlace()
  place.put('here', conversation(place.repo))
  place.put('there', conversation('/somewhere/else'), { at: 1_790_000_900_000 })
  const { stdout } = await place.maru('sessions', 'list', '--all', '--json')
  const { sessions } = JSON.parse(stdout)
  expect(sessions.map(({ id }: { id: string }) => id)).toEqual(['there', 'here'])
  expect(sessions[1]).toMatchObject({
    id: 'here',
    name: '서버를 고쳐 주세요',
    cwd: place.repo,
    inputs: 2,
    turns: 3,
    usage: { input: 15_000, output: 350 },
    models: ['claude-sonnet-5-5'],
    isOpen: false,
    isRunning: false,
    isDamaged: false,
    changedAt: 1_790_000_014_000,
  })
  expect(sessions[1].cost).toBeGreaterThan(0)
})

test('a search finds words of the title and of what was said, in any case and any order', async () => {
  const place = await makePlace()
  place.put('one', [
    ...conversation(place.repo),
    { type: 'title-set', key: 't', by, title: 'Login page' } satisfies Fact,
  ])
  place.put('two', conversation(place.repo, ['로그인 화면을 고칩니다', 'x']))
  const find = async (words: string) =>
    (await listSessions({ home: place.home, repo: () => place.repo }, { search: words })).map(({ id }) => id)
  expect(await find('page LOGIN')).toEqual(['one'])
  expect(await find('서버')).toEqual(['one'])
  expect(await find('화면 로그인')).toEqual(['two'])
  // As a Mac would type it.
  expect(await find('로그인'.normalize('NFD'))).toEqual(['two'])
  expect(await find('nothing of it')).toEqual([])
  expect((await place.maru('sessions', '--search', 'nothing of it')).stderr).toContain('maru search')
})

test('a title that was set is the name, and a limit keeps the newest', async () => {
  const place = await makePlace()
  for (let n = 0; n < 5; n++) place.put(`s${n}`, conversation(place.repo), { at: 1_790_000_000_000 + n * 60_000 })
  const named: Fact[] = [...conversation(place.repo), { type: 'title-set', key: 't', by, title: '제목' }]
  place.put('s9', named, { at: 1_780_000_000_000 })
  const { stdout, stderr } = await place.maru('sessions', '--limit', '2')
  expect(stdout.split('\n').map((line) => line.slice(0, 2))).toEqual(['s4', 's3', ''])
  expect(stderr).toContain('the newest 2 are shown')
  const all = await place.maru('sessions', '--json')
  expect(JSON.parse(all.stdout).sessions.at(-1)).toMatchObject({ id: 's9', name: '제목', title: '제목' })
})

test('what was read of a long log is left beside it, follows what is written, and lies about nothing that changed', async () => {
  const place = await makePlace()
  const long: Fact[] = [
    ...conversation(place.repo),
    ...Array.from({ length: 40 }, (_, n): Fact => {
      return { type: 'message-add', key: `m${n}`, by, role: 'user', parts: [text('ㄱ'.repeat(400))] }
    }),
  ]
  place.put('long', long)
  const where = { home: place.home, repo: () => place.repo }
  expect((await listSessions(where))[0]).toMatchObject({ inputs: 42, name: '서버를 고쳐 주세요' })
  const left = join(place.home, 'sessions', 'long', 'snapshots', 'overview.json')
  expect(existsSync(left)).toBe(true)
  const more = { seq: long.length + 1, at: 1_790_000_900_000, v: 1, type: 'title-set', key: 'z', by, title: 'Named' }
  appendFileSync(place.fileOf('long'), `${JSON.stringify(more)}\n`)
  expect((await listSessions(where))[0]).toMatchObject({ inputs: 42, name: 'Named', changedAt: 1_790_000_900_000 })
  // Another log in its place, with the same times.
  place.put('long', conversation(place.repo, ['다른 로그', 'y']))
  expect((await listSessions(where))[0]).toMatchObject({ inputs: 2, name: '다른 로그' })
})

test('a log that is damaged or empty is listed all the same', async () => {
  const place = await makePlace()
  place.put('good', conversation(place.repo))
  place.put('bad', conversation(place.repo), { at: 1_790_000_800_000 })
  const lines = readFileSync(place.fileOf('bad'), 'utf8').split('\n')
  lines.splice(5, 1)
  writeFileSync(place.fileOf('bad'), lines.join('\n'))
  writeFileSync(place.fileOf('empty'), '')
  const { stdout, code } = await place.maru('sessions', '--all')
  expect(code).toBe(0)
  expect(stdout).toMatch(/^bad .*damaged$/m)
  expect(stdout).toMatch(/^good /m)
  expect(stdout).toMatch(/^empty .*\(nothing was said\)$/m)
})

test('with a limit, no more logs are read than it takes', async () => {
  const place = await makePlace()
  const at = 1_790_000_000_000
  for (let n = 0; n < 30; n++) {
    const facts = conversation(place.repo)
    facts.push({ type: 'message-add', key: 'm', by, role: 'assistant', parts: [text('x'.repeat(20_000))] })
    place.put(`s${10 + n}`, facts, { at: at + n * 100_000 })
    utimesSync(place.fileOf(`s${10 + n}`), (at + n * 100_000 + 16_000) / 1000, (at + n * 100_000 + 16_000) / 1000)
  }
  const rows = await listSessions({ home: place.home, repo: () => place.repo }, { limit: 3 })
  expect(rows.map(({ id }) => id)).toEqual(['s39', 's38', 's37'])
  const isRead = (n: number) => existsSync(join(place.home, 'sessions', `s${n}`, 'snapshots', 'overview.json'))
  expect([39, 38, 37, 30, 20, 10].map(isRead)).toEqual([true, true, true, false, false, false])
})

test('an option of another action is refused, not ignored', async () => {
  const place = await makePlace()
  place.put('s', conversation(place.repo))
  const { code, stderr } = await place.maru('sessions', 'delete', 's', '--keep', '3')
  expect([code, stderr]).toEqual([2, 'maru: --keep does not go with "delete"; see "maru sessions -h"\n'])
  expect((await place.maru('sessions', 'show', 's', 't')).code).toBe(2)
  expect((await place.maru('sessions', '--limit', '0')).code).toBe(2)
})

test('a portrait names what was said, the settings, the calls and the forks', async () => {
  const place = await makePlace()
  place.put('parent', conversation(place.repo))
  const made = JSON.parse((await place.maru('sessions', 'fork', 'parent', '--at', '10', '--json')).stdout)
  const { stdout } = await place.maru('sessions', 'show', 'parent')
  expect(stdout).toContain('서버를 고쳐 주세요')
  expect(stdout).toMatch(/Settings +anthropic · claude-sonnet-5-5/)
  expect(stdout).toMatch(/Tool calls +ReadFile 1/)
  expect(stdout).toMatch(/#2–10 .*서버를 고쳐 주세요/)
  expect(stdout).toMatch(/#11–15 .*And add a test/)
  expect(stdout).toMatch(new RegExp(`Forks\\n +${made.id.slice(0, 13)} +#10`))
  const { stdout: json } = await place.maru('sessions', 'show', 'parent', '--json')
  expect(JSON.parse(json)).toMatchObject({
    id: 'parent',
    facts: 15,
    tools: { ReadFile: 1 },
    forks: [{ id: made.id, seq: 10 }],
    said: [
      { seq: 2, until: 10 },
      { seq: 11, until: 15 },
    ],
  })
})
