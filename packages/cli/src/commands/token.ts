import type { Key } from '@maru/store'
import { drawColumns } from '../access/draw-columns.ts'
import { expectPerson, withKeeper } from '../access/with-keeper.ts'
import { CliError, usageError } from '../cli-error.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { localTime } from '../history/parse-time.ts'
import type { OptionTable } from '../option.ts'
import { parseAge } from '../sessions/prune-plan.ts'
import { printable } from '../terminal/printable.ts'

const SCOPES = ['read', 'write', 'run', 'admin'] as const
const options = {
  user: { kind: 'value', value: 'NAME', summary: 'option.token-user' },
  label: { kind: 'value', value: 'LABEL', summary: 'option.label' },
  scope: { kind: 'list', value: SCOPES.join('|'), choices: SCOPES, summary: 'option.scope' },
  expires: { kind: 'value', value: 'AGE', summary: 'option.expires' },
} as const satisfies OptionTable

type TokenInvocation = Invocation<typeof options>

/** What each action takes. */
const ACTIONS = {
  create: ['user', 'label', 'scope', 'expires'],
  list: ['user'],
  revoke: [],
} as const satisfies { [action: string]: readonly (keyof typeof options)[] }
type Action = keyof typeof ACTIONS
const names = Object.keys(ACTIONS) as Action[]

/** `maru token`: keys to the server for programs, each shown once. */
export const token = defineCommand({
  usage: ['token create [--user NAME] [--scope SCOPE]… [--expires AGE]', 'token list [--user NAME]', 'token revoke ID'],
  details: 'token.details',
  options,
  positionals: [
    { name: names.join('|'), choices: names },
    { name: 'ID', optional: true },
  ],
  async run(invocation): Promise<ExitCode> {
    const [action, id] = invocation.positionals as [Action, string | undefined]
    const { t } = invocation
    const help = 'maru token -h'
    expectFitting(invocation, action)
    if (action === 'revoke') {
      if (id === undefined) throw usageError(t('cli.missing', { argument: 'ID', help }))
      return revoke(invocation, id)
    }
    if (id !== undefined) throw usageError(t('cli.too-many', { argument: printable(id), help }))
    return action === 'create' ? create(invocation) : list(invocation)
  },
})

// One that is ignored in silence would make a token that is good for more than was meant.
function expectFitting({ options: given, t }: TokenInvocation, action: Action): void {
  for (const name of Object.keys(options) as (keyof typeof options)[]) {
    const value = given[name]
    const isGiven = Array.isArray(value) ? value.length > 0 : value !== undefined
    const isKnown = (ACTIONS[action] as readonly string[]).includes(name)
    if (isGiven && !isKnown)
      throw usageError(t('token.not-for', { option: `--${name}`, action, help: 'maru token -h' }))
  }
}

function create(invocation: TokenInvocation): Promise<ExitCode> {
  const { json, notice, options: given, stdout, t } = invocation
  const age = given.expires === undefined ? undefined : parseAge(given.expires)
  if (given.expires !== undefined && !age) {
    throw usageError(t('token.bad-age', { age: printable(given.expires) }))
  }
  return withKeeper(invocation, async (keeper) => {
    const { token: made, key } = await keeper.addToken({
      person: given.user === undefined ? undefined : await expectPerson(invocation, keeper, given.user),
      label: given.label ?? '',
      scopes: given.scope.length > 0 ? [...given.scope] : ['read', 'write', 'run'],
      expiresAt: age === undefined ? undefined : Date.now() + age,
    })
    const { id, person, expiresAt } = key
    if (json) {
      await stdout.line(JSON.stringify({ token: made, id, ...(expiresAt !== undefined && { expiresAt }) }))
      return EXIT.done
    }
    await stdout.line(made)
    await notice(t('token.made', { name: printable(person.name), id }))
    return EXIT.done
  })
}

function list(invocation: TokenInvocation): Promise<ExitCode> {
  const { json, notice, options: given, stdout, t } = invocation
  return withKeeper(invocation, async (keeper) => {
    const keys = await keeper.keys(
      given.user === undefined ? undefined : await expectPerson(invocation, keeper, given.user),
    )
    if (json) {
      const tokens = keys.map(({ person: { name }, ...key }) => ({ ...key, user: name }))
      await stdout.line(JSON.stringify({ tokens }))
      return EXIT.done
    }
    if (keys.length === 0) await notice(t('token.none'))
    for (const line of drawColumns(keys.map((key) => cellsOf(key, invocation)))) await stdout.line(line)
    return EXIT.done
  })
}

function cellsOf({ id, kind, person, label, scopes, expiresAt, lastUsedAt }: Key, { t }: Invocation): string[] {
  const end =
    expiresAt === undefined
      ? t('token.forever')
      : t(expiresAt > Date.now() ? 'token.until' : 'token.over', { time: localTime(expiresAt) })
  return [
    id,
    printable(person.name),
    t(kind === 'token' ? 'token.token' : 'token.browser'),
    scopes.join(','),
    end,
    lastUsedAt === undefined ? t('token.unused') : t('token.used', { time: localTime(lastUsedAt) }),
    printable(label),
  ]
}

function revoke(invocation: TokenInvocation, wanted: string): Promise<ExitCode> {
  const { json, stdout, t } = invocation
  return withKeeper(invocation, async (keeper) => {
    const meant = (await keeper.keys()).filter(({ id }) => wanted !== '' && id.startsWith(wanted.toLowerCase()))
    const [key] = meant
    if (!key || meant.length > 1 || !(await keeper.revoke(key))) {
      throw new CliError('no-such-token', t('token.unknown', { id: printable(wanted) }))
    }
    if (json) await stdout.line(JSON.stringify({ id: key.id, revoked: true }))
    else await stdout.line(t('token.revoked', { id: key.id }))
    return EXIT.done
  })
}
