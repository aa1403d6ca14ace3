import { allMessages, createTranslator } from '@maru/i18n'
import { expect, test } from 'vitest'
import { tellErrno } from '../src/terminal/tell-errno.ts'
import { tellFailure } from '../src/terminal/tell-failure.ts'
import { tellProblem } from '../src/terminal/tell-problem.ts'
import { tellReason } from '../src/terminal/tell-reason.ts'
import { tellResult } from '../src/terminal/tell-result.ts'

const ko = createTranslator('ko')
const en = createTranslator('en')

// As packages/providers and packages/agent write them into the log.
const failures: [message: string, told: string][] = [
  [
    'no connection to api.anthropic.com (ENOTFOUND): check the address and the network',
    'api.anthropic.com에 연결할 수 없습니다(ENOTFOUND). 주소와 네트워크를 확인하십시오',
  ],
  [
    'no connection to 127.0.0.1:1 (ECONNREFUSED): is the server running there? (tried 5 times)',
    '127.0.0.1:1에 연결할 수 없습니다(ECONNREFUSED). 서버가 실행 중인지 확인하십시오 (5번 시도했습니다)',
  ],
  [
    'x.example refused the key (HTTP 401): check ANTHROPIC_API_KEY: invalid x-api-key: really',
    'x.example이 키를 거부했습니다 (HTTP 401). ANTHROPIC_API_KEY를 확인하십시오 (서버의 말: invalid x-api-key: really)',
  ],
  ['x.example sent no event for 120 s: try again', 'x.example에서 120초 동안 응답이 없습니다. 다시 시도하십시오'],
  ['x.example: the stream ended before the model was done', 'x.example: 모델의 답이 끝나기 전에 응답이 끊어졌습니다'],
  [
    'x.example: the vendor reported: Overloaded (tried 2 times)',
    'x.example: 공급자가 오류를 알렸습니다 (서버의 말: Overloaded) (2번 시도했습니다)',
  ],
  ['the model refused to answer', '모델이 답하기를 거절했습니다'],
]

test.each(failures)('a failure is told in Korean, and in English as it is: %s', (message, told) => {
  expect(tellFailure(message, ko)).toBe(told)
  expect(tellFailure(message, en)).toBe(message)
})

test('every failure that the catalogue knows is recognised by its own English', () => {
  const all = Object.entries(allMessages()).filter(([key]) => key.startsWith('failure.'))
  const frames = ['failure.tried', 'failure.said', 'failure.at-host']
  const samples: { [name: string]: string } = { host: 'h.example', http: ' (HTTP 418)', status: '302', seconds: '9' }
  const unknown = all.flatMap(([key, { en: text }]) => {
    if (frames.includes(key)) return []
    const message = text.replaceAll(/\{(\w+)\}/g, (_, name: string) => samples[name] ?? 'ECODE')
    return /\p{Script=Hangul}/u.test(tellFailure(message, ko)) ? [] : [message]
  })
  expect(unknown).toEqual([])
  expect(all.length).toBeGreaterThan(30)
})

test('what nobody knows stays as it is', () => {
  for (const message of ['', 'some new trouble', 'a: b', 'x (tried 0 times)'])
    expect(tellFailure(message, en)).toBe(message)
  expect(tellFailure('some new trouble', ko)).toBe('some new trouble')
  expect(tellProblem({ code: 'brand-new', message: 'Something new.' }, ko)).toBe('Something new.')
})

test('a diagnostic is told by its code, and why a call was denied by the table', () => {
  const missing = { code: 'not-found', message: 'b.txt does not exist.' }
  expect([tellProblem(missing, ko), tellProblem(missing, en)]).toEqual(['찾을 수 없습니다', missing.message])
  const reason = 'the call reaches into the network; mode ask asks first (--yes would allow it)'
  expect(tellProblem({ code: 'denied', message: `needs approval and nobody is there to give it: ${reason}` }, ko)).toBe(
    '승인이 필요한데 물어볼 사람이 없어 거부되었습니다: 네트워크에 접속합니다',
  )
  expect(tellProblem({ code: 'denied', message: 'not allowed: the rule says so' }, ko)).toBe('정책이 허용하지 않습니다')
})

test('what a command touches is told in Korean where it is a phrase of the policy, and a path stays a path', () => {
  const told = (what: string) =>
    tellReason({ rule: 'built-in/catastrophe', reason: '', why: { code: 'catastrophe', program: 'kill', what } }, ko)
  expect(told('every process')).toBe('kill이 모든 프로세스를 없앨 수 있습니다')
  expect(told('/a b')).toContain('/a b')
})

test('a result by hand begins with how it ended, and keeps data and output', () => {
  const result = { ok: false, exit: 2, stdout: 'some output', diagnostics: [{ code: 'timeout', message: 'Too slow.' }] }
  expect(tellResult(result, ko)).toBe('오류 · 종료 코드 2\ntimeout: 시간이 너무 오래 걸렸습니다\nsome output')
  expect(tellResult(result, en)).toBe('failed (exit code 2)\ntimeout: Too slow.\nsome output')
})

test('why a file cannot be read is told in words, and by its code where there are none', () => {
  const told = (code: string) => tellErrno(Object.assign(new Error(`${code}: in English`), { code }), ko)
  expect(['ENOENT', 'EISDIR', 'EACCES', 'ELOOP'].map(told)).toEqual([
    '그런 파일이 없습니다',
    '디렉터리입니다',
    '권한이 없습니다',
    'ELOOP',
  ])
})
