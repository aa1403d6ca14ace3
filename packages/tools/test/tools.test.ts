import { RESULT_LIMIT, renderResult } from '@maru/agent'
import type { Answer, Question } from '@maru/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createTools } from '../src/index.ts'
import { codesOf, contextOf } from './bench-of-tools.ts'

const tools = createTools({ root: '/nonexistent', environment: {} }).list()
const call = async (name: string, args: Parameters<(typeof tools)[0]['prepare']>[0], context = contextOf()) => {
  const prepared = await tools.find(({ spec }) => spec.name === name)?.prepare(args, context)
  if (prepared === undefined) throw new Error(`no tool ${name}`)
  return { access: prepared.access, result: await prepared.run(context) }
}

describe('what the model is told of the tools', () => {
  test('names and effects', () => {
    expect(tools.map(({ spec }) => [spec.name, spec.effect])).toEqual([
      ['ListFiles', 'none'],
      ['ReadFile', 'none'],
      ['SearchText', 'none'],
      ['ApplyPatch', 'repeatable'],
      ['WriteFile', 'repeatable'],
      ['RunCommand', 'once'],
      ['CommandOutput', 'none'],
      ['RunTests', 'once'],
      ['GitStatus', 'none'],
      ['GitDiff', 'none'],
      ['GitLog', 'none'],
      ['AskUser', 'repeatable'],
      ['TodoList', 'none'],
    ])
  })

  test('is short, plain JSON and the same every time', () => {
    const text = JSON.stringify(tools.map(({ spec }) => spec))
    expect(text.length).toBeLessThan(6_500)
    const again = createTools({ root: '/', environment: {} }).list()
    expect(JSON.stringify(again.map(({ spec }) => spec))).toBe(text)
    for (const { spec } of tools) expect(spec.schema).toMatchObject({ type: 'object', additionalProperties: false })
  })

  test('no argument makes a tool throw', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...tools), fc.jsonValue(), async (tool, args) => {
        const prepared = await tool.prepare(JSON.parse(JSON.stringify(args)), contextOf())
        // The root does not exist: whatever was prepared cannot do harm.
        expect(typeof (await prepared.run(contextOf())).ok).toBe('boolean')
      }),
    )
  })
})

describe('AskUser', () => {
  const asking = (answer: Answer, asked: Question[] = []) =>
    contextOf({
      async ask(question) {
        asked.push(question)
        return answer
      },
    })

  test('asks what it was given, and gives back an option or words', async () => {
    const asked: Question[] = []
    const question = { question: '어느 쪽?', options: ['a', 'b'], allowFreeText: true }
    const chosen = await call('AskUser', question, asking({ kind: 'option', option: 'b' }, asked))
    expect(chosen).toEqual({ access: [{ kind: 'ask' }], result: { ok: true, data: { answer: 'b' } } })
    expect(asked).toEqual([question])
    const said = await call('AskUser', { question: 'Why?' }, asking({ kind: 'words', words: 'because' }))
    expect(said.result).toEqual({ ok: true, data: { answer: 'because' } })
  })

  test('a cancelled question is a result that says what to do', async () => {
    const { result } = await call('AskUser', { question: 'Why?' }, asking({ kind: 'cancel' }))
    expect(result.ok).toBe(false)
    expect(codesOf(result)).toEqual(['cancelled'])
  })

  test.each([
    { question: 'x', options: ['only one'] },
    { question: '' },
    { question: 'x', options: Array(11).fill('o') },
  ])('%j is not asked', async (args) => {
    const { access, result } = await call('AskUser', args)
    expect([access, codesOf(result)]).toEqual([[], ['bad-arguments']])
  })
})

describe('TodoList', () => {
  test('counts the plan and touches nothing', async () => {
    const items = [
      { text: 'a', status: 'done' },
      { text: 'b', status: 'doing' },
      { text: 'c', status: 'pending' },
    ]
    const { access, result } = await call('TodoList', { items })
    expect([access, result]).toEqual([[], { ok: true, data: { pending: 1, doing: 1, done: 1 } }])
  })

  test('one thing at a time', async () => {
    const doing = { text: 'a', status: 'doing' }
    expect(codesOf((await call('TodoList', { items: [doing, doing] })).result)).toEqual(['too-many-doing'])
    expect(codesOf((await call('TodoList', { items: [{ text: 'a', status: 'later' }] })).result)).toEqual([
      'bad-arguments',
    ])
  })
})

describe('a result as the model reads it', () => {
  test('how it ended, what to do, data, outputs', () => {
    const diagnostics = [{ code: 'timeout', message: 'Too slow.', hint: 'Do less.', details: { seconds: 3 } }]
    expect(renderResult({ ok: false, exit: 1, diagnostics, data: { a: [1] }, stdout: 'out', stderr: 'err' })).toBe(
      'failed (exit code 1)\ntimeout: Too slow. Do less. {"seconds":3}\n{"a":[1]}\nstdout:\nout\nstderr:\nerr',
    )
    expect(renderResult({ ok: true, stdout: '1\tx' })).toBe('ok\n1\tx')
    expect(renderResult({ ok: true })).toBe('ok')
  })

  test('never exceeds its limit, states every cut, and breaks no character', () => {
    const text = fc.nat(30_000).map((length) => '한🙂x'.repeat(length / 4))
    fc.assert(
      fc.property(text, text, text, text, (stdout, stderr, data, message) => {
        const rendered = renderResult({ ok: true, stdout, stderr, data, diagnostics: [{ code: 'c', message }] })
        expect(rendered.length).toBeLessThanOrEqual(RESULT_LIMIT)
        expect(Buffer.from(rendered).toString()).toBe(rendered)
        if (stdout.length > RESULT_LIMIT) expect(rendered).toContain('characters cut')
      }),
      { numRuns: 50 },
    )
  })
})
