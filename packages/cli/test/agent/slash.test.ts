import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillOwnCommand, parseOwnCommand } from '../../src/agent/slash/own-commands.ts'
import { completeSlash, runSlash, slashCommands } from '../../src/agent/slash/run-slash.ts'
import { createHouse, slashPlace, type Talk, talk, wordsOf } from './talk.ts'

async function say({ conversation, idle }: Talk, words: string): Promise<void> {
  await conversation.say(words, 'steer')
  await idle()
}

test('everything that there is, is listed with what it does', async () => {
  const { place, shown } = slashPlace(await talk({ script: [] }))
  expect(await runSlash('/help', place)).toBe(true)
  for (const name of 'help model mode context compact diff undo fork resume export clear cost policy doctor lang quit'.split(
    ' ',
  )) {
    expect(shown.join('\n')).toMatch(new RegExp(`^  /${name}\\b.*  \\S`, 'm'))
  }
  expect(slashCommands).toHaveLength(new Set(slashCommands.map(({ name }) => name)).size)
})

test('what there is not is told with what was probably meant', async () => {
  const { place, shown } = slashPlace(await talk({ script: [] }))
  expect([await runSlash('/modle x', place), await runSlash('/\u001b[31mxyzzy', place)]).toEqual([false, false])
  expect(shown).toEqual([
    'there is no /modle; did you mean /model?',
    'there is no /\\x1b[31mxyzzy; /help lists what there is',
  ])
})

test('a model and a mode are named, or picked from a list; what is not wanted changes nothing', async () => {
  const talking = await talk({ script: [] })
  const { conversation } = talking
  const choices: (string | undefined)[] = ['claude-opus-5-5', 'read-only', undefined]
  const { place, picks, shown } = slashPlace(talking, () => choices.shift())
  await runSlash('/model claude-haiku-5-5', place)
  expect(conversation.settings.model).toBe('claude-haiku-5-5')
  await runSlash('/model', place)
  await runSlash('/mode', place)
  await runSlash('/mode', place)
  await runSlash('/effort high', place)
  expect(conversation.settings).toMatchObject({ model: 'claude-opus-5-5', mode: 'read-only', effort: 'high' })
  expect(picks[0]?.items.map(({ value }) => value)).toContain('claude-sonnet-5-5')
  expect(picks[0]?.items[0]).toMatchObject({ label: 'claude-haiku-5-5 ✓', value: 'claude-haiku-5-5' })
  expect(picks[1]?.items.map(({ value }) => value)).toEqual(['ask', 'auto', 'read-only', 'yes'])
  expect(shown).toContain('mode: read-only')
  await expect(runSlash('/mode maybe', place)).rejects.toThrow('there is no "maybe"; there are ask, auto')
  await expect(runSlash('/model a b', place)).rejects.toThrow('too many words')
})

test('another vendor is chosen with its model, if there is a key for it', async () => {
  const house = await createHouse({
    script: [{ reply: [{ text: 'Hi.' }], expect: { model: 'gpt-scripted' } }],
    env: { OPENAI_API_KEY: 'another-key-of-nobody' },
  })
  const talking = await house.open()
  const { conversation, heard } = talking
  const { place } = slashPlace(talking)
  await runSlash('/model openai gpt-scripted', place)
  await say(talking, 'hello')
  expect(house.model.requests.map(({ wire }) => wire)).toEqual(['responses'])
  expect(wordsOf(heard).at(-1)).toBe('‹ Hi.')
  expect(conversation.settings).toMatchObject({ provider: 'openai', model: 'gpt-scripted' })
})

test('an earlier session of the repository is found by its words and opened', async () => {
  const house = await createHouse({ script: [{ reply: [{ text: 'A.' }] }, { reply: [{ text: 'B.' }] }] })
  const first = await house.open()
  await say(first, 'mend the harbour')
  const id = first.conversation.sessionId
  await first.conversation.close()
  const second = await house.open()
  const { place, picks } = slashPlace(second, () => id)
  await say(second, 'something else')
  await runSlash('/resume', place)
  expect(picks[0]).toMatchObject({
    isSearchable: true,
    items: [{ label: 'mend the harbour', value: id, detail: expect.stringMatching(/1 turn$/) }],
  })
  expect(second.conversation.sessionId).toBe(id)
  expect(wordsOf(second.heard)).toEqual(['› mend the harbour', '‹ A.'])
})

test('a fork is begun before the message that is picked', async () => {
  const talking = await talk({ script: [{ reply: [{ text: 'A.' }] }, { reply: [{ text: 'B.' }] }] })
  await say(talking, 'one')
  await say(talking, 'two\n\u001b[31m')
  const { place, picks, shown } = slashPlace(talking, ({ items }) => items[1]?.value)
  const parent = talking.conversation.sessionId
  await runSlash('/fork', place)
  expect(picks[0]?.items.map(({ label }) => label)).toEqual(['(keep everything)', 'two \\x1b[31m', 'one'])
  expect(wordsOf(talking.heard)).toEqual(['› one', '‹ A.'])
  expect(shown[0]).toContain(`a fork of ${parent}`)
  await expect(runSlash('/fork early', place)).rejects.toThrow('/fork takes the number')
})

test('what was spent, what fills the context and what a command may do is told as it stands here', async () => {
  const talking = await talk({
    script: [{ reply: [{ text: 'A.' }], usage: { input: 1_234, output: 5 } }],
    args: ['--mode', 'read-only'],
  })
  await say(talking, 'one')
  const { place, shown } = slashPlace(talking)
  for (const line of ['/cost', '/context', '/policy', '/policy touch x']) await runSlash(line, place)
  const text = shown.join('\n')
  expect(text).toContain('input 1,234 tokens (0 % from the cache), output 5 tokens')
  expect(text).toContain('1,239 of 100,000 tokens, 1 %')
  expect(text).toContain('mode read-only, sandbox unknown')
  expect(text).toContain('denied  touch changes x')
})

test('the session is written to a file, and never over another one', async () => {
  const talking = await talk({ script: [{ reply: [{ text: 'The answer.' }] }] })
  await say(talking, 'a question')
  const { place } = slashPlace(talking)
  await runSlash('/export talk.md', place)
  expect(readFileSync(join(talking.repo, 'talk.md'), 'utf8')).toMatch(/a question[\s\S]*The answer\./)
  await expect(runSlash('/export talk.md', place)).rejects.toThrow('talk.md')
  await runSlash('/export', place)
  expect(existsSync(join(talking.repo, `maru-${talking.conversation.sessionId}.md`))).toBe(true)
})

test('a language, leaving, a diff of nothing and the doctor', async () => {
  const talking = await talk({ script: [] })
  const { place, said, shown } = slashPlace(talking)
  await runSlash('/lang ko', place)
  await expect(runSlash('/lang fr', place)).rejects.toThrow('there is no "fr"')
  await runSlash('/diff', place)
  await runSlash('/doctor', place)
  await runSlash('/quit', place)
  expect(said).toEqual({ language: 'ko', hasQuit: true })
  expect(shown[0]).toBe('the agent has changed nothing in this session')
  expect(shown.join('\n')).toMatch(/git \d/)
})

describe('one’s own commands', () => {
  const REVIEW = '---\ndescription: Looks at a file\n---\nLook at $1 and say what you think of $ARGUMENTS.\n'

  test('become words with what was typed behind them', async () => {
    const talking = await talk({
      files: { '.maru/commands/review.md': REVIEW, '.maru/commands/plain.md': 'Just do it.' },
      home: { 'commands/plain.md': 'Do it my way.' },
      script: [{ reply: [{ text: 'A.' }] }, { reply: [{ text: 'B.' }] }],
    })
    const { place } = slashPlace(talking)
    await runSlash('/review "a b.ts" and its tests', place)
    await talking.idle()
    await runSlash('/plain now', place)
    await talking.idle()
    expect(wordsOf(talking.heard)).toEqual([
      '› Look at a b.ts and say what you think of "a b.ts" and its tests.',
      '‹ A.',
      '› Do it my way.\n\nnow',
      '‹ B.',
    ])
    expect(await completeSlash('re', talking.invocation)).toEqual([
      expect.objectContaining({ label: '/resume', insert: '/resume' }),
      { label: '/review', insert: '/review ', detail: 'Looks at a file' },
    ])
  })

  test('are plain files of a plain name and no great length: nothing else is read', async () => {
    const house = await createHouse({
      script: [],
      files: {
        '.maru/commands/UPPER.md': 'no',
        '.maru/commands/a b.md': 'no',
        '.maru/commands/notes.txt': 'no',
        '.maru/commands/huge.md': 'x'.repeat(64 * 1024 + 1),
        '.maru/commands/model.md': 'no',
        '.maru/commands/good.md': 'yes',
      },
    })
    writeFileSync(join(house.path, 'diary.md'), 'a secret of mine')
    symlinkSync(join(house.path, 'diary.md'), join(house.repo, '.maru/commands/linked.md'))
    mkdirSync(join(house.repo, '.maru/commands/folder.md'))
    const talking = await house.open()
    const { place } = slashPlace(talking)
    const found = await completeSlash('', talking.invocation)
    const built = slashCommands.map(({ name }) => `/${name}`)
    expect(found.map(({ label }) => label).filter((label) => !built.includes(label))).toEqual(['/good'])
    expect(await runSlash('/linked', place)).toBe(false)
    expect(talking.heard.facts.some(({ record }) => record.type === 'input-admit')).toBe(false)
  })

  test('of a folder that is only linked into the repository are not read', async () => {
    const house = await createHouse({ script: [], files: { 'a.ts': '' } })
    mkdirSync(join(house.path, 'elsewhere/commands'), { recursive: true })
    writeFileSync(join(house.path, 'elsewhere/commands/bad.md'), 'no')
    symlinkSync(join(house.path, 'elsewhere'), join(house.repo, '.maru'))
    const talking = await house.open()
    expect(await completeSlash('bad', talking.invocation)).toEqual([])
  })

  test('whatever a file says, its words stay; whatever is typed, it is put in as it is', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, given) => {
        const { body } = parseOwnCommand(text)
        expect(text.replaceAll('\r\n', '\n')).toContain(body)
        expect(fillOwnCommand('<$ARGUMENTS>', given)).toBe(`<${given}>`)
        expect(fillOwnCommand('<$1>', `"$ARGUMENTS $2" ${given}`)).toBe('<$ARGUMENTS $2>')
        const plain = body.replaceAll('$', '')
        expect(fillOwnCommand(plain, '')).toBe(plain)
        expect(fillOwnCommand(plain, given)).toContain(given)
      }),
    )
    expect(parseOwnCommand('---\ndescription: "Quoted: yes"\nother: 1\n---\n\nBody\n')).toEqual({
      description: 'Quoted: yes',
      body: 'Body',
    })
    expect(parseOwnCommand('---\nno end\n')).toEqual({ description: '---', body: '---\nno end' })
    expect(fillOwnCommand('$10 $1', 'a')).toBe('$10 a')
  })
})
