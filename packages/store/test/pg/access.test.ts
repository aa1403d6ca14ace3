import { collect, input, start, testPostgres, upTo } from '@maru/testkit'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Access,
  dumpHistory,
  type History,
  type NewKey,
  openHistory,
  restoreHistory,
  sha256,
} from '../../src/index.ts'
import { ENGINES, freshName, START_MS, useHistory } from './engines.ts'

const HOUR = 3_600_000
const freshHash = () => sha256(freshName('secret'))

describe.each(ENGINES)('who may come in, on %s:', (engine) => {
  let history: History
  let access: Access

  beforeAll(async () => {
    history = await useHistory(engine)
    access = history.access
  }, START_MS)

  const someone = () => access.addPerson(freshName('somebody'))
  const keyFor = (owner: string, more: Partial<NewKey> = {}) => {
    const hash = freshHash()
    return access.addKey({ kind: 'token', owner, hash, label: 'laptop', scopes: ['read'], ...more })
  }
  const asOwner = <Row extends object>(sql: string, params: unknown[] = []) =>
    history.engine.asOwner((db) => db.query<Row>(sql, params))

  test('a person has a name of their own, and a password or none', async () => {
    const name = freshName('한글 이름')
    const person = await access.addPerson(name)
    expect(person).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/), name, createdAt: expect.any(Number) })
    await expect(access.addPerson(name)).rejects.toMatchObject({ code: 'exists' })
    // The same letters, typed in pieces, are the same name.
    expect(await access.findPerson(name.normalize('NFD'))).toEqual(person)
    await access.setPassword(person.id, 'a hash')
    expect(await access.findPerson(name)).toEqual({ ...person, passwordHash: 'a hash' })
    await access.setPassword(person.id, 'another')
    expect(await access.findPerson(name)).toMatchObject({ passwordHash: 'another' })
    await access.setPassword(person.id, undefined)
    expect(await access.findPerson(name)).toEqual(person)
    expect(await access.people()).toContainEqual(person)
    expect(await access.findPerson(freshName('nobody'))).toBeUndefined()
    await expect(access.setPassword(crypto.randomUUID(), 'x')).rejects.toMatchObject({ code: 'missing' })
    // Whoever has a part already is a person, too.
    const own = await history.open(freshName('opened'))
    await own.log.close()
    expect((await access.people()).map(({ id }) => id)).toContain(own.owner)
    for (const bad of ['', ' a', 'a\n', 'a\u202eb', 'x'.repeat(101)]) {
      await expect(access.addPerson(bad)).rejects.toMatchObject({ code: 'rejected' })
    }
  })

  test('a key is found by its hash while it holds', async () => {
    const person = await someone()
    const hash = freshHash()
    const expiresAt = Date.now() + HOUR
    const key = await keyFor(person.id, { hash, label: '노트북', scopes: ['run', 'read', 'run'], expiresAt })
    const { id, createdAt } = key
    expect(key).toEqual({ id, kind: 'token', person, label: '노트북', scopes: ['read', 'run'], createdAt, expiresAt })
    expect(await access.findKey(hash)).toMatchObject({ id, person, scopes: ['read', 'run'] })
    expect(await access.findKey(freshHash())).toBeUndefined()
    expect(await access.findKey("x' or true --")).toBeUndefined()
    const over = freshHash()
    await keyFor(person.id, { hash: over, expiresAt: Date.now() - HOUR })
    expect(await access.findKey(over)).toBeUndefined()
    expect(await access.revokeKey(id)).toBe(true)
    expect(await access.findKey(hash)).toBeUndefined()
    expect(await access.revokeKey(id)).toBe(false)
    expect(await access.revokeKey('no id')).toBe(false)
    await expect(keyFor(crypto.randomUUID())).rejects.toMatchObject({ code: 'rejected' })
    await expect(keyFor(person.id, { hash: 'maru_the-token-itself' })).rejects.toMatchObject({ code: 'rejected' })
    await expect(keyFor(person.id, { hash: over })).rejects.toMatchObject({ code: 'rejected' })
    await expect(keyFor(person.id, { scopes: ['all' as never] })).rejects.toMatchObject({ code: 'rejected' })
  })

  test('with a new password every cookie ends but the one that set it, and no token', async () => {
    const [person, other] = [await someone(), await someone()]
    const cookieFor = (owner: string) => keyFor(owner, { kind: 'cookie' })
    const [here, there, theirs] = [await cookieFor(person.id), await cookieFor(person.id), await cookieFor(other.id)]
    const token = await keyFor(person.id)
    expect(await access.setPassword(person.id, 'a hash', here.id)).toEqual([there.id])
    expect(await access.keys(person.id)).toEqual([here, token])
    expect(await access.keys(other.id)).toEqual([theirs])
    expect(await access.setPassword(person.id, undefined)).toEqual([here.id])
  })

  test('lists of keys have those of one person, or of all, and none that was revoked', async () => {
    const [one, two] = [await someone(), await someone()]
    const [first, gone] = [await keyFor(one.id), await keyFor(one.id)]
    const cookie = await keyFor(one.id, { kind: 'cookie', label: 'Firefox' })
    const other = await keyFor(two.id)
    await access.revokeKey(gone.id)
    expect(await access.keys(one.id)).toEqual([first, cookie])
    const ids = (await access.keys()).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([first.id, cookie.id, other.id]))
    expect(ids).not.toContain(gone.id)
    expect(await access.keys('nobody')).toEqual([])
  })

  test('a key that was over for a month is forgotten', async () => {
    const person = await someone()
    const [old, late] = [await keyFor(person.id), await keyFor(person.id, { expiresAt: Date.now() - 40 * 24 * HOUR })]
    await asOwner(`update maru.key set revoked_at = now() - interval '40 days' where id = $1`, [old.id])
    const fresh = await keyFor(person.id)
    const rows = await asOwner('select id from maru.key where owner = $1', [person.id])
    expect(rows).toEqual([{ id: fresh.id }])
    expect(late.id).not.toBe(fresh.id)
  })

  test('a renewed cookie has another secret from one moment to the next', async () => {
    const person = await someone()
    const [before, after] = [freshHash(), freshHash()]
    const { id } = await keyFor(person.id, { kind: 'cookie', hash: before, expiresAt: Date.now() + HOUR })
    const expiresAt = Date.now() + 2 * HOUR
    expect(await access.renewKey(id, { hash: after, expiresAt })).toBe(true)
    expect(await access.findKey(before)).toBeUndefined()
    expect(await access.findKey(after)).toMatchObject({ id, expiresAt })
    await access.revokeKey(id)
    expect(await access.renewKey(id, { hash: freshHash() })).toBe(false)
    expect(await access.renewKey('no id', { hash: freshHash() })).toBe(false)
  })

  test('that a key was used is written down at most once a minute', async () => {
    const person = await someone()
    const hash = freshHash()
    const { id } = await keyFor(person.id, { hash })
    const written = async () => {
      const [row] = await asOwner<{ place: string; at: number | null }>(
        'select ctid::text as place, used_at as at from maru.key where id = $1',
        [id],
      )
      return row
    }
    const unused = await written()
    expect(unused?.at).toBeNull()
    await Promise.all(upTo(20).map(() => access.findKey(hash)))
    const once = await written()
    expect(once).not.toEqual(unused)
    expect((await access.findKey(hash))?.lastUsedAt).toBe(once?.at)
    // The row lies where it lay: nothing was written.
    expect(await written()).toEqual(once)
    await asOwner(`update maru.key set used_at = used_at - interval '61 s' where id = $1`, [id])
    await access.findKey(hash)
    expect((await written())?.at).toBeGreaterThanOrEqual(once?.at ?? 0)
  })

  test('a link is good once, however many take it at once', async () => {
    const person = await someone()
    for (const kind of ['link', 'pair'] as const) {
      const hash = freshHash()
      await access.addOneTime({ kind, owner: person.id, hash, expiresAt: Date.now() + HOUR })
      expect(await access.takeOneTime(kind === 'link' ? 'pair' : 'link', hash)).toBeUndefined()
      const taken = await Promise.all(upTo(20).map(() => access.takeOneTime(kind, hash)))
      expect(taken.filter((who) => who !== undefined)).toEqual([person])
      expect(await access.takeOneTime(kind, hash)).toBeUndefined()
    }
    const late = freshHash()
    await access.addOneTime({ kind: 'link', owner: person.id, hash: late, expiresAt: Date.now() - 1 })
    expect(await access.takeOneTime('link', late)).toBeUndefined()
    expect(await access.takeOneTime('link', 'no hash')).toBeUndefined()
    const nobodys = {
      kind: 'link' as const,
      owner: crypto.randomUUID(),
      hash: freshHash(),
      expiresAt: Date.now() + HOUR,
    }
    await expect(access.addOneTime(nobodys)).rejects.toMatchObject({ code: 'missing' })
  })

  test('notes are read newest first, of one person or of all, and outlive nobody', async () => {
    const person = await someone()
    await access.note({ owner: person.id, action: 'sign-in', door: 'web', address: '127.0.0.1', detail: 'a\u0000b' })
    await access.note({ owner: person.id, action: 'sign-out' })
    await access.note({ owner: crypto.randomUUID(), action: freshName('stranger'), address: '::1' })
    const [last, first] = await access.audit({ owner: person.id })
    expect(last).toEqual({ at: expect.any(Number), user: person.name, action: 'sign-out' })
    expect(first).toMatchObject({ action: 'sign-in', door: 'web', address: '127.0.0.1', detail: 'a\ufffdb' })
    const [newest] = await access.audit({ limit: 1 })
    expect(newest).toEqual({ at: expect.any(Number), action: expect.stringMatching(/^stranger/), address: '::1' })
  })

  test('a bucket lets through what it holds, tells how long to wait, and fills again', async () => {
    const subject = freshName('10.0.0.1')
    const wanted = { capacity: 30, perMinute: 30 }
    const waits = await Promise.all(upTo(60).map(() => access.take(subject, 'messages', wanted)))
    const refused = waits.filter((wait) => wait > 0)
    // What the clock filled meanwhile may be let through as well.
    const late = Math.ceil((await secondsSince(subject)) / 2)
    expect(waits.length - refused.length).toBeGreaterThanOrEqual(30)
    expect(waits.length - refused.length).toBeLessThanOrEqual(31 + late)
    expect(Math.max(...refused)).toBeLessThanOrEqual(2)
    expect(await access.take(subject, 'searches', wanted)).toBe(0)
    await asOwner(`update maru.allowance set tokens = 0, at = clock_timestamp() - interval '1 h' where subject = $1`, [
      subject,
    ])
    expect(await access.take(subject, 'messages', { ...wanted, amount: 30 })).toBe(0)
    const wait = await access.take(subject, 'messages', { ...wanted, amount: 30 })
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(60)
    expect(await access.take(subject, 'messages', { ...wanted, amount: -30 })).toBe(0)
    expect(await access.take(subject, 'messages', { ...wanted, amount: 30 })).toBe(0)
    expect(await access.take(subject, 'messages', { ...wanted, amount: 31 })).toBe(Number.POSITIVE_INFINITY)
    expect(await access.take(subject, 'never', { capacity: 1, perMinute: 0 })).toBe(0)
    expect(await access.take(subject, 'never', { capacity: 1, perMinute: 0 })).toBe(Number.POSITIVE_INFINITY)
  })

  const secondsSince = async (subject: string) => {
    const [row] = await asOwner<{ seconds: number }>(
      'select extract(epoch from clock_timestamp() - min(at))::float8 as seconds from maru.allowance where subject = $1',
      [subject],
    )
    return (row?.seconds ?? 0) + 5
  }

  test('buckets that are full again are tidied away by new ones', async () => {
    const [old, fresh] = [freshName('old'), freshName('fresh')]
    await access.take(old, 'k', { capacity: 5, perMinute: 5 })
    await asOwner(`update maru.allowance set full_at = '-infinity' where subject = $1`, [old])
    await access.take(fresh, 'k', { capacity: 5, perMinute: 5 })
    const rows = await asOwner('select subject from maru.allowance where subject = any($1)', [[old, fresh]])
    expect(rows).toEqual([{ subject: fresh }])
  })

  test('whoever is removed is gone with everything, and whoever follows is told', async () => {
    const [name, otherName] = [freshName('gone'), freshName('stays')]
    const [own, other] = [await history.open(name), await history.open(otherName)]
    for (const { log, blobs, conversations, owner } of [own, other]) {
      await log.create('s', start)
      await blobs.put('s', 'content')
      await log.admit('s', input('k', 'said'))
      await log.create('f', { ...start, forkOf: { id: 's', seq: 2 } })
      await log.erase('s')
      await log.create('s', start)
      await conversations.patch('s', { tags: ['a'] })
      await access.setPassword(owner, 'hash')
      await keyFor(owner)
      await access.addOneTime({ kind: 'pair', owner, hash: freshHash(), expiresAt: Date.now() + HOUR })
      await access.note({ owner, action: 'sign-in', address: '10.0.0.1' })
      await access.take(owner, 'messages', { capacity: 5, perMinute: 5 })
    }
    const tables = await asOwner<{ name: string }>(
      `select table_name::text as name from information_schema.columns where table_schema = 'maru' and column_name = 'owner'`,
    )
    const count = async (owner: string) => {
      let rows = (await asOwner('select from maru.account where id = $1', [owner])).length
      rows += (await asOwner('select from maru.allowance where subject = $1', [owner])).length
      for (const table of tables) {
        rows += (await asOwner(`select from maru.${table.name} where owner = $1`, [owner])).length
      }
      return rows
    }
    const before = await count(other.owner)
    expect(await count(own.owner)).toBe(before)
    const followed = own.log.follow('s', 0, AbortSignal.timeout(60_000))[Symbol.asyncIterator]()
    expect(await followed.next()).toMatchObject({ value: { type: 'session-start' } })
    const end = followed.next()
    await access.removePerson(own.owner)
    expect(await end).toEqual({ done: true, value: undefined })
    expect([await count(own.owner), await count(other.owner)]).toEqual([0, before])
    expect(await access.findPerson(name)).toBeUndefined()
    expect(await history.accounts()).not.toContain(name)
    await expect(own.log.create('again', start)).rejects.toMatchObject({ code: 'failed' })
    await access.removePerson(own.owner)
    // Its bytes go from the disk as those of any erased session do.
    if (engine === 'pglite') expect(await history.upkeepDue()).not.toBe('none')
    await Promise.all([own.log.close(), other.log.close()])
  })
})

test('a dump carries people and what checks their passwords, but no key to anything', {
  timeout: START_MS,
}, async () => {
  const server = await testPostgres()
  const open = async () => openHistory({ home: '', databaseUrl: await server.createDatabase(), now: Date.now })
  const [from, to] = [await open(), await open()]
  const hash = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaGhhc2hoYXNoaGFzaA'
  const names = ['one', 'two', 'three']
  const [one, two] = [await from.access.addPerson('one'), await from.access.addPerson('two')]
  await from.access.addPerson('three')
  const secret = freshHash()
  await from.access.setPassword(one.id, hash)
  await from.access.setPassword(two.id, hash)
  await from.access.addKey({ kind: 'token', owner: one.id, hash: secret, label: 'a label', scopes: ['admin'] })
  await from.access.addOneTime({ kind: 'link', owner: one.id, hash: secret, expiresAt: Date.now() + HOUR })
  await from.access.note({ owner: one.id, action: 'an action', address: '10.0.0.1' })
  const lines = await collect(dumpHistory(from.engine, 1))
  expect(lines.join('\n')).not.toMatch(new RegExp(`${secret}|a label|an action|10\\.0\\.0\\.1`))
  // Whoever has another password here keeps it.
  const kept = `${hash}x`
  await to.access.setPassword((await to.access.addPerson('two')).id, kept)
  await restoreHistory(
    to,
    (async function* () {
      yield* lines
    })(),
  )
  const found = await Promise.all(names.map((name) => to.access.findPerson(name)))
  expect(found.map((person) => person?.passwordHash)).toEqual([hash, kept, undefined])
  expect(await to.access.keys()).toEqual([])
  expect(await to.access.takeOneTime('link', secret)).toBeUndefined()
  expect(await to.access.audit()).toEqual([])
  const forged = restoreHistory(
    to,
    (async function* () {
      yield lines[0] ?? ''
      yield JSON.stringify({ type: 'account', name: 'three', password: 'plain' })
    })(),
  )
  await expect(forged).rejects.toMatchObject({ code: 'damaged', details: { line: 2 } })
  await Promise.all([from.close(), to.close()])
})
