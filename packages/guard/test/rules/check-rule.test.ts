import type { Access } from '@maru/protocol'
import { describe, expect, test } from 'vitest'
import { findRuleFault } from '../../src/rules/check-rule.ts'
import type { Rule } from '../../src/rules/rule.ts'

const readCommand = (line: string): Access[] => {
  const [program = '', ...argv] = line.split(' ')
  return [{ kind: 'run', program, argv, proven: 'effects' }]
}
const check = (rule: Rule, isProject = false) => findRuleFault(rule, { isProject, readCommand })

describe('a rule checked against itself', () => {
  test('is about one thing', async () => {
    expect(await check({ decision: 'ask' })).toEqual({ kind: 'no-subject' })
    expect(await check({ decision: 'ask', path: 'a', host: 'b' })).toEqual({ kind: 'two-subjects' })
    expect(await check({ decision: 'ask', tool: 'ApplyPatch', path: 'a' })).toBeUndefined()
  })
  test('allows nothing in a project', async () => {
    expect(await check({ decision: 'allow', path: 'a' }, true)).toEqual({ kind: 'loosens' })
    expect(await check({ decision: 'ask', path: 'a' }, true)).toBeUndefined()
  })
  test('must match its examples, and not those that it must not', async () => {
    const rule: Rule = { decision: 'allow', program: 'npm', args: ['run', '*'] }
    expect(await check({ ...rule, examples: { match: ['npm run build'], not: ['npm publish'] } })).toBeUndefined()
    expect(await check({ ...rule, examples: { match: ['npm test'] } })).toEqual({
      kind: 'not-matched',
      example: 'npm test',
    })
    expect(await check({ ...rule, examples: { not: ['npm run build'] } })).toEqual({
      kind: 'matched',
      example: 'npm run build',
    })
    expect(await check({ decision: 'deny', host: '*.test', examples: { match: ['a.test'] } })).toBeUndefined()
    expect(await check({ decision: 'deny', path: 'a/**', examples: { not: ['b/c'] } })).toBeUndefined()
  })
})
