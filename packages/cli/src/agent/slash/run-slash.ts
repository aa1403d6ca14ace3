import type { Completion } from '@maru/terminal'
import { nearest } from '../../nearest.ts'
import { printable } from '../../terminal/printable.ts'
import { displayWidth, padTo, wrap } from '../../terminal/width.ts'
import { fillOwnCommand, type OwnCommand, readOwnCommands } from './own-commands.ts'
import { sessionCommands } from './session-commands.ts'
import { settingsCommands } from './settings-commands.ts'
import type { SlashCommand, SlashPlace } from './slash.ts'
import { workCommands } from './work-commands.ts'

const help: SlashCommand = {
  name: 'help',
  summary: 'slash.help',
  async run(_argument, { invocation, show }) {
    const { style, stdout, t } = invocation
    const rows = await listSlash(invocation)
    const width = Math.max(...rows.map(({ usage }) => displayWidth(usage)))
    // What does not fit beside its command goes on below, where it began.
    const room = Math.max(20, stdout.columns - width - 4)
    const lines = rows.flatMap(({ usage, summary }) =>
      wrap(summary, room).map((row, at) => `  ${style.bold(padTo(at === 0 ? usage : '', width))}  ${style.dim(row)}`),
    )
    show([t('slash.help-title'), ...lines, '', t('slash.help-more')])
  },
}

const quit: SlashCommand = {
  name: 'quit',
  summary: 'slash.quit',
  async run(_argument, place) {
    place.quit()
  },
}

/** What can be said to Maru itself, in the order of help. */
export const slashCommands: readonly SlashCommand[] = [
  help,
  ...settingsCommands,
  ...sessionCommands,
  ...workCommands,
  quit,
]

/** Runs a line that begins with a slash. False where there is no such command; then it has been said. */
export async function runSlash(line: string, place: SlashPlace): Promise<boolean> {
  const [, name = '', argument = ''] = /^\/(\S*)\s*([\s\S]*)$/.exec(line.trim()) ?? []
  const command = slashCommands.find((one) => one.name === name)
  if (command) {
    await command.run(argument.trim(), place)
    return true
  }
  const { t } = place.invocation
  const own = await readOwnCommands(place.invocation)
  const found = own.find((one) => one.name === name)
  if (found) {
    await sayOwn(found, argument.trim(), place)
    return true
  }
  const meant = nearest(
    name,
    [...slashCommands, ...own].map((one) => one.name),
  )
  const named = { name: printable(name) }
  place.show([meant ? t('slash.unknown-meant', { ...named, meant }) : t('slash.unknown', named)])
  return false
}

async function sayOwn({ body, path }: OwnCommand, argument: string, place: SlashPlace): Promise<void> {
  const words = fillOwnCommand(body, argument)
  if (words.trim() === '') place.show([place.invocation.t('slash.empty', { path: printable(path) })])
  else await place.conversation.say(words, 'steer')
}

/** The commands that a beginning may mean, one's own among them. */
export async function completeSlash(
  prefix: string,
  invocation: SlashPlace['invocation'],
): Promise<readonly Completion[]> {
  const rows = await listSlash(invocation)
  return rows
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name, summary, needs }) => ({
      label: `/${name}`,
      insert: needs ? `/${name} ` : `/${name}`,
      detail: summary,
    }))
}

async function listSlash(invocation: SlashPlace['invocation']) {
  const { t } = invocation
  const own = await readOwnCommands(invocation)
  const built = slashCommands.map(({ name, argument, summary }) => {
    const usage = `/${name}${argument === undefined ? '' : ` ${argument}`}`
    return { name, usage, summary: t(summary), needs: argument?.startsWith('[') === false }
  })
  const names = new Set(built.map(({ name }) => name))
  return [
    ...built,
    ...own
      .filter(({ name }) => !names.has(name))
      .map(({ name, description, body }) => ({
        ...{ name, usage: `/${name}`, summary: printable(description).slice(0, 120) },
        needs: /\$(?:ARGUMENTS|\d)/.test(body),
      })),
  ]
}
