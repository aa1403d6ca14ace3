import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collect, input, start, testPostgres } from '@maru/testkit'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type History, importFile, type OwnHistory, openHistory, openJsonlStore } from '../../src/index.ts'
import { freshName } from '../pg/engines.ts'

let history: History
let own: OwnHistory
let directory = ''
let problems: string[] = []
// As the guard writes masks, for one value.
const mask = (text: string) => text.replaceAll('hunter2hunter2', '[secret:password:0123456789ab]')

beforeAll(async () => {
  history = await openHistory({ home: '', databaseUrl: await (await testPostgres()).createDatabase(), now: Date.now })
})
afterAll(() => history.close())
beforeEach(async () => {
  own = await history.open(freshName('importer'), { mask })
  directory = await mkdtemp(join(tmpdir(), 'maru-import-'))
  problems = []
})
afterEach(async () => {
  await own.log.close()
  await rm(directory, { recursive: true, force: true })
})

async function bring(name: string, content?: string, { isDry = false } = {}) {
  const path = join(directory, name)
  if (content !== undefined) await writeFile(path, content)
  const { format: _format, ...report } = await importFile(path, {
    own,
    mask,
    isDry,
    now: () => 1,
    signal: new AbortController().signal,
    isSensitive: (text) => mask(text) !== text,
    onProblem: ({ place, reason }) => problems.push(`${place}: ${reason}`),
  })
  return report
}

async function conversations() {
  const { items } = await own.conversations.list({ sort: 'created' })
  return Promise.all(
    items.map(async ({ id, title, service, project }) => ({
      id,
      title,
      service,
      project,
      said: (await own.conversations.messages(id)).flatMap(({ role, content }) =>
        role === 'note' ? [] : [`${role}: ${content}`],
      ),
    })),
  )
}

const NONE = { added: 0, grown: 0, same: 0, messages: 0, sensitive: 0, problems: 0 }

const node = (id: string, parent: string | null, children: string[], message: object | null) => ({
  [id]: { id, parent, children, message },
})
const says = (role: string, text: string, more: object = {}) => ({
  author: { role },
  create_time: 1_700_000_000,
  content: { content_type: 'text', parts: [text] },
  recipient: 'all',
  ...more,
})

function chatgpt({ isLonger = false } = {}) {
  return {
    title: isLonger ? '새 제목' : '서버 이야기',
    create_time: 1_699_999_999.5,
    conversation_id: 'c-1',
    current_node: 'b2',
    gizmo_id: 'g-1',
    mapping: {
      ...node('root', null, ['sys'], null),
      ...node('sys', 'root', ['q1'], says('system', '')),
      ...node('q1', 'sys', ['a1'], says('user', '웹서버 암호는 hunter2hunter2')),
      ...node('a1', 'q1', ['q2', 'q2b'], says('assistant', 'answer 1', { metadata: { model_slug: 'gpt-x' } })),
      ...node('q2', 'a1', ['call'], says('user', 'run it')),
      ...node('call', 'q2', ['out'], {
        ...says('assistant', ''),
        recipient: 'python',
        content: { content_type: 'code', text: '1+1' },
      }),
      ...node('out', 'call', isLonger ? ['a2'] : [], {
        ...says('tool', ''),
        content: { content_type: 'execution_output', text: '2' },
      }),
      ...(isLonger ? node('a2', 'out', [], says('assistant', 'it is 2')) : {}),
      ...node('q2b', 'a1', ['b2'], says('user', 'another way')),
      ...node('b2', 'q2b', [], {
        ...says('assistant', ''),
        content: { content_type: 'novel_kind', words: ['x'] },
      }),
    },
  }
}

test('a tree of ChatGPT becomes a conversation and a fork, once', async () => {
  const export1 = JSON.stringify([chatgpt()])
  expect(await bring('conversations.json', export1, { isDry: true })).toEqual({
    ...NONE,
    added: 2,
    messages: 6,
    sensitive: 1,
  })
  expect(await conversations()).toEqual([])
  expect(await bring('conversations.json')).toEqual({ ...NONE, added: 2, messages: 6, sensitive: 1 })
  const shared = ['user: 웹서버 암호는 [secret:password:0123456789ab]', 'assistant: answer 1']
  const [trunk, fork] = await conversations()
  expect(trunk).toMatchObject({
    title: '서버 이야기',
    service: 'chatgpt',
    said: [...shared, 'user: run it', 'assistant: '],
  })
  expect(fork).toMatchObject({ title: '서버 이야기', said: [...shared, 'user: another way', 'assistant: '] })
  const facts = await collect(own.log.read(trunk?.id ?? ''))
  expect(facts[0]).toMatchObject({ type: 'session-start', at: 1_699_999_999_500, agent: { externalId: 'c-1' } })
  expect(facts.find(({ type }) => type === 'foreign')).toMatchObject({ body: { value: { gizmo_id: 'g-1' } } })
  expect(facts.slice(-2)).toMatchObject([
    { type: 'message-add', parts: [{ type: 'call', callId: 'call', tool: 'python', args: { text: '1+1' } }] },
    { type: 'tool-end', callId: 'call', outcome: 'ok', at: 1_700_000_000_000, parts: [{ text: '2' }] },
  ])
  expect((await collect(own.log.read(fork?.id ?? ''))).at(-1)).toMatchObject({
    parts: [{ type: 'data', schema: 'chatgpt/novel_kind', value: { words: ['x'] } }],
  })
  // The mark is on the message, for whoever shows it.
  expect((await own.conversations.messages(trunk?.id ?? ''))[1]).toMatchObject({
    metadata: { sensitive: ['password'] },
  })
  expect(await bring('conversations.json')).toEqual({ ...NONE, same: 2 })
  expect(await bring('longer.json', JSON.stringify([chatgpt({ isLonger: true })]))).toEqual({
    ...NONE,
    grown: 2,
    messages: 1,
  })
  expect((await conversations())[0]).toMatchObject({ title: '새 제목', said: { length: 5, 4: 'assistant: it is 2' } })
  expect(await bring('longer.json')).toEqual({ ...NONE, same: 2 })
  expect(problems).toEqual([])
})

test('what a person erased, hid or added since stays so when the same file comes again', async () => {
  await bring('c.json', JSON.stringify([chatgpt()]))
  const [trunk] = await conversations()
  const id = trunk?.id ?? ''
  const before = await collect(own.log.read(id))
  const answer = before.find((fact) => fact.type === 'message-add' && fact.key === 'a1')
  await own.log.admit(id, input('mine', 'my own words'))
  await own.log.erase(id, answer?.seq)
  expect(await bring('c.json')).toMatchObject({ added: 0, grown: 0, messages: 0 })
  expect((await conversations())[0]?.said).toEqual([
    'user: 웹서버 암호는 [secret:password:0123456789ab]',
    'user: run it',
    'assistant: ',
    'user: my own words',
  ])
  await bring('c.json', JSON.stringify([chatgpt({ isLonger: true })]))
  expect((await conversations())[0]?.said.slice(-2)).toEqual(['user: my own words', 'assistant: it is 2'])
})

test('what cannot be read is named by its place, and the rest is kept', async () => {
  const text = `[{"broken": nope},\n${JSON.stringify(chatgpt())},\n{"mapping": {}},\n7]`
  expect(await bring('c.json', `\ufeff${text}`)).toMatchObject({ added: 2, problems: 3 })
  expect(problems).toEqual([
    expect.stringMatching(/^element 1 \(line 1\): it is no JSON/),
    'element 3 (line 3): a conversation without an id',
    'element 4 (line 4): it is no object',
  ])
  problems = []
  expect(await bring('x.json', '{"hello": 1}')).toMatchObject({ problems: 1 })
  await expect(bring('x.zip', 'PK\u0003\u0004')).rejects.toThrow('no zip archive')
})

test('a Claude export keeps branches, calls, thoughts and attached texts', async () => {
  const message = (uuid: string, parent: string, sender: string, content: object[], more: object = {}) => ({
    uuid,
    parent_message_uuid: parent,
    sender,
    created_at: '2026-01-02T03:04:05.678Z',
    text: 'flat',
    content,
    attachments: [],
    files: [],
    ...more,
  })
  const root = '00000000-0000-4000-8000-000000000000'
  const value = {
    uuid: 'u-1',
    name: '계획',
    created_at: '2026-01-02T03:04:05Z',
    account: { uuid: 'a' },
    chat_messages: [
      message('m1', root, 'human', [{ type: 'text', text: 'read this' }], {
        attachments: [{ file_name: 'a.txt', extracted_content: 'inside' }],
      }),
      message('m2', 'm1', 'assistant', [
        { type: 'thinking', thinking: 'hm' },
        { type: 'tool_use', name: 'search', input: { q: 'x' } },
        { type: 'tool_result', name: 'search', content: [{ type: 'text', text: 'found' }] },
        { type: 'text', text: 'done' },
      ]),
      message('m3', 'm2', 'human', []),
      message('m4', 'm1', 'assistant', [{ type: 'text', text: 'other' }]),
    ],
  }
  expect(await bring('conversations.json', JSON.stringify([value]))).toMatchObject({
    added: 2,
    messages: 4,
    problems: 0,
  })
  const [trunk, fork] = await conversations()
  expect(trunk?.said).toEqual(['user: read this', 'assistant: done', 'user: flat'])
  expect(fork?.said).toEqual(['user: read this', 'assistant: other'])
  const facts = await collect(own.log.read(trunk?.id ?? ''))
  const added = facts.filter(({ type }) => type === 'message-add' || type === 'tool-end')
  expect(added).toMatchObject([
    {
      parts: [{ type: 'text' }, { type: 'context', source: 'a.txt', text: 'inside' }],
      at: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
    },
    { parts: [{ type: 'reasoning', text: 'hm' }, { type: 'call', callId: 'm2#1', tool: 'search' }, { type: 'text' }] },
    { type: 'tool-end', callId: 'm2#1', parts: [{ text: 'found' }] },
    { parts: [{ text: 'flat' }] },
  ])
  expect(await bring('conversations.json')).toEqual({ ...NONE, same: 2 })
})

/** Lines as Claude Code writes them: a call that fails beside one that works, a way back, a helper. */
function claudeCode(): string[] {
  const id = '6c0fd3a1-58a5-4e43-9c51-0c0c4c0b7a11'
  let minute = 0
  const line = (type: string, uuid: string, parentUuid: string | null, more: object) =>
    JSON.stringify({
      parentUuid,
      isSidechain: false,
      cwd: '/work/app',
      sessionId: id,
      version: '2.1.0',
      type,
      uuid,
      timestamp: new Date(Date.UTC(2026, 5, 1, 10, minute++)).toISOString(),
      ...more,
    })
  const user = (content: unknown) => ({ message: { role: 'user', content } })
  const assistant = (content: object, output_tokens = 5) => ({
    message: {
      id: 'msg_1',
      role: 'assistant',
      model: 'claude-x',
      content: [content],
      stop_reason: 'tool_use',
      usage: { output_tokens },
    },
  })
  return [
    JSON.stringify({ type: 'file-history-snapshot', messageId: 'u1', snapshot: {} }),
    line('user', 'u1', null, user('테스트를 고쳐 주세요')),
    line('assistant', 'a1', 'u1', assistant({ type: 'thinking', thinking: 'look first', signature: 's' })),
    line(
      'assistant',
      'a2',
      'a1',
      assistant({ type: 'tool_use', id: 't1', name: 'Read', input: { file_path: 'a.ts' } }),
    ),
    line('assistant', 'a3', 'a2', assistant({ type: 'tool_use', id: 't2', name: 'Bash', input: { command: 'ls' } })),
    line('user', 'r1', 'a2', {
      ...user([{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'code' }] }]),
      toolUseResult: { file: { numLines: 1 } },
    }),
    line('user', 'r2', 'a3', user([{ type: 'tool_result', tool_use_id: 't2', content: 'no', is_error: true }])),
    line('assistant', 'a4', 'r2', assistant({ type: 'text', text: 'fixed' })),
    line('system', 's1', 'a4', { subtype: 'turn_duration', durationMs: 5 }),
    line('user', 'h1', null, { ...user('helper, look'), isSidechain: true }),
    line('assistant', 'h2', 'h1', { ...assistant({ type: 'text', text: 'looked' }), isSidechain: true }),
    line('user', 'u2', 's1', user('thanks')),
    line('user', 'u3', 'a4', user('no, another way')),
    line('assistant', 'a5', 'u3', assistant({ type: 'text', text: 'as you like' })),
    JSON.stringify({ type: 'summary', summary: '테스트 고치기', leafUuid: 'a5' }),
  ]
}

test('a session file of Claude Code keeps every message, call and time; a way back is a fork', async () => {
  const lines = claudeCode()
  expect(await bring('6c0fd3a1-58a5-4e43-9c51-0c0c4c0b7a11.jsonl', `${lines.join('\n')}\n`)).toMatchObject({
    added: 3,
    problems: 0,
  })
  const all = await conversations()
  expect(all.map(({ said }) => said)).toEqual([
    ['user: 테스트를 고쳐 주세요', 'assistant: ', 'assistant: ', 'assistant: fixed', 'user: thanks'],
    ['user: helper, look', 'assistant: looked'],
    [
      'user: 테스트를 고쳐 주세요',
      'assistant: ',
      'assistant: ',
      'assistant: fixed',
      'user: no, another way',
      'assistant: as you like',
    ],
  ])
  expect(all[0]).toMatchObject({ title: '테스트 고치기', project: '/work/app', service: 'claude-code' })
  const facts = await collect(own.log.read(all[0]?.id ?? ''))
  const at = (minute: number) => Date.UTC(2026, 5, 1, 10, minute)
  expect(facts.filter(({ type }) => type === 'message-add' || type === 'tool-end')).toMatchObject([
    { at: at(0) },
    {
      at: at(2),
      tokens: 5,
      model: 'claude-x',
      parts: [
        { type: 'reasoning', text: 'look first' },
        { type: 'call', callId: 't1', tool: 'Read', args: { file_path: 'a.ts' } },
      ],
    },
    { at: at(3), parts: [{ type: 'call', callId: 't2', tool: 'Bash' }] },
    { at: at(4), type: 'tool-end', callId: 't1', outcome: 'ok', parts: [{ text: 'code' }, { type: 'data' }] },
    { at: at(5), type: 'tool-end', callId: 't2', outcome: 'error' },
    { at: at(6) },
    { at: at(10) },
  ])
  // What is not understood is kept.
  expect(
    facts.filter(({ type }) => type === 'foreign').map((fact) => (fact.type === 'foreign' ? fact.body : 0)),
  ).toMatchObject([
    { place: 'line 1', value: { type: 'file-history-snapshot' } },
    { place: 'line 9', value: { subtype: 'turn_duration' } },
  ])
})

test('a session file that has grown adds the rest, however often and wherever it was cut', async () => {
  const name = '6c0fd3a1-58a5-4e43-9c51-0c0c4c0b7a11.jsonl'
  const lines = claudeCode().slice(0, -1)
  await writeFile(join(directory, name), '')
  for (const [n, line] of lines.entries()) {
    await appendFile(join(directory, name), `${line}\n`)
    // Thoughts alone would be told twice.
    if (n >= 3 && n % 2 === 1) await bring(name)
  }
  await bring(name)
  expect(await bring(name)).toMatchObject({ added: 0, grown: 0, same: 3, messages: 0 })
  const grown = await conversations()
  const other = await history.open(freshName('at once'))
  await own.log.close()
  own = other
  await bring(name)
  expect((await conversations()).map(({ said }) => said)).toEqual(grown.map(({ said }) => said))
})

test('a line that is broken is named, and the others are kept', async () => {
  const lines = claudeCode().with(7, '{"type":"assist')
  expect(await bring('s.jsonl', lines.join('\n'))).toMatchObject({ added: 2, problems: 1 })
  expect(problems).toEqual([expect.stringMatching(/^line 8: it is no JSON/)])
})

test('a rollout of Codex keeps what the model saw, calls with their results, times and tokens', async () => {
  let minute = 0
  const line = (type: string, payload: object) =>
    JSON.stringify({ timestamp: new Date(Date.UTC(2026, 2, 1, 9, minute++)).toISOString(), type, payload })
  const text = (role: string, words: string) => ({
    type: 'message',
    role,
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text: words }],
  })
  const lines = [
    line('session_meta', { id: 'codex-1', timestamp: '2026-03-01T09:00:00Z', cwd: '/app', originator: 'codex_cli' }),
    line('response_item', text('user', '<environment_context>\n<cwd>/app</cwd></environment_context>')),
    line('turn_context', { cwd: '/app', model: 'gpt-5-codex', effort: 'high' }),
    line('event_msg', { type: 'user_message', message: '고쳐 주세요' }),
    line('response_item', text('user', '고쳐 주세요')),
    line('response_item', {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'plan' }],
      encrypted_content: 'xx',
    }),
    line('response_item', { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'call_1' }),
    line('event_msg', { type: 'token_count', info: { last_token_usage: { output_tokens: 12 } } }),
    line('response_item', {
      type: 'function_call_output',
      call_id: 'call_1',
      output: JSON.stringify({ output: 'a.ts\n', metadata: { exit_code: 1, duration_seconds: 0.25 } }),
    }),
    line('turn_context', { cwd: '/app', model: 'gpt-5-codex', effort: 'high' }),
    line('response_item', text('assistant', '고쳤습니다')),
    line('event_msg', { type: 'agent_message', message: '고쳤습니다' }),
    line('event_msg', { type: 'turn_aborted', reason: 'interrupted' }),
    line('novelty', { a: 1 }),
  ]
  expect(await bring('rollout-2026.jsonl', lines.join('\n'))).toMatchObject({ added: 1, messages: 4, problems: 0 })
  const [one] = await conversations()
  expect(one).toMatchObject({ service: 'codex', project: '/app' })
  const facts = await collect(own.log.read(one?.id ?? ''))
  expect(facts.slice(1)).toMatchObject([
    { type: 'foreign' },
    { type: 'message-add', role: 'system' },
    { type: 'settings-change', model: 'gpt-5-codex', effort: 'high' },
    { type: 'foreign', body: { place: 'line 3' } },
    { type: 'message-add', role: 'user', at: Date.UTC(2026, 2, 1, 9, 4), parts: [{ text: '고쳐 주세요' }] },
    {
      type: 'message-add',
      role: 'assistant',
      at: Date.UTC(2026, 2, 1, 9, 6),
      tokens: 12,
      model: 'gpt-5-codex',
      parts: [
        { type: 'reasoning', text: 'plan' },
        { type: 'opaque' },
        { type: 'call', callId: 'call_1', args: { command: ['ls'] } },
      ],
    },
    { type: 'tool-end', callId: 'call_1', outcome: 'error', result: { exit: 1, ms: 250 }, parts: [{ text: 'a.ts\n' }] },
    { type: 'message-add', role: 'assistant', parts: [{ text: '고쳤습니다' }] },
    { type: 'foreign', body: { value: { payload: { type: 'turn_aborted' } } } },
    { type: 'foreign', body: { value: { type: 'novelty' } } },
  ])
  expect(await bring('rollout-2026.jsonl')).toEqual({ ...NONE, same: 1 })
})

test('a table of questions and answers becomes conversations by who asked and when, from CSV and SQL alike', async () => {
  const rows = [
    ['1', 'kim', '2026-01-01 10:00:00', '서버가 느려요', '확인하겠습니다', 'gpt-4', '30', 'ko'],
    ['2', 'lee', '2026-01-01 10:01:00', 'hello', 'hi', 'gpt-4', '3', 'en'],
    ['3', 'kim', '2026-01-01 10:20:00', 'it\'s, "quoted"', 'two\nlines', 'gpt-4', '4', 'ko'],
    ['4', 'kim', '2026-01-01 12:00:00', '다른 이야기', '네', 'gpt-4', '1', 'ko'],
    ['5', 'kim', 'not a time', 'x', 'y', 'gpt-4', '1', 'ko'],
  ]
  const header = ['id', 'user_id', 'created_at', 'prompt', 'response', 'model', 'tokens', 'locale']
  const csv = [header, ...rows].map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')
  expect(await bring('log.csv', csv)).toMatchObject({ added: 3, messages: 8, problems: 1 })
  expect(problems).toEqual(['line 7: "not a time" is no time'])
  const all = await conversations()
  expect(all.map(({ title, said }) => [title, ...said])).toEqual([
    [
      '서버가 느려요',
      'user: 서버가 느려요',
      'assistant: 확인하겠습니다',
      `user: it's, "quoted"`,
      'assistant: two\nlines',
    ],
    ['hello', 'user: hello', 'assistant: hi'],
    ['다른 이야기', 'user: 다른 이야기', 'assistant: 네'],
  ])
  const [first] = all
  const facts = await collect(own.log.read(first?.id ?? ''))
  expect(facts[2]).toMatchObject({ by: { id: 'kim' }, at: Date.UTC(2026, 0, 1, 10) })
  expect(facts[3]).toMatchObject({ model: 'gpt-4', tokens: 30, metadata: { locale: 'ko' } })
  // The same rows as statements are the same conversations.
  const quote = (cell: string) => `'${cell.replaceAll("'", "''")}'`
  const sql = `INSERT INTO usage_logs (${header.join(', ')}) VALUES\n${rows.map((row) => `(${row.map(quote).join(', ')})`).join(',\n')};`
  expect(await bring('log.sql', sql)).toMatchObject({ added: 0, grown: 0, same: 3, messages: 0, problems: 1 })
  const more = `${sql}\nINSERT INTO usage_logs (${header.join(', ')}) VALUES (${['6', 'kim', '2026-01-01 12:05:00', '더', '네', 'gpt-4', '1', 'ko'].map(quote).join()});`
  expect(await bring('log.sql', more)).toMatchObject({ grown: 1, same: 2, messages: 2 })
  problems = []
  expect(await bring('other.sql', `insert into t (a, b) values (1, 2);`)).toMatchObject({ problems: 1 })
  expect(problems).toEqual(['line 1: the columns of t are none of a log of questions and answers'])
})

test('a session of Maru comes in as it is, with its content; and as JSON, with what was said', async () => {
  const id = '01a1e225-f04b-7000-8000-000000000001'
  await mkdir(join(directory, 'sessions'))
  const files = openJsonlStore({ directory: join(directory, 'sessions'), now: () => 1_000 })
  await files.log.create(id, start)
  const blob = await files.blobs.put(id, `${'lorem '.repeat(4_000)}끝말`)
  await files.log.admit(id, { ...input('1'), parts: [{ type: 'text', text: 'lorem', blob }] } as ReturnType<
    typeof input
  >)
  await files.log.admit(id, input('2', 'secret hunter2hunter2'))
  expect(await bring(`sessions/${id}.jsonl`)).toEqual({ ...NONE, added: 1, messages: 2, sensitive: 1 })
  expect((await own.search('끝말')).hits).toMatchObject([{ conversation: id, seq: 2 }])
  expect(await collect(own.log.read(id))).toEqual(
    (await collect(files.log.read(id))).map((fact) => JSON.parse(mask(JSON.stringify(fact))) as object),
  )
  expect(await bring(`sessions/${id}.jsonl`)).toEqual({ ...NONE, same: 1 })
  await files.log.admit(id, input('3', 'more'))
  expect(await bring(`sessions/${id}.jsonl`)).toEqual({ ...NONE, grown: 1, messages: 1 })
  await files.log.close()
  const exported = {
    format: 'maru-conversation',
    version: 1,
    id,
    title: '제목',
    startedAt: 1_000_000_000_000,
    messages: [
      { kind: 'message', seq: 2, role: 'user', at: 1_000_000_000_000, text: 'do it' },
      {
        kind: 'message',
        seq: 5,
        role: 'assistant',
        at: 1_000_000_001_000,
        text: 'did it',
        calls: [
          {
            callId: 'c',
            tool: 'RunCommand',
            state: 'ok',
            result: { exit: 0, ms: 5 },
            args: { command: 'ls' },
            output: 'a',
          },
        ],
      },
    ],
  }
  expect(await bring('one.json', JSON.stringify(exported))).toMatchObject({ added: 1, messages: 2 })
  expect((await conversations()).find(({ title }) => title === '제목')?.said).toEqual([
    'user: do it',
    'assistant: did it',
  ])
  expect(await bring('one.json')).toEqual({ ...NONE, same: 1 })
})
