import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { factSchemas, fits, misfit } from '../src/index.ts'
import * as s from '../src/shape.ts'

const person = s.object({
  name: s.string({ min: 1, max: 5 }),
  age: s.optional(s.int(0)),
  pets: s.array(
    s.union('kind', [
      s.object({ kind: s.literal('cat'), lives: s.number() }),
      s.object({ kind: s.oneOf(['dog', 'wolf']) }),
    ]),
  ),
})

describe('a shape', () => {
  test.each([
    [{ name: '마루', pets: [] }],
    [{ name: 'a', age: 0, pets: [{ kind: 'cat', lives: 8.5 }, { kind: 'wolf' }] }],
    [{ name: 'a', pets: [], more: 'from a newer version' }],
  ])('takes %j', (value) => {
    expect(fits(person, value)).toBe(true)
    expect(misfit(person, value)).toBeUndefined()
  })

  test.each([
    [null, []],
    [[], []],
    [{ pets: [] }, ['name']],
    [{ name: '', pets: [] }, ['name']],
    [{ name: 'toolong', pets: [] }, ['name']],
    [{ name: 'a', age: undefined, pets: [] }, ['age']],
    [{ name: 'a', age: 1.5, pets: [] }, ['age']],
    [{ name: 'a', age: -1, pets: [] }, ['age']],
    [{ name: 'a', pets: 'cat' }, ['pets']],
    [{ name: 'a', pets: [{ kind: 'wolf' }, { kind: 'cat' }] }, ['pets', '1', 'lives']],
    [{ name: 'a', pets: [{ kind: 'fish' }] }, ['pets', '0', 'kind']],
    [{ name: 'a', pets: [null] }, ['pets', '0']],
  ])('refuses %j and says where', (value, path) => {
    expect(fits(person, value)).toBe(false)
    expect(misfit(person, value)).toEqual(path)
  })

  test('numbers are finite, patterns hold, and records and JSON are looked into as far as they say', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '1']) expect(fits(s.number(), value)).toBe(false)
    expect(fits(s.string({ pattern: /^a+$/ }), 'aaa')).toBe(true)
    expect(fits(s.string({ pattern: /^a+$/ }), 'ab')).toBe(false)
    expect(fits(s.record(s.boolean()), { a: true })).toBe(true)
    expect(fits(s.record(s.boolean()), { a: 1 })).toBe(false)
    for (const value of [null, 0, '', [], {}]) expect(fits(s.json(), value)).toBe(true)
    for (const value of [undefined, () => 1, Symbol('x')]) expect(fits(s.json(), value)).toBe(false)
  })
})

test('whatever the value, a shape either takes it or says where it does not', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(factSchemas)), (value, type) => {
      const schema: s.Shape = factSchemas[type as keyof typeof factSchemas]
      const fact = typeof value === 'object' && value !== null ? { ...value, type } : value
      expect(misfit(schema, fact) === undefined).toBe(fits(schema, fact))
    }),
    { numRuns: 500 },
  )
})
