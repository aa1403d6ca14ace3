import type { Json } from '@maru/protocol'
import { sha256 } from '../sha256.ts'
import type { Row } from './csv-rows.ts'
import { countOf, present, textOf, timeOf } from './read-value.ts'
import type { ImportFact, ImportPart, ImportStep } from './steps.ts'

// What columns of such tables are called, the likeliest first.
const NAMES = {
  id: ['id', 'uuid', 'log_id', 'request_id', 'message_id'],
  user: [
    'user_id',
    'user',
    'username',
    'user_name',
    'owner',
    'owner_id',
    'email',
    'account',
    'employee_id',
    '사용자',
    '사용자id',
  ],
  at: [
    'created_at',
    'timestamp',
    'time',
    'created',
    'datetime',
    'date',
    'requested_at',
    'logged_at',
    'ts',
    '시각',
    '일시',
    '생성일시',
  ],
  role: ['role', 'sender', '역할'],
  content: ['content', 'message', 'text', 'body', '내용', '메시지'],
  prompt: ['prompt', 'question', 'input', 'request', 'query', 'user_message', 'user_input', '질문', '입력'],
  response: [
    'response',
    'answer',
    'output',
    'completion',
    'reply',
    'assistant_message',
    'result',
    '답변',
    '응답',
    '출력',
  ],
  model: ['model', 'model_name', 'model_id', '모델'],
  tokens: [
    'completion_tokens',
    'output_tokens',
    'response_tokens',
    'tokens',
    'total_tokens',
    'token_count',
    'tokens_used',
    '토큰',
  ],
  conversation: ['conversation_id', 'session_id', 'chat_id', 'thread_id', 'session', '대화id'],
  service: ['service', 'app', 'application', 'feature', 'endpoint', '서비스'],
} as const

type Field = keyof typeof NAMES

/** Which column holds what; nothing where a table does not look like a log of what was asked and answered. */
export function columnsOf(header: readonly (string | null)[]): { [F in Field]?: number } | undefined {
  const names = header.map((name) =>
    (name ?? '')
      .trim()
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_'),
  )
  const found: { [F in Field]?: number } = {}
  const taken = new Set<number>()
  for (const field of Object.keys(NAMES) as Field[]) {
    const place = NAMES[field].map((name) => names.indexOf(name)).find((at) => at >= 0 && !taken.has(at))
    if (place === undefined) continue
    found[field] = place
    taken.add(place)
  }
  const isSaid = found.prompt !== undefined || found.response !== undefined || found.content !== undefined
  return isSaid && found.at !== undefined ? found : undefined
}

/** Who says no more for so long has begun something else when he does. */
const PAUSE_MS = 30 * 60 * 1000

/**
 * Follows the rows of an older table of what was asked and answered, and groups them into conversations: by the one it
 * names, else by who asked and when. A conversation is named by its first row, so that a longer table gives the same.
 */
export class UsageLogReader {
  readonly #header: string[]
  readonly #columns: { [F in Field]?: number }
  readonly #open = new Map<string, { key: string; last: number }>()
  readonly #named = new Set<string>()

  constructor(header: readonly (string | null)[], columns: { [F in Field]?: number }) {
    this.#header = header.map((name) => name ?? '')
    this.#columns = columns
  }

  *take({ line, cells }: Row): Generator<ImportStep, void> {
    const get = (field: Field) => {
      const place = this.#columns[field]
      return place === undefined ? undefined : textOf(cells[place])
    }
    const place = `line ${line}`
    const at = timeOf(get('at'))
    if (at === undefined) {
      yield { kind: 'problem', place, reason: `"${get('at') ?? ''}" is no time` }
      return
    }
    const facts = this.#factsOf(cells, { get, key: get('id') ?? sha256(JSON.stringify(cells)).slice(0, 16) })
    if (facts.length === 0) {
      yield { kind: 'problem', place, reason: 'nothing was said in this row' }
      return
    }
    const key = yield* this.#placeOf({ get, at, facts })
    for (const fact of facts) yield { kind: 'fact', session: key, at, fact }
  }

  *#placeOf({
    get,
    at,
    facts,
  }: {
    get(field: Field): string | undefined
    at: number
    facts: ImportFact[]
  }): Generator<ImportStep, string> {
    const user = get('user') ?? ''
    const named = get('conversation')
    const [first] = facts
    const said = first?.type === 'message' ? first.parts.find((part) => part.type === 'text') : undefined
    const title = said?.type === 'text' ? said.text.split('\n', 1)[0]?.slice(0, 80) : undefined
    const session = {
      kind: 'session',
      source: 'usage-log',
      at,
      ...present({ title: title || undefined, cwd: undefined }),
    } as const
    if (named !== undefined) {
      const key = `${user}/${named}`
      if (!this.#named.has(key)) yield { ...session, key }
      this.#named.add(key)
      return key
    }
    const open = this.#open.get(user)
    if (open && Math.abs(at - open.last) <= PAUSE_MS) {
      open.last = Math.max(open.last, at)
      return open.key
    }
    const id = get('id') ?? (first?.type === 'message' ? first.key : '')
    const key = `${user}/${at}/${id}`
    if (open) yield { kind: 'settled', session: open.key }
    this.#open.set(user, { key, last: at })
    yield { ...session, key }
    return key
  }

  #factsOf(cells: Row['cells'], { get, key }: { get(field: Field): string | undefined; key: string }): ImportFact[] {
    const used = new Set(Object.values(this.#columns))
    const extra = this.#header.flatMap((name, n): [string, Json][] => {
      const value = cells[n]
      return used.has(n) || value === null || value === undefined || value === '' ? [] : [[name, value]]
    })
    const service = get('service')
    if (service !== undefined) extra.push(['service', service])
    const about = {
      model: get('model'),
      tokens: countOf(get('tokens')),
      metadata: extra.length > 0 ? (Object.fromEntries(extra) as Json) : undefined,
    }
    const who = present({ who: get('user') })
    const text = (value: string): ImportPart[] => [{ type: 'text', text: value }]
    const content = get('content')
    const [prompt, response] = [get('prompt'), get('response')]
    const facts: ImportFact[] = []
    if (prompt !== undefined)
      facts.push({ type: 'message', key: `${key} prompt`, role: 'user', parts: text(prompt), ...who })
    if (response !== undefined) {
      facts.push({
        type: 'message',
        key: `${key} response`,
        role: 'assistant',
        parts: text(response),
        ...present(about),
      })
    }
    if (content !== undefined) {
      const role = roleOf(get('role'))
      const more = role === 'assistant' ? present(about) : { ...who, ...present({ metadata: about.metadata }) }
      facts.push({ type: 'message', key, role, parts: text(content), ...more })
    }
    return facts
  }
}

function roleOf(role: string | undefined): 'user' | 'assistant' | 'system' {
  if (role === undefined || /^(user|human|person|사용자)/i.test(role)) return 'user'
  return /^(assistant|ai|bot|model|gpt|claude)/i.test(role) ? 'assistant' : 'system'
}
