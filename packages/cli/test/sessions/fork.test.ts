import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fact } from '@maru/protocol'
import type { Script } from '@maru/scripted-model'
import { expect, test } from 'vitest'
import { by, conversation, makePlace, readFacts, text } from './place.ts'

type Place = Awaited<ReturnType<typeof makePlace>>

async function forkOf(place: Place, ...args: string[]) {
  const { stdout, stderr, code } = await place.maru('sessions', 'fork', ...args, '--json')
  return { code, stderr, made: stdout === '' ? undefined : JSON.parse(stdout) }
}

test('a fork has the facts of its parent up to the cut, and a name of its own', async () => {
  const place = await makePlace()
  place.put('s', conversation(place.repo))
  const { made } = await forkOf(place, 's', '--at', '10', '--title', '다른 길')
  const parent = place.facts('s')
  const fork = place.facts(made.id)
  expect(fork.slice(0, 10)).toEqual(parent.slice(0, 10))
  expect(fork.slice(10)).toMatchObject([
    { seq: 11, type: 'session-start', cwd: place.repo, forkOf: { id: 's', seq: 10 } },
    { type: 'title-set', title: '다른 길' },
  ])
  const { stdout } = await place.maru('sessions')
  expect(stdout).toMatch(/다른 길 +fork of s #10/)
})

test('a turn or a run is named by its id, and goes to the end of what it did', async () => {
  const place = await makePlace()
  place.put('s', conversation(place.repo))
  expect((await forkOf(place, 's', '--at', 'turn-o')).made.forkOf.seq).toBe(7)
  expect((await forkOf(place, 's', '--at', 'turn-two')).made.forkOf.seq).toBe(10)
  expect((await forkOf(place, 's', '--at', 'run-one')).made.forkOf.seq).toBe(10)
  expect((await forkOf(place, 's')).made.forkOf.seq).toBe(15)
  expect((await forkOf(place, 's', '--at', 'turn-')).stderr).toContain('begins several ids')
  expect((await forkOf(place, 's', '--at', '16')).stderr).toContain('has 15 facts')
  expect((await forkOf(place, 's', '--at', 'nothing')).code).toBe(2)
})

test('what was under way at the cut is laid aside in the fork, which goes on with what is said to it', async () => {
  const place = await makePlace()
  await place.work(
    [{ reply: [{ text: 'Looking.' }, { call: 'ReadFile', args: { path: 'a.txt' } }] }, { reply: [{ text: 'Seen.' }] }],
    ...['--session', 's', 'Look at a.txt'],
  )
  const asked = place.facts('s').find(({ type }) => type === 'turn-end')
  const { made } = await forkOf(place, 's', '--at', String(asked?.seq))
  expect(place.facts(made.id).slice(-2)).toMatchObject([
    { type: 'tool-end', outcome: 'interrupted', parts: [{ text: 'This call was laid aside before it ran.' }] },
    { type: 'run-end', reason: 'interrupted' },
  ])
  const { requests, stdout, problems } = await place.work(
    [{ reply: [{ text: 'Otherwise then.' }] }],
    ...['--resume', made.id, 'Do something else'],
  )
  expect({ requests: requests.length, stdout, problems }).toEqual({
    requests: 1,
    stdout: 'Otherwise then.\n',
    problems: [],
  })
  expect((await place.maru('replay', '--verify', made.id)).code).toBe(0)
})

test('what was said and never answered is still to be answered in the fork', async () => {
  const place = await makePlace()
  place.put('s', conversation(place.repo))
  const { made } = await forkOf(place, 's', '--at', '11')
  expect(place.facts(made.id).at(-1)?.type).toBe('session-start')
  const { stdout } = await place.work([{ reply: [{ text: 'Answered here.' }] }], '--resume', made.id)
  expect(stdout).toBe('Answered here.\n')
})

// Writes by a patch, by a command and by a file tool, one turn each.
const WRITER: Script = [
  { reply: [{ call: 'WriteFile', args: { path: 'a.txt', content: 'two\n' } }] },
  { reply: [{ call: 'RunCommand', args: { command: 'echo three > a.txt; echo new > made.txt; rm gone.txt' } }] },
  { reply: [{ call: 'WriteFile', args: { path: 'a.txt', content: 'four\n' } }] },
  { reply: [{ call: 'WriteFile', args: { path: 'b.txt', content: 'b\n' } }] },
  { reply: [{ text: 'done' }] },
]
const FILES = { 'a.txt': 'one\n', 'gone.txt': 'gone\n', 'deep/c.txt': 'c\n' }

async function makeWorked({ isGit }: { isGit: boolean }) {
  const place = await makePlace(FILES)
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place.repo, stdio: 'pipe' }).toString()
  if (isGit) {
    git('init', '-q')
    git('add', '-A')
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first')
  }
  const { code, problems } = await place.work(WRITER, '--session', 's', 'Write')
  expect({ code, problems }).toEqual({ code: 0, problems: [] })
  const ends = place.facts('s').filter(({ type }) => type === 'tool-end')
  return { place, git, ends: ends.map(({ seq }) => seq) }
}

function filesIn(directory: string): Record<string, string> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = names.map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1))
  const own = paths.filter((path) => !path.startsWith('.git')).sort()
  return Object.fromEntries(own.map((path) => [path, readFileSync(join(directory, path), 'utf8')]))
}

// As the files were when each of the four calls had ended.
const STATES = [
  { 'a.txt': 'two\n', 'deep/c.txt': 'c\n', 'gone.txt': 'gone\n' },
  { 'a.txt': 'three\n', 'deep/c.txt': 'c\n', 'made.txt': 'new\n' },
  { 'a.txt': 'four\n', 'deep/c.txt': 'c\n', 'made.txt': 'new\n' },
  { 'a.txt': 'four\n', 'b.txt': 'b\n', 'deep/c.txt': 'c\n', 'made.txt': 'new\n' },
]

test.each([
  ['git', true],
  ['no git', false],
])('a fork with --worktree has the files as they were, whatever changed them, with %s', async (_name, isGit) => {
  const { place, git, ends } = await makeWorked({ isGit })
  for (const [index, state] of STATES.entries()) {
    const { made } = await forkOf(place, 's', '--at', String(ends[index]), '--worktree')
    expect(made.directory.startsWith(`${place.repo}-fork-`)).toBe(true)
    expect(made).toMatchObject({ isWorktree: isGit, lost: [] })
    expect(filesIn(made.directory)).toEqual(state)
    expect(place.facts(made.id).findLast(({ type }) => type === 'session-start')).toMatchObject({ cwd: made.directory })
  }
  // Before anything was done.
  const { made } = await forkOf(place, 's', '--at', '2', '--worktree', join(place.base, 'first'))
  expect(filesIn(made.directory)).toEqual(FILES)
  if (!isGit) return
  const [, , ...others] = git('worktree', 'list').trim().split('\n')
  expect(others).toHaveLength(4)
  expect(execFileSync('git', ['status', '--short'], { cwd: made.directory }).toString()).toBe('')
  // The repository itself is as it was left.
  expect(filesIn(place.repo)).toEqual(STATES[3])
})

test('with --files they are brought back in place after asking, and undo takes that back', async () => {
  const { place, ends } = await makeWorked({ isGit: true })
  writeFileSync(join(place.repo, 'mine.txt'), 'by hand\n')
  const asked = await place.ask('n\n', 'sessions', 'fork', 's', '--at', String(ends[0]), '--files')
  expect(asked.code).toBe(3)
  expect(asked.stderr).toContain('~ a.txt')
  expect(asked.stderr).toContain('+ gone.txt')
  expect(asked.stderr).toContain('- made.txt')
  const before = filesIn(place.repo)
  expect(before).toEqual({ ...STATES[3], 'mine.txt': 'by hand\n' })
  const unasked = await place.maru('sessions', 'fork', 's', '--at', String(ends[0]), '--files')
  expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('add --yes')])
  expect(readdirSync(join(place.home, 'sessions')).filter((name) => name.endsWith('.jsonl'))).toEqual(['s.jsonl'])
  const { code, stdout } = await place.ask('y\n', 'sessions', 'fork', 's', '--at', String(ends[0]), '--files')
  expect(code).toBe(0)
  const id = /^(\S+) is a fork/.exec(stdout)?.[1] ?? ''
  // What is not the session's goes as well where it was not there then; the question said so.
  expect(filesIn(place.repo)).toEqual(STATES[0])
  const undone = await place.maru('undo', '--session', id)
  expect(undone.code).toBe(0)
  expect(filesIn(place.repo)).toEqual(before)
})

test('a fork of a fork knows the files as well, also when what it came from is erased', async () => {
  const { place, ends } = await makeWorked({ isGit: false })
  const { made: first } = await forkOf(place, 's')
  const { made: second } = await forkOf(place, first.id)
  await place.maru('sessions', 'delete', 's', first.id, '--yes')
  for (const [index, state] of STATES.entries()) {
    const { made } = await forkOf(place, second.id, '--at', String(ends[index]), '--worktree')
    expect([made.lost, filesIn(made.directory)]).toEqual([[], state])
  }
})

test('a fork never writes into a directory that is there, and says so when files are gone', async () => {
  const { place } = await makeWorked({ isGit: false })
  const taken = await forkOf(place, 's', '--worktree', place.home)
  expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining('is there already')])
  place.put('lost', conversation('/nowhere/at/all'))
  const lost = await forkOf(place, 'lost', '--worktree')
  expect([lost.code, lost.made.code]).toEqual([1, 'no-directory'])
  expect((await forkOf(place, 'lost')).code).toBe(0)
})

test('nothing that the repository asks for is run when a work tree is added', async () => {
  const { place, git, ends } = await makeWorked({ isGit: true })
  const trap = join(place.base, 'sprung')
  writeFileSync(join(place.repo, '.git/hooks/post-checkout'), `#!/bin/sh\necho hook >> ${trap}\n`, { mode: 0o755 })
  git('config', 'filter.evil.smudge', `sh -c 'echo smudge >> ${trap}; cat'`)
  git('config', 'filter.evil.clean', `sh -c 'echo clean >> ${trap}; cat'`)
  git('config', 'core.fsmonitor', `sh -c 'echo monitor >> ${trap}'`)
  writeFileSync(join(place.repo, '.gitattributes'), '* filter=evil\n')
  writeFileSync(join(place.repo, '.git/info/attributes'), '* filter=evil\n')
  const { code } = await forkOf(place, 's', '--at', String(ends[1]), '--worktree')
  expect(code).toBe(0)
  expect(existsSync(trap) ? readFileSync(trap, 'utf8') : 'nothing').toBe('nothing')
})

test('a fork of a session that stays under way elsewhere does not disturb it', async () => {
  const place = await makePlace()
  place.put('s', [
    ...conversation(place.repo),
    { type: 'input-admit', key: 'c', by, delivery: 'queue', parts: [text('more')] },
    { type: 'run-start', runId: 'run-three', inputs: [16] },
  ] satisfies Fact[])
  const before = readFileSync(place.fileOf('s'), 'utf8')
  const { made } = await forkOf(place, 's')
  expect(readFacts(place.fileOf(made.id)).at(-1)).toMatchObject({ type: 'run-end', reason: 'interrupted' })
  expect(readFileSync(place.fileOf('s'), 'utf8')).toBe(before)
})
