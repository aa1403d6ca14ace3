import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type History, mirrorSessions, type OwnHistory, openHistory, openJsonlStore } from '@maru/store'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { homeIdOf } from '../../src/history/bring-sessions.ts'
import { moveWhenWritten } from '../../src/serve/moving-history.ts'
import { input, start } from '../history/say.ts'

const START_MS = 120_000

let home = ''
let history: History
let own: OwnHistory

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'maru-moving-'))
  const opened = await openHistory({ home, now: Date.now, isDurable: false })
  const { id } = await opened.access.addPerson('owner')
  history = moveWhenWritten(opened, { owner: id, home })
  own = await history.openOwner(id)
}, START_MS)
afterAll(async () => {
  await own.log.close()
  await history.close()
  await rm(home, { recursive: true, force: true })
})

const directory = () => join(home, 'sessions')

async function inTerminal(id: string, said: string) {
  const files = openJsonlStore({ directory: directory(), now: Date.now })
  await files.log.create(id, start)
  await files.log.admit(id, input('1', said))
  const { signal } = new AbortController()
  await mirrorSessions(history, own, { directory: directory(), source: homeIdOf(home), signal })
  return files.log
}

const said = async (id: string) => (await own.conversations.messages(id)).map(({ content }) => content)

test('a session of a terminal goes on at another door once nobody works on it, with all that was said', async () => {
  const terminal = await inTerminal('moving', 'in the terminal')
  await terminal.lease('moving')
  await expect(own.log.admit('moving', input('2', 'too early'))).rejects.toMatchObject({ code: 'held' })
  await terminal.close()
  await own.log.admit('moving', input('2', 'from the train'))
  expect(await said('moving')).toEqual(['in the terminal', 'from the train'])
  const again = openJsonlStore({ directory: directory(), now: Date.now })
  await expect(again.log.admit('moving', input('3', 'back here'))).rejects.toMatchObject({ code: 'moved' })
  await again.log.close()
})

test('what is erased at another door is gone from the file, too', async () => {
  const terminal = await inTerminal('erased', 'not to be kept')
  await terminal.close()
  await own.log.erase('erased')
  expect(existsSync(join(directory(), 'erased.jsonl'))).toBe(false)
  await expect(said('erased')).rejects.toMatchObject({ code: 'missing' })
})
