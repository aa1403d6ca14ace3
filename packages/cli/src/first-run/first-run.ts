import type { Invocation } from '../command.ts'
import { PROVIDERS, type Provider } from '../config/choices.ts'
import { userFile } from '../config/read-bytes.ts'
import { VARIABLES } from '../config/settings.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { printable } from '../terminal/printable.ts'
import { padTo, wrap } from '../terminal/width.ts'
import { keepSettings } from './keep-settings.ts'
import { type LinePrompt, openLinePrompt } from './line-prompt.ts'
import { findLocalModels, type LocalServer, USUAL_PLACES, type UsualPlace } from './local-models.ts'
import { readPastedKey } from './read-pasted-key.ts'

const COLUMNS = 78

/** Whether nothing says yet which model to talk to: neither a key for the chosen provider nor an address. */
export async function isUnconfigured(invocation: Invocation): Promise<boolean> {
  const { settings } = await invocation.config()
  return settings.keys[settings.provider] === undefined && settings.baseUrl === undefined
}

/**
 * One screen that says how to get a model, and does it where it can: `ready` means that the settings have changed and
 * the command may be tried again; else how to end. A person must be there to be asked.
 */
export async function firstRun(
  invocation: Invocation,
  { places = USUAL_PLACES, limitMs }: { readonly places?: readonly UsualPlace[]; readonly limitMs?: number } = {},
): Promise<'ready' | ExitCode> {
  const fixed = await providerThatStays(invocation)
  // What a flag or a variable asks for, no file changes: a model on this machine would not be used.
  const canBeLocal = fixed === undefined || fixed === 'openai-chat'
  const servers = canBeLocal ? await findLocalModels(invocation.signal, places, limitMs) : []
  const place = { invocation, prompt: openLinePrompt(invocation), fixed }
  try {
    await show(place, servers, canBeLocal ? places : [])
    for (;;) {
      const outcome = await choose(place, servers)
      if (outcome !== 'again') return outcome
    }
  } finally {
    place.prompt.close()
  }
}

interface Place {
  readonly invocation: Invocation
  readonly prompt: LinePrompt
  /** The provider that holds whatever is written into the file. */
  readonly fixed: Provider | undefined
}

type Outcome = 'ready' | 'again' | ExitCode

async function providerThatStays(invocation: Invocation): Promise<Provider | undefined> {
  const { settings, sources } = await invocation.config()
  const isFixed = sources['provider'] === 'flag' || sources['provider'] === 'environment'
  return isFixed ? settings.provider : undefined
}

async function show({ invocation, fixed }: Place, servers: readonly LocalServer[], asked: readonly UsualPlace[]) {
  const { home, stdout, style, t } = invocation
  const file = printable(userFile(home))
  const options = [
    fixed === undefined ? t('first.option.key', { file }) : t('first.option.key-of', { provider: fixed, file }),
    ...servers.map(({ name, url, models }) => t('first.option.local', { name, url, models: someOf(models) })),
    t('first.option.demo'),
  ]
  await stdout.line(`\n${style.bold(t('first.title'))}\n`)
  for (const [index, option] of options.entries()) {
    const [first = '', ...rest] = wrap(option, COLUMNS - 5)
    await stdout.line([`  ${style.cyan(`${index + 1}`)}  ${first}`, ...rest.map((line) => `     ${line}`)].join('\n'))
  }
  if (servers.length === 0 && asked.length > 0) {
    const list = asked.map(({ name, port }) => `${name} ${port}`).join(', ')
    await stdout.line(`\n${style.dim(wrap(t('first.no-local', { list }), COLUMNS).join('\n'))}`)
  }
  const variables = fixed ? [VARIABLES[fixed].key] : [VARIABLES.anthropic.key, VARIABLES.openai.key]
  const rows = [
    [variables.join(', '), t('first.own.variable')],
    [`maru config set keys.${fixed ?? 'anthropic'} -`, t('first.own.config')],
    ['maru doctor', t('first.own.doctor')],
  ] as const
  const width = Math.max(...rows.map(([left]) => left.length))
  await stdout.line(`\n${t('first.own')}`)
  for (const [left, right] of rows) await stdout.line(`  ${padTo(left, width)}  ${style.dim(right)}`)
  await stdout.line()
}

function someOf(models: readonly string[]): string {
  const [shown, hidden] = [models.slice(0, 3), models.length - 3]
  return shown.join(', ') + (hidden > 0 ? `, … +${hidden}` : '')
}

async function choose(place: Place, servers: readonly LocalServer[]): Promise<Outcome> {
  const { invocation, prompt } = place
  const { stdout, t } = invocation
  const count = servers.length + 2
  const said = await prompt.ask(t('first.choose', { count }))
  if (said === undefined || said.trim() === '') return left(prompt)
  const number = readNumber(said)
  const server = servers[number - 2]
  if (number === 1) return takeKey(place)
  if (server) return takeModel(place, server)
  if (number === count) return runDemo(place)
  await stdout.line(t('first.wrong-number', { count }))
  return 'again'
}

// At the end of the input nobody is there any more; an empty line is a decision. Neither has settled anything.
function left(prompt: LinePrompt): ExitCode {
  return prompt.isInterrupted() ? EXIT.interrupted : EXIT.usage
}

// Typed with a Korean or Japanese keyboard, digits may be wide ones.
function readNumber(said: string): number {
  return Number(said.normalize('NFKC').trim())
}

async function takeKey(place: Place): Promise<Outcome> {
  const { fixed, invocation, prompt } = place
  const { stdout, t } = invocation
  for (;;) {
    const said = await prompt.askSecretly(t('first.paste'))
    if (said === undefined) return left(prompt)
    const pasted = readPastedKey(said)
    if (!pasted) return 'again'
    if ('fault' in pasted) {
      await stdout.line(pasted.fault === 'odd' ? t('first.key-odd') : t('first.key-short'))
      continue
    }
    if (fixed && pasted.vendor === 'anthropic' && fixed !== 'anthropic') {
      await stdout.line(t('first.key-other', { provider: fixed }))
      continue
    }
    const provider = fixed ?? pasted.vendor ?? (await askVendor(place))
    if (provider === undefined) return prompt.isInterrupted() ? EXIT.interrupted : 'again'
    return keepKey(place, provider, pasted.key)
  }
}

async function askVendor({ invocation, prompt }: Place): Promise<Provider | undefined> {
  const { stdout, t } = invocation
  const vendors = PROVIDERS.filter((name) => name !== 'openai-chat')
  await stdout.line(t('first.whose'))
  for (const [index, name] of vendors.entries()) await stdout.line(`  ${index + 1}  ${name}`)
  return vendors[readNumber((await prompt.ask(t('first.choose', { count: vendors.length }))) ?? '') - 1]
}

async function keepKey({ invocation }: Place, provider: Provider, key: string): Promise<Outcome> {
  const { settings, sources } = await invocation.config()
  // Where the file names another provider, the key alone would change nothing.
  const isElsewhere = sources['provider'] === 'user' && settings.provider !== provider
  const file = await keepSettings(invocation, [
    ...(isElsewhere ? [{ path: ['provider'], value: provider }] : []),
    { path: ['keys', provider], value: key },
  ])
  await invocation.stdout.line(`${invocation.t('first.key-kept', { provider, file: printable(file) })}\n`)
  return 'ready'
}

async function takeModel({ invocation, prompt }: Place, { models, url }: LocalServer): Promise<Outcome> {
  const { stdout, t } = invocation
  if (models.length > 1) {
    for (const [index, name] of models.entries()) await stdout.line(`  ${`${index + 1}`.padStart(2)}  ${name}`)
  }
  const said = models.length > 1 ? await prompt.ask(t('first.choose', { count: models.length })) : '1'
  if (said === undefined) return left(prompt)
  const model = models[readNumber(said) - 1]
  if (model === undefined) return 'again'
  const file = await keepSettings(invocation, [
    { path: ['provider'], value: 'openai-chat' },
    { path: ['baseUrl'], value: url },
    { path: ['model'], value: model },
  ])
  await stdout.line(`${t('first.model-kept', { model, url, file: printable(file) })}\n`)
  return 'ready'
}

async function runDemo({ invocation, prompt }: Place): Promise<Outcome> {
  prompt.close()
  const { demo } = await import('../commands/demo.ts')
  return demo.run(invocation)
}
