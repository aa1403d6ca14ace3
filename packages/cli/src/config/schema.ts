import type { MessageKey } from '@maru/i18n'
import * as z from 'zod/mini'
import { isHostName } from '../serve/addresses.ts'
import { isPlainUrl, MODES, PROVIDERS } from './choices.ts'

// The `error` of each schema is the key of the message that says what is expected there.
function must<Key extends Extract<MessageKey, `config.must.${string}`>>(key: Key): Key {
  return key
}

const text = z.string(must('config.must.text')).check(z.minLength(1, must('config.must.text')))
const count = z.int(must('config.must.count')).check(z.positive(must('config.must.count')))
const amount = z.number(must('config.must.amount')).check(z.nonnegative(must('config.must.amount')))
const flag = z.boolean(must('config.must.flag'))
const object = must('config.must.object')
const opt = z.exactOptional

const Price = z.strictObject(
  { input: amount, output: amount, cacheRead: opt(amount), cacheWrite: opt(amount) },
  must('config.must.price'),
)

/** What is known of a model that our own table does not know, or knows differently. Prices are dollars per million. */
const Model = z.strictObject(
  {
    window: opt(count),
    outputLimit: opt(count),
    price: opt(Price),
    headers: opt(z.record(z.string(), text, object)),
    effort: opt(text),
    vision: opt(flag),
  },
  object,
)

/** A key itself, or a command that prints one. */
const Key = z.union([text, z.strictObject({ command: text })], must('config.must.key'))
export type Key = z.infer<typeof Key>

const texts = z.array(text, must('config.must.list'))

/** One rule of the policy; what a rule means is the guard's to say. */
const Rule = z.strictObject(
  {
    decision: z.enum(['allow', 'ask', 'deny']),
    tool: opt(text),
    program: opt(text),
    args: opt(z.array(z.string(must('config.must.text')), must('config.must.list'))),
    path: opt(text),
    use: opt(z.enum(['read', 'write'])),
    host: opt(text),
    in: opt(text),
    because: opt(text),
    examples: opt(z.strictObject({ match: opt(texts), not: opt(texts) }, object)),
  },
  object,
)
const rules = z.array(Rule, must('config.must.rules'))

const hasPlace = (endpoint: string) => endpoint.includes('{query}') && isPlainUrl(endpoint.replaceAll('{query}', 'x'))
const WebSearch = z.strictObject(
  {
    endpoint: z.string(must('config.must.search')).check(z.refine(hasPlace, must('config.must.search'))),
    header: opt(z.string(must('config.must.header')).check(z.regex(/^[\w-]+:\s*\S/, must('config.must.header')))),
  },
  object,
)

const url = z.string(must('config.must.url')).check(z.refine(isPlainUrl, must('config.must.url')))
const port = z
  .int(must('config.must.port'))
  .check(z.minimum(0, must('config.must.port')), z.maximum(65_535, must('config.must.port')))

const hostName = z.string(must('config.must.host')).check(z.refine(isHostName, must('config.must.host')))

/** What `maru serve` does without being told on its command line. */
const Serve = z.strictObject(
  {
    host: opt(text),
    port: opt(port),
    roots: opt(texts),
    origins: opt(z.array(url, must('config.must.list'))),
    hosts: opt(z.array(hostName, must('config.must.list'))),
    messagesPerMinute: opt(count),
  },
  object,
)

/** `$MARU_HOME/config.json`: what one person has chosen. */
export const UserConfig = z
  .strictObject(
    {
      provider: opt(z.enum(PROVIDERS)),
      model: opt(text),
      baseUrl: opt(url),
      keys: opt(z.strictObject({ anthropic: opt(Key), openai: opt(Key), 'openai-chat': opt(Key) }, object)),
      models: opt(z.record(z.string(), Model, object)),
      mode: opt(z.enum(MODES)),
      lang: opt(z.enum(['ko', 'en'])),
      effort: opt(text),
      maxTurns: opt(count),
      limits: opt(z.strictObject({ tokens: opt(count), seconds: opt(count), money: opt(amount) }, object)),
      disk: opt(z.strictObject({ maxMegabytes: opt(count) }, object)),
      // Tokens that a request may have; and whether old turns are condensed by themselves when there are more.
      contextLimit: opt(count),
      autoCompact: opt(flag),
      // Whether the vendor's own events are kept beside the log.
      raw: opt(flag),
      rules: opt(rules),
      sandbox: opt(z.enum(['on', 'off'])),
      // Seconds; without an answer by then, an approval is a no.
      approvalTimeout: opt(count),
      web: opt(z.strictObject({ fetch: opt(flag), search: opt(WebSearch) }, object)),
      serve: opt(Serve),
    },
    object,
  )
  .check(
    z.refine(({ baseUrl, provider }) => baseUrl === undefined || provider !== undefined, {
      error: must('config.must.have-provider'),
      path: ['baseUrl'],
    }),
  )
export type UserConfig = z.infer<typeof UserConfig>

/** `maru.json` in a repository: it describes the project and can widen nothing. */
export const ProjectConfig = z.strictObject(
  {
    test: opt(z.union([text, z.strictObject({ command: text, cwd: opt(text) })], must('config.must.test'))),
    ignore: opt(texts),
    rules: opt(rules),
  },
  object,
)
export type ProjectConfig = z.infer<typeof ProjectConfig>

/** A kind of config file: its schema, and which keys belong into the other kind. */
export interface Shape<T> {
  readonly schema: z.ZodMiniType<T>
  readonly keys: readonly string[]
  readonly foreign: { readonly keys: readonly string[]; readonly kind: 'user-only' | 'project-only' }
}

const userKeys = Object.keys(UserConfig.shape)
const projectKeys = Object.keys(ProjectConfig.shape)

export const userShape: Shape<UserConfig> = {
  schema: UserConfig,
  keys: userKeys,
  foreign: { keys: projectKeys, kind: 'project-only' },
}

export const projectShape: Shape<ProjectConfig> = {
  schema: ProjectConfig,
  keys: projectKeys,
  foreign: { keys: userKeys, kind: 'user-only' },
}
