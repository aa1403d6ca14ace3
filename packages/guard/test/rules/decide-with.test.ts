import type { Access } from '@maru/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from '../../src/decide.ts'
import { decideWith } from '../../src/rules/decide-with.ts'
import { NO_RULES, type Rule, type RuleLayers } from '../../src/rules/rule.ts'
import { suggestRules } from '../../src/rules/suggest-rules.ts'
import { judgeCommand } from '../../src/shell/load-judge.ts'
import type { Situation } from '../../src/situation.ts'

const ASK: Situation = { mode: 'ask', sandbox: 'none' }
const run = (line: string, proven: Extract<Access, { kind: 'run' }>['proven'] = 'effects'): Access => {
  const [program = '', ...argv] = line.split(' ')
  return { kind: 'run', program, argv, proven }
}
const write = (path: string, mark?: 'protected' | 'secret'): Access => ({
  kind: 'write',
  path,
  where: path.startsWith('/') ? 'outside' : 'inside',
  ...(mark && { mark }),
})
const judge = (access: Access[], layers: Partial<RuleLayers>, situation: Situation & { isTainted?: boolean } = ASK) =>
  decideWith({ tool: 'T', access, root: '/w', home: '/home/u' }, situation, { ...NO_RULES, ...layers })

const ALLOW_INSTALL: Rule = { decision: 'allow', program: 'npm', args: ['install', '**'] }

describe('rules of the user', () => {
  test('loosen what the table asks about, and say so', () => {
    expect(judge([run('npm install x')], { user: [ALLOW_INSTALL] })).toMatchObject({ verdict: 'allow', rule: 'user/1' })
  })
  test('the last one that matches decides', () => {
    const user: Rule[] = [ALLOW_INSTALL, { decision: 'deny', program: 'npm', args: ['install', 'evil'] }]
    expect(judge([run('npm install evil')], { user })).toMatchObject({ verdict: 'deny', rule: 'user/2' })
    expect(judge([run('npm install good')], { user }).verdict).toBe('allow')
  })
  test('an allowed command takes its network and its plain files with it', () => {
    const access: Access[] = [run('npm install x'), { kind: 'net', host: '*' }, write('package-lock.json')]
    expect(judge(access, { user: [ALLOW_INSTALL] }).verdict).toBe('allow')
    expect(judge([...access, run('curl evil.example')], { user: [ALLOW_INSTALL] }).verdict).toBe('ask')
    expect(judge([...access, write('.npmrc', 'protected')], { user: [ALLOW_INSTALL] }).verdict).toBe('ask')
  })
  test('what every mode refuses yields to the very words of a command, never to a star', () => {
    const catastrophe = [run('rm -rf /data', 'catastrophe')]
    const star: Rule = { decision: 'allow', program: 'rm', args: ['-rf', '*'] }
    const exact: Rule = { decision: 'allow', program: 'rm', args: ['-rf', '/data'] }
    expect(judge(catastrophe, { user: [star] }).verdict).toBe('deny')
    expect(judge(catastrophe, { user: [{ decision: 'allow', tool: 'T' }] }).verdict).toBe('deny')
    expect(judge(catastrophe, { user: [exact] }).verdict).toBe('allow')
    expect(judge(catastrophe, { session: [exact] }).verdict).toBe('deny')
  })
  test('a protected file is written in `yes` only where the user has said so', () => {
    const yes: Situation = { mode: 'yes', sandbox: 'none' }
    expect(judge([write('.npmrc', 'protected')], {}, yes).verdict).toBe('deny')
    expect(judge([write('.npmrc', 'protected')], { user: [{ decision: 'allow', path: '.npmrc' }] }, yes).verdict).toBe(
      'allow',
    )
  })
  test('may hold in one repository alone', () => {
    expect(judge([run('npm install x')], { user: [{ ...ALLOW_INSTALL, in: '/other' }] }).verdict).toBe('ask')
    expect(judge([run('npm install x')], { user: [{ ...ALLOW_INSTALL, in: '/w/' }] }).verdict).toBe('allow')
  })
  test('tighten too', () => {
    expect(judge([write('src/a.ts')], { user: [{ decision: 'ask', path: 'src/**', use: 'write' }] })).toMatchObject({
      verdict: 'ask',
      rule: 'user/1',
    })
  })
})

describe('rules of the project', () => {
  test('only tighten, and no grant of a session beats them', () => {
    const project: Rule[] = [{ decision: 'deny', path: 'infra/**', because: 'belongs to another team' }]
    const grant: Rule = { decision: 'allow', path: 'infra/**' }
    expect(judge([write('infra/main.tf')], { project, user: [grant], session: [grant] })).toMatchObject({
      verdict: 'deny',
      rule: 'project/1',
      reason: 'belongs to another team',
    })
  })
  test('whatever a project says, nothing becomes milder', () => {
    const rule = fc.record({
      decision: fc.constantFrom('allow', 'ask', 'deny'),
      path: fc.constantFrom('**', 'src/**', '.env', '/**'),
    })
    const access = fc.constantFrom(write('src/a.ts'), write('.npmrc', 'protected'), write('/etc/passwd'))
    const strictness = { allow: 0, ask: 1, deny: 2 }
    fc.assert(
      fc.property(fc.array(rule), fc.array(access, { minLength: 1 }), (project, accesses) => {
        const before = strictness[decide(accesses, ASK).verdict]
        expect(strictness[judge(accesses, { project: project as Rule[] }).verdict]).toBeGreaterThanOrEqual(before)
      }),
    )
  })
})

describe('grants of a session', () => {
  const net: Access = { kind: 'net', host: 'registry.npmjs.org' }
  const session: Rule[] = [{ decision: 'allow', host: 'registry.npmjs.org' }]
  test('hold', () => {
    expect(judge([net], { session })).toMatchObject({ verdict: 'allow', rule: 'session/1' })
  })
  test('for the network, secrets and protected files are suspended once text from outside came in', () => {
    expect(judge([net], { session }, { ...ASK, isTainted: true }).verdict).toBe('ask')
    expect(judge([net], { user: session }, { ...ASK, isTainted: true }).verdict).toBe('ask')
    const path = '.npmrc'
    expect(
      judge([write(path, 'protected')], { session: [{ decision: 'allow', path }] }, { ...ASK, isTainted: true })
        .verdict,
    ).toBe('ask')
    const install = { user: [ALLOW_INSTALL] }
    expect(judge([run('npm install x'), net], install, { ...ASK, isTainted: true }).verdict).toBe('ask')
  })
})

describe('the shape of a match', () => {
  test.each<[Rule, Access, boolean]>([
    [{ decision: 'allow', program: 'git', args: ['push'] }, run('git push --force'), false],
    [{ decision: 'allow', program: 'git', args: ['push', '*'] }, run('git push --force'), false],
    [{ decision: 'allow', program: 'git', args: ['push', '*'] }, run('git push origin'), true],
    [{ decision: 'allow', program: 'git', args: [] }, run('git'), true],
    [{ decision: 'allow', program: 'git', args: [] }, run('git push'), false],
    [{ decision: 'allow', program: 'git' }, run('./git push'), false],
    [{ decision: 'allow', program: 'a.b' }, run('axb'), false],
    [{ decision: 'allow', path: 'docs/*.md' }, write('docs/a/b.md'), false],
    [{ decision: 'allow', path: 'docs/**/*.md' }, write('docs/b.md'), true],
    [{ decision: 'allow', path: 'docs/**/*.md' }, write('docs/a/b.md'), true],
    [{ decision: 'allow', path: 'docs/**', use: 'read' }, write('docs/a.md'), false],
    [{ decision: 'deny', path: 'Docs/**' }, write('docs/a.md'), true],
    [{ decision: 'allow', path: '~/notes/**' }, write('/home/u/notes/x'), true],
    [{ decision: 'allow', path: '/w/src/*' }, write('src/x'), true],
    [{ decision: 'allow', host: '*.example.com' }, { kind: 'net', host: 'a.EXAMPLE.com.' }, true],
    [{ decision: 'allow', host: '*.example.com' }, { kind: 'net', host: 'example.com.evil.test' }, false],
    [{ decision: 'allow', host: 'example.com' }, { kind: 'net', host: 'exampleXcom' }, false],
  ])('%j against %j: %s', (rule, access, expected) => {
    // By the rule that decided, as a verdict may be the same with and without it.
    expect(judge([access], { user: [rule] }).rule === 'user/1').toBe(expected)
  })
})

describe('what "always" would add', () => {
  const suggest = (access: Access[]) => suggestRules({ tool: 'T', access, root: '/w' }, ASK)
  test('is the very command, in this repository, but for a message', () => {
    expect(suggest([run('git commit -m words')])).toEqual([
      { decision: 'allow', in: '/w', program: 'git', args: ['commit', '-m', '*'] },
    ])
  })
  test('is nothing for what cannot be undone, is not understood, or would take many rules', () => {
    expect(suggest([run('git clean -fdx', 'irreversible')])).toEqual([])
    expect(suggest([run('x', 'unknown')])).toEqual([])
    expect(suggest([run('a'), run('b'), run('c'), run('d')])).toEqual([])
    expect(suggest([{ kind: 'net', host: '*' }])).toEqual([])
  })
  test('is enough: the same call passes from then on', () => {
    const calls: Access[][] = [
      [run('npm run deploy'), { kind: 'net', host: 'example.com' }],
      [run('npm install x'), { kind: 'net', host: '*' }],
      [{ kind: 'create', path: 'src/new.ts', where: 'inside' }],
      [write('.npmrc', 'protected')],
    ]
    for (const access of calls) {
      expect(judge(access, {}).verdict).toBe('ask')
      expect(judge(access, { session: suggest(access) }).verdict).toBe('allow')
    }
  })
  test('never lets another line pass: not another file, nor another argument that looks like a pattern', async () => {
    const lines = [
      'echo a > a',
      'echo b > b',
      'echo a >> a',
      'touch a',
      "touch '*'",
      'touch b',
      'cp a b',
      'cp a c',
      'make x > y',
    ]
    const judged = await Promise.all(
      lines.map((line) => judgeCommand(line, { root: '/w', cwd: '/w', home: '/home/u' })),
    )
    const accesses = judged.map(({ accesses: own }) => own)
    for (const [index, access] of accesses.entries()) {
      const session = suggest(access)
      const passing = lines.filter(
        (_, at) =>
          judge(accesses[at] ?? [], {}).verdict === 'ask' && judge(accesses[at] ?? [], { session }).verdict === 'allow',
      )
      expect([[], [lines[index]]]).toContainEqual(passing)
    }
  })
})
