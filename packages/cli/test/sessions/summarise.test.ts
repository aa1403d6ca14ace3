import { type Script, startScriptedModel } from '@maru/scripted-model'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../run.ts'
import { conversation, makePlace } from './place.ts'

async function summarised(script: Script, ...args: string[]) {
  const place = await makePlace()
  place.put('s', conversation(place.repo))
  const model = await startScriptedModel({ script })
  onTestFinished(() => model.close())
  const env = { ...place.env, ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: model.url }
  const done = await run(['sessions', 'summarise', ...args], { env, cwd: place.repo })
  return { ...done, place, requests: model.requests }
}

test('a summary by hand is shown and kept in the log of its session', async () => {
  const { code, stdout, place, requests } = await summarised([{ reply: [{ text: 'The server was mended.' }] }], 's')
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'The server was mended.\n' })
  expect(JSON.stringify(requests[0]?.body)).toContain('서버를 고쳐 주세요')
  const facts = place.facts('s')
  const covers = { from: 1, to: facts.length - 1 }
  expect(facts.at(-1)).toMatchObject({ type: 'summary-add', covers, text: 'The server was mended.' })
})

test('a summary of few words is asked for in few words, and a script gets it as JSON', async () => {
  const { stdout, requests } = await summarised([{ reply: [{ text: 'Mended.' }] }], 's', '--words', '20', '--json')
  expect(JSON.parse(stdout)).toMatchObject({ session: 's', covers: { from: 1 }, text: 'Mended.' })
  expect(JSON.stringify(requests[0]?.body)).toContain('20')
})

test('without a key for a model it says at once what to do, in both languages', async () => {
  const place = await makePlace()
  place.put('s', conversation(place.repo))
  for (const [lang, words] of Object.entries({
    en: 'there is no key for anthropic',
    ko: 'anthropic의 키가 없습니다',
  })) {
    const env = { ...place.env, MARU_LANG: lang, ANTHROPIC_API_KEY: undefined }
    const { code, stdout, stderr } = await run(['sessions', 'summarise', 's'], { env, cwd: place.repo })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(words)
    expect(stderr).toContain('maru config set keys.anthropic -')
  }
  expect(place.facts('s').some(({ type }) => type === 'summary-add')).toBe(false)
})

test('a model that gives nothing leaves nothing behind, and a wrong number of words is named', async () => {
  const { code, place } = await summarised([{ error: { status: 401, message: 'no' } }], 's')
  expect(code).toBe(1)
  expect(place.facts('s').some(({ type }) => type === 'summary-add')).toBe(false)
  expect(await summarised([], 's', '--words', 'many')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('many'),
  })
})
