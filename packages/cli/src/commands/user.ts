import { drawColumns } from '../access/draw-columns.ts'
import { askPassword, readPasswordLine } from '../access/read-password.ts'
import { expectPerson, withKeeper } from '../access/with-keeper.ts'
import { CliError, usageError } from '../cli-error.ts'
import { defineCommand, type Invocation } from '../command.ts'
import { EXIT, type ExitCode } from '../exit-code.ts'
import { localTime } from '../history/parse-time.ts'
import type { OptionTable } from '../option.ts'
import { confirm } from '../sessions/confirm.ts'
import { printable } from '../terminal/printable.ts'

const ACTIONS = ['add', 'list', 'log', 'password', 'remove'] as const
const options = {
  'password-stdin': { kind: 'flag', summary: 'option.password-stdin' },
  yes: { kind: 'flag', summary: 'option.sure' },
} as const satisfies OptionTable

type UserInvocation = Invocation<typeof options>

/** `maru user`: people of the history, each with a part of their own. */
export const user = defineCommand({
  usage: [
    'user add NAME [--password-stdin]',
    'user list',
    'user log [NAME]',
    'user password NAME [--password-stdin]',
    'user remove NAME [--yes]',
  ],
  details: 'user.details',
  options,
  positionals: [
    { name: ACTIONS.join('|'), choices: ACTIONS },
    { name: 'NAME', optional: true },
  ],
  async run(invocation): Promise<ExitCode> {
    const [action, name] = invocation.positionals as [(typeof ACTIONS)[number], string | undefined]
    const { t } = invocation
    const help = 'maru user -h'
    if (action === 'list') {
      if (name !== undefined) throw usageError(t('cli.too-many', { argument: printable(name), help }))
      return list(invocation)
    }
    if (action === 'log') return log(invocation, name)
    if (name === undefined) throw usageError(t('cli.missing', { argument: 'NAME', help }))
    switch (action) {
      case 'add':
        return add(invocation, name)
      case 'password':
        return changePassword(invocation, name)
      case 'remove':
        return remove(invocation, name)
      default:
        return action satisfies never
    }
  },
})

function add(invocation: UserInvocation, name: string): Promise<ExitCode> {
  const { json, stdout, t } = invocation
  return withKeeper(invocation, async (keeper) => {
    // Before anybody types a password in vain.
    if (await keeper.find(name)) throw taken(invocation, name)
    const password = await readPassword(invocation, t('user.password', { name: printable(name) }))
    const person = await keeper.add(name, password).catch((error: unknown) => {
      throw describe(error, invocation, name)
    })
    const hasPassword = password !== undefined
    if (json) await stdout.line(JSON.stringify({ id: person.id, name: person.name, hasPassword }))
    else await stdout.line(t(hasPassword ? 'user.added' : 'user.added-without', { name: printable(person.name) }))
    return EXIT.done
  })
}

function changePassword(invocation: UserInvocation, name: string): Promise<ExitCode> {
  const { json, stdout, t } = invocation
  return withKeeper(invocation, async (keeper) => {
    const person = await expectPerson(invocation, keeper, name)
    const password = await readPassword(invocation, t('user.new-password', { name: printable(name) }))
    if (password === undefined) throw usageError(t('user.password-needed'))
    await keeper.setPassword(person, password)
    if (json) await stdout.line(JSON.stringify({ id: person.id, name: person.name, hasPassword: true }))
    else await stdout.line(t('user.password-set', { name: printable(person.name) }))
    return EXIT.done
  })
}

async function readPassword(invocation: UserInvocation, question: string): Promise<string | undefined> {
  if (invocation.options['password-stdin']) return readPasswordLine(invocation)
  return invocation.isInteractive && !invocation.json ? askPassword(invocation, question) : undefined
}

function taken({ t }: Invocation, name: string): CliError {
  return new CliError('user-exists', t('user.exists', { name: printable(name) }))
}

function describe(error: unknown, invocation: Invocation, name: string): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error
  if (error.code === 'exists') return taken(invocation, name)
  return error.code === 'rejected' ? usageError(invocation.t('user.bad-name', { name: printable(name) })) : error
}

function list(invocation: UserInvocation): Promise<ExitCode> {
  const { json, stdout, style, t } = invocation
  return withKeeper(invocation, async (keeper) => {
    const people = await keeper.people()
    if (json) {
      const users = people.map(({ id, name, createdAt, hasPassword }) => ({ id, name, createdAt, hasPassword }))
      await stdout.line(JSON.stringify({ users }))
      return EXIT.done
    }
    const rows = people.map(({ id, name, createdAt, hasPassword }) => [
      printable(name),
      t('user.since', { time: localTime(createdAt) }),
      t(hasPassword ? 'user.has-password' : 'user.has-none'),
      id === keeper.me ? style.dim(t('user.you')) : '',
    ])
    for (const line of drawColumns(rows)) await stdout.line(line)
    return EXIT.done
  })
}

function log(invocation: UserInvocation, name: string | undefined): Promise<ExitCode> {
  const { json, stdout, style, t } = invocation
  return withKeeper(invocation, async (keeper) => {
    const notes = await keeper.notes(name === undefined ? undefined : await expectPerson(invocation, keeper, name))
    if (json) {
      await stdout.line(JSON.stringify({ notes }))
      return EXIT.done
    }
    const rows = notes.map(({ at, user: who, action, door, address, detail }) => [
      localTime(at),
      printable(who ?? ''),
      tellAction(action, t),
      style.dim(
        [door, address, detail]
          .map((text) => printable(text ?? ''))
          .filter(Boolean)
          .join(' '),
      ),
    ])
    for (const line of drawColumns(rows)) await stdout.line(line)
    return EXIT.done
  })
}

const TOLD = [
  'sign-in',
  'sign-in-failed',
  'sign-out',
  'key-made',
  'key-revoked',
  'user-add',
  'user-password',
  'user-remove',
  'approval-answered',
] as const

// What a later version writes is shown as it is.
function tellAction(action: string, t: Invocation['t']): string {
  const told = TOLD.find((one) => one === action)
  return told ? t(`did.${told}`) : printable(action)
}

function remove(invocation: UserInvocation, name: string): Promise<ExitCode> {
  const { json, options: given, stdout, t } = invocation
  return withKeeper(invocation, async (keeper) => {
    const person = await expectPerson(invocation, keeper, name)
    const shown = printable(person.name)
    // The next command of theirs would make them known again, with nothing.
    if (person.id === keeper.me) throw usageError(t('user.self', { name: shown }))
    const question = t('user.remove-this', { name: shown, count: await keeper.count(person) })
    if (!(await confirm(invocation, { question, isAnswered: given.yes }))) return EXIT.denied
    await keeper.remove(person)
    if (json) await stdout.line(JSON.stringify({ id: person.id, name: person.name, removed: true }))
    else await stdout.line(t('user.removed', { name: shown }))
    return EXIT.done
  })
}
