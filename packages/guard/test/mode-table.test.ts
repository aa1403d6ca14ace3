import type { Access } from '@maru/protocol'
import { describe, expect, test } from 'vitest'
import { COLUMNS, columnOf, decide, MODE_TABLE, type Situation } from '../src/index.ts'

// The table people are promised, one line for each kind of access:
// ask with and without a sandbox | auto with and without a sandbox | read-only | yes.
const PROMISED = `
  built-in/nothing            allow allow | allow allow | allow | allow
  built-in/question           allow allow | allow allow | allow | allow
  built-in/read               allow allow | allow allow | allow | allow
  built-in/secret             allow allow | allow allow | allow | allow
  built-in/read-only-command  allow allow | allow allow | allow | allow
  built-in/edit               allow allow | allow allow | deny  | allow
  built-in/test-command       allow ask   | allow ask   | deny  | allow
  built-in/create             ask   ask   | allow ask   | deny  | allow
  built-in/delete             ask   ask   | allow ask   | deny  | allow
  built-in/reach              ask   ask   | allow ask   | deny  | allow
  built-in/command            ask   ask   | allow ask   | deny  | allow
  built-in/secret-command     ask   ask   | ask   ask   | deny  | allow
  built-in/irreversible       ask   ask   | ask   ask   | deny  | allow
  built-in/network            ask   ask   | ask   ask   | deny  | allow
  built-in/foreign-tool       ask   ask   | ask   ask   | deny  | allow
  built-in/other              ask   ask   | ask   ask   | deny  | allow
  built-in/protected          ask   ask   | ask   ask   | deny  | deny
  built-in/git                deny  deny  | deny  deny  | deny  | deny
  built-in/outside            deny  deny  | deny  deny  | deny  | deny
  built-in/hostile            deny  deny  | deny  deny  | deny  | deny
  built-in/privilege          deny  deny  | deny  deny  | deny  | deny
  built-in/catastrophe        deny  deny  | deny  deny  | deny  | deny
`

const SITUATIONS: Situation[] = (['ask', 'auto', 'read-only', 'yes'] as const).flatMap((mode) => [
  { mode, sandbox: 'full' } as const,
  { mode, sandbox: 'none' } as const,
])

const shell = { kind: 'run' as const, program: 'bash', argv: ['-c', 'x'] }
const file = { path: 'src/a.ts', where: 'inside' } as const

// How each row is reached.
const REACHED_BY: [rule: string, accesses: Access[]][] = [
  ['built-in/nothing', []],
  ['built-in/question', [{ kind: 'ask' }]],
  ['built-in/read', [{ kind: 'read', ...file }]],
  ['built-in/read', [{ kind: 'read', path: '/srv/docs/a.md', where: 'extra-root' }]],
  ['built-in/read-only-command', [{ ...shell, proven: 'read-only' }]],
  ['built-in/edit', [{ kind: 'write', ...file }]],
  ['built-in/edit', [{ kind: 'reach', files: 10, lines: 400 }]],
  ['built-in/create', [{ kind: 'create', ...file }]],
  ['built-in/delete', [{ kind: 'delete', ...file }]],
  ['built-in/reach', [{ kind: 'reach', files: 11, lines: 1 }]],
  ['built-in/reach', [{ kind: 'reach', files: 1, lines: 401 }]],
  ['built-in/command', [{ ...shell, proven: 'unknown' }]],
  ['built-in/command', [{ ...shell, proven: 'effects' }]],
  [
    'built-in/secret-command',
    [
      { kind: 'read', path: '.env', where: 'inside', mark: 'secret' },
      { ...shell, proven: 'read-only' },
    ],
  ],
  ['built-in/network', [{ kind: 'net', host: 'example.com' }]],
  ['built-in/foreign-tool', [{ kind: 'foreign-tool', source: 'mcp:x', name: 'y' }]],
  ['built-in/other', [{ kind: 'process' }]],
  ['built-in/protected', [{ kind: 'write', path: '.npmrc', where: 'inside', mark: 'protected' }]],
  ['built-in/secret', [{ kind: 'read', path: '.env', where: 'inside', mark: 'secret' }]],
  ['built-in/git', [{ kind: 'create', path: 'sub/.git/hooks/pre-commit', where: 'inside', mark: 'protected' }]],
  ['built-in/git', [{ kind: 'write', path: '.GIT/config', where: 'inside' }]],
  ['built-in/outside', [{ kind: 'read', path: '/etc/passwd', where: 'outside' }]],
  ['built-in/outside', [{ kind: 'write', path: '../x', where: 'outside' }]],
  ['built-in/privilege', [{ kind: 'privilege' }]],
  ['built-in/test-command', [{ ...shell, proven: 'check' }]],
  ['built-in/irreversible', [{ ...shell, proven: 'irreversible' }]],
  ['built-in/hostile', [{ ...shell, proven: 'hostile' }]],
  ['built-in/catastrophe', [{ ...shell, proven: 'catastrophe' }]],
]

describe('the mode table', () => {
  test('is the one that was promised', () => {
    const promised = PROMISED.trim()
      .split('\n')
      .map((line) => line.replaceAll('|', ' ').trim().split(/\s+/))
    expect(MODE_TABLE.map(({ rule, cells }) => [rule, ...cells])).toEqual(promised)
  })

  test.each(REACHED_BY)('%s decides in every situation: %j', (rule, accesses) => {
    const row = MODE_TABLE.find((candidate) => candidate.rule === rule)
    const decided = SITUATIONS.map((situation) => decide(accesses, situation))
    expect(decided.map((decision) => decision.rule)).toEqual(SITUATIONS.map(() => rule))
    expect(decided.map(({ verdict }) => verdict)).toEqual(
      SITUATIONS.map((situation) => row?.cells[COLUMNS.indexOf(columnOf(situation))]),
    )
  })

  test('a mode that stands beside the sandbox does not change with it', () => {
    expect(columnOf({ mode: 'yes', sandbox: 'full' })).toBe('yes')
    expect(columnOf({ mode: 'read-only', sandbox: 'none' })).toBe('read-only')
  })
})
