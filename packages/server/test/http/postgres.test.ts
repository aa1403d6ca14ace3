import { openHistory } from '@maru/store'
import { testPostgres } from '@maru/testkit'
import { expect, test } from 'vitest'
import { serve } from './serve.ts'

const TERMINATE = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

test('connections to PostgreSQL that break cost a retry, and nothing that was acknowledged', async () => {
  const databaseUrl = await (await testPostgres()).createDatabase()
  const history = await openHistory({ home: '', now: Date.now, databaseUrl })
  const { access } = history
  const { join, server, log } = await serve({ history, access, owner: await access.addPerson('owner') })
  const me = await join()
  const { json } = await me.ask('POST', '/api/v1/conversations', { title: 'under way' })
  const path = `/api/v1/conversations/${json.id}/messages`
  const [acknowledged, codes] = [new Set<string>(), new Set<string>()]
  for (let n = 0; n < 20; n++) {
    const cut = n % 2 ? undefined : history.engine.asOwner((db) => db.query(TERMINATE, [])).catch(() => undefined)
    const content = `m${n}`
    const answer = await me.ask('POST', path, { clientId: content, role: 'user', content })
    await cut
    codes.add(answer.status < 300 ? 'stored' : answer.json.code)
    if (answer.status < 300) acknowledged.add(content)
  }
  for (const code of codes) expect(['stored', 'unavailable']).toContain(code)
  const { status, json: page } = await me.ask('GET', path)
  expect(status).toBe(200)
  const said: string[] = page.items.map(({ content }: { content: string }) => content)
  expect(said).toHaveLength(new Set(said).size)
  for (const content of acknowledged) expect(said).toContain(content)
  expect(log.filter(({ event }) => event === 'broken')).toEqual([])
  await server.close()
  await history.close()
})
