import type { Access } from '@maru/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide, type Situation, type Verdict } from '../src/index.ts'

const ask = { mode: 'ask', sandbox: 'none' } as const

describe('decide', () => {
  test('says what it decided, by which rule, and why', () => {
    expect(decide([{ kind: 'create', path: 'a.ts', where: 'inside' }], ask)).toEqual({
      verdict: 'ask',
      rule: 'built-in/create',
      reason: 'the call creates a file; mode ask asks first',
      reasonKey: 'policy.create',
    })
    expect(decide([{ kind: 'read', path: '/etc/passwd', where: 'outside' }], ask).reason).toBe(
      'the call leaves the workspace; every mode denies it',
    )
    expect(decide([{ kind: 'net', host: 'x.org' }], { mode: 'auto', sandbox: 'full' }).reason).toBe(
      'the call reaches into the network; mode auto with a sandbox asks first',
    )
  })

  test('one bad access spoils a call, wherever it stands', () => {
    const calls: Access[] = [
      { kind: 'read', path: 'a.ts', where: 'inside' },
      { kind: 'write', path: '/etc/hosts', where: 'outside' },
      { kind: 'run', program: 'ls', argv: [], proven: 'unknown' },
    ]
    expect(decide(calls, { mode: 'yes', sandbox: 'none' }).rule).toBe('built-in/outside')
    expect(decide(calls.toReversed(), { mode: 'yes', sandbox: 'none' }).rule).toBe('built-in/outside')
  })

  test('a command is not a file tool: what it writes in .git is judged with the command', () => {
    const accesses: Access[] = [
      { kind: 'run', program: 'git', argv: ['commit'], proven: 'effects' },
      { kind: 'write', path: '.git/index', where: 'inside' },
    ]
    expect(decide(accesses, ask)).toMatchObject({ verdict: 'ask', rule: 'built-in/command' })
  })

  test('is total, ignores the order, and more accesses never make it milder', () => {
    const strictness: Verdict[] = ['allow', 'ask', 'deny']
    fc.assert(
      fc.property(fc.array(access, { maxLength: 6 }), access, situation, (accesses, one, where) => {
        const before = decide(accesses, where)
        const after = decide([...accesses, one], where)
        expect(decide([one, ...accesses.toReversed()], where)).toEqual(after)
        // A command changes what other accesses mean: it is compared with nothing.
        if (one.kind === 'run' || accesses.some(({ kind }) => kind === 'run')) return
        expect(strictness.indexOf(after.verdict)).toBeGreaterThanOrEqual(strictness.indexOf(before.verdict))
      }),
    )
  })
})

const situation: fc.Arbitrary<Situation> = fc.record({
  mode: fc.constantFrom('ask', 'auto', 'read-only', 'yes'),
  sandbox: fc.constantFrom('full', 'none'),
})

const access: fc.Arbitrary<Access> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('read', 'write', 'delete', 'create'),
    path: fc.constantFrom('a.ts', '.git/config', '.env', '..'),
    where: fc.constantFrom('inside', 'extra-root', 'outside'),
  }),
  fc.record({
    kind: fc.constant('run'),
    program: fc.string(),
    argv: fc.array(fc.string()),
    proven: fc.constantFrom('read-only', 'check', 'effects', 'unknown', 'irreversible', 'hostile', 'catastrophe'),
  }),
  fc.record({ kind: fc.constant('net'), host: fc.string() }),
  fc.record({ kind: fc.constant('reach'), files: fc.nat(20), lines: fc.nat(800) }),
  fc.record({ kind: fc.constant('foreign-tool'), source: fc.string(), name: fc.string() }),
  fc.record({ kind: fc.constantFrom('privilege', 'process', 'ask') }),
)
