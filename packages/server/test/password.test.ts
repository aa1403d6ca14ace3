import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '../src/index.ts'

test('a password is known again by its argon2id hash, and no other is', async () => {
  const hash = await hashPassword('말은 안 한다')
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await hashPassword('말은 안 한다')).not.toBe(hash)
  expect(await verifyPassword('말은 안 한다', hash)).toBe(true)
  expect(await verifyPassword('말은 안 한다'.normalize('NFD'), hash)).toBe(true)
  for (const other of ['말은 안 한다 ', '', 'x'.repeat(10_000)]) expect(await verifyPassword(other, hash)).toBe(false)
})

test('whoever has no password, or a hash that would cost too much, is refused', async () => {
  const hash = await hashPassword('right')
  expect(await verifyPassword('right', undefined)).toBe(false)
  expect(await verifyPassword('', undefined)).toBe(false)
  for (const [from, to] of [
    ['m=19456', 'm=99999999'],
    ['t=2', 't=9999'],
    ['p=1', 'p=255'],
    ['argon2id', 'argon2x'],
    ['$', '%'],
  ] as const) {
    expect(await verifyPassword('right', hash.replace(from, to))).toBe(false)
  }
})
