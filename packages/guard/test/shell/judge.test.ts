import { decide, judgeArgv, judgeCommand, loadJudge, tellWhy, WHY } from '@maru/guard'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const place = { cwd: '/w', root: '/w', home: '/home/u' }
const ask = { mode: 'ask', sandbox: 'none' } as const
const { judgeLine } = await loadJudge()

const verdictOf = (line: string, at = {}) => decide(judgeLine(line, { ...place, ...at }).accesses, ask).verdict

describe('a judgement', () => {
  test('names every command, what it touches, and why it is more than reading', async () => {
    const { accesses, reason, usesGit, tree } = await judgeCommand('git diff src | tee out.txt', place)
    expect(accesses).toEqual([
      { kind: 'read', path: 'src', where: 'inside' },
      { kind: 'run', program: 'git', argv: ['diff', 'src'], proven: 'read-only' },
      { kind: 'write', path: 'out.txt', where: 'inside' },
      {
        kind: 'run',
        program: 'tee',
        argv: ['out.txt'],
        proven: 'effects',
        why: { code: 'writes', program: 'tee', what: 'out.txt' },
      },
    ])
    expect(reason).toBe('tee writes out.txt')
    expect(usesGit).toBe(true)
    expect(tree).toEqual([
      {
        node: '|',
        children: [
          { run: 'git', argv: ['diff', 'src'], proven: 'read-only' },
          { run: 'tee', argv: ['out.txt'], proven: 'effects', why: 'writes' },
        ],
      },
    ])
  })

  test('of a program without a shell takes its words as they are', async () => {
    expect(await judgeArgv('cat', ['a b', '$(x)'], place)).toMatchObject({ reason: '' })
    expect((await judgeArgv('rm', ['-rf', '/'], place)).reason).toBe('rm could destroy /')
    expect((await judgeArgv('cat', ['.env'], place)).accesses[0]).toMatchObject({ kind: 'read', mark: 'secret' })
    expect((await judgeArgv('./x', [], place)).accesses).toMatchObject([{ proven: 'unknown' }])
  })

  test('gives hosts where they are literal, and any where they are not', () => {
    const hostsOf = (line: string) =>
      judgeLine(line, place).accesses.flatMap((access) => (access.kind === 'net' ? [access.host] : []))
    expect(hostsOf('curl -s https://user@api.example:8080/x')).toEqual(['api.example'])
    expect(hostsOf('curl https://a.example; wget b.example/c')).toEqual(['a.example', 'b.example'])
    expect(hostsOf('curl "$URL"')).toEqual(['*'])
    expect(hostsOf('npm install')).toEqual(['*'])
    expect(hostsOf('ls')).toEqual([])
  })

  test('has its own reason in the decision', () => {
    const { accesses } = judgeLine('ls; sort --compress-program=./x a', place)
    expect(decide(accesses, ask)).toMatchObject({
      verdict: 'deny',
      rule: 'built-in/hostile',
      reason:
        '--compress-program ./x makes sort run another program; run that one openly instead; every mode denies it',
      why: { code: 'runs-program', program: 'sort' },
    })
    expect(decide(judgeLine('cat .env', place).accesses, ask).reason).toBe('.env may hold secrets; mode ask asks first')
  })
})

describe('paths', () => {
  test('are judged from where the line has gone', () => {
    expect(verdictOf('cd src && cat ../a.txt')).toBe('allow')
    expect(verdictOf('cd src && cat ../../a.txt')).toBe('deny')
    expect(verdictOf('(cd src); cat ../a.txt')).toBe('deny')
    expect(verdictOf('cat a', { cwd: '/w/src' })).toBe('allow')
    expect(verdictOf('cat ../a', { cwd: '/w/src' })).toBe('allow')
    expect(verdictOf('cat ../../a', { cwd: '/w/src' })).toBe('deny')
  })

  test('are not proven where a cd may have failed', () => {
    expect(verdictOf('cd src; ls')).toBe('allow')
    expect(verdictOf('cd a/b/c; cat ../../../../etc/x')).toBe('deny')
    expect(verdictOf('cd a/b/c; cat ../../x')).toBe('ask')
    expect(verdictOf('cd "$x"; cat a')).toBe('ask')
  })

  test('that begin alike are not inside', () => {
    expect(verdictOf('cat /w-evil/a')).toBe('deny')
    expect(verdictOf('cat /w/a')).toBe('allow')
  })

  test('in another root of the user are inside too', () => {
    expect(verdictOf('cat /srv/docs/a')).toBe('deny')
    expect(verdictOf('cat /srv/docs/a', { extraRoots: ['/srv/docs'] })).toBe('allow')
    expect(verdictOf('rm -rf /srv/docs', { extraRoots: ['/srv/docs'] })).toBe('deny')
  })

  test('are followed where links are known', () => {
    const links: Record<string, string> = { '/w/out': '/etc', '/w/in': 'src', '/w/loop': 'loop', '/w/src/up': '../..' }
    const at = { readLink: (path: string) => links[path] }
    expect(verdictOf('cat out/passwd', at)).toBe('deny')
    expect(verdictOf('cat in/a.ts', at)).toBe('allow')
    expect(verdictOf('cat in/../a.ts', at)).toBe('allow')
    expect(verdictOf('cat out/../x', at)).toBe('deny')
    expect(verdictOf('cat src/up/x', at)).toBe('deny')
    expect(verdictOf('cd out && ls', at)).toBe('deny')
    expect(verdictOf('cat loop', at)).not.toBe('allow')
    // The workspace may itself be reached by a link.
    const linked = {
      root: '/home/u/w',
      cwd: '/home/u/w',
      readLink: (path: string) => (path === '/home/u/w' ? '/w' : undefined),
    }
    expect(verdictOf('cat a.ts', linked)).toBe('allow')
    expect(verdictOf('cat ../x', linked)).toBe('deny')
  })
})

describe('whatever comes', () => {
  test('a line is judged, and one that is not understood is not allowed', () => {
    const sign = fc.constantFrom(
      ...' \t\n;&|()<>{}[]$`"\'\\#!*?~=-+,./:abrmls0',
      '$(',
      '${',
      '((',
      '<<',
      '\0',
      '\r',
      '\u202e',
    )
    fc.assert(
      fc.property(fc.array(sign, { maxLength: 40 }), (signs) => {
        const line = signs.join('')
        const { accesses } = judgeLine(line, place)
        decide(accesses, ask)
        if (/[\0\r\u202e]/.test(line)) expect(decide(accesses, ask).verdict).not.toBe('allow')
      }),
      { numRuns: 2_000 },
    )
  })

  test('a grave command behind anything stays grave', () => {
    const before = fc.constantFrom(
      'ls',
      'git status',
      'x=1',
      'cd src',
      'f() { ls; }',
      'for i in 1; do ls; done',
      'true',
    )
    const glue = fc.constantFrom(';', '&&', '||', '|', '\n', '&')
    fc.assert(
      fc.property(fc.array(fc.tuple(before, glue), { maxLength: 6 }), (parts) => {
        expect(verdictOf(`${parts.flat().join(' ')} rm -rf /home/u`)).toBe('deny')
      }),
    )
  })

  test('limits fail to asking: length, depth, number', () => {
    expect(verdictOf(`echo ${'a'.repeat(3_900)}`)).toBe('allow')
    expect(verdictOf(`echo ${'a'.repeat(4_000)}`)).toBe('ask')
    expect(verdictOf(`echo ${'$('.repeat(30)}ls${')'.repeat(30)}`)).toBe('ask')
    expect(verdictOf(Array.from({ length: 500 }, () => ':').join(';'))).toBe('ask')
    const nested = Array.from({ length: 9 }).reduce<string>(
      (line) => `bash -c '${line.replaceAll("'", `'\\''`)}'`,
      'sudo ls',
    )
    expect(verdictOf(nested.slice(0, 4_000))).not.toBe('allow')
  })

  test('deep nesting takes no time', () => {
    const started = performance.now()
    for (const [open, close] of [
      ['echo $(', ')'],
      ['f() { ', '; f; f; }'],
      ['for i in {1..16}; do ', '; done'],
      ['eval ', ''],
    ]) {
      judgeLine(`${(open ?? '').repeat(60)}ls${(close ?? '').repeat(60)}`, place)
    }
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

test('every reason can be told', () => {
  for (const code of Object.keys(WHY)) expect(tellWhy({ code, program: 'p', what: 'w' })).toMatch(/^(?!.*\{)[^{]*[pw]/)
})
