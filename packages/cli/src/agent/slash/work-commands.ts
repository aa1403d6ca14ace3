import { printable } from '../../terminal/printable.ts'
import type { Style } from '../../terminal/style.ts'
import { borrowCommand } from './borrow-command.ts'
import type { SlashCommand } from './slash.ts'

const diff: SlashCommand = {
  name: 'diff',
  summary: 'slash.diff',
  async run(_argument, { conversation, invocation, show }) {
    const text = await conversation.diff()
    if (text.trim() === '') show([invocation.t('slash.no-diff')])
    else
      show(
        printable(text.trimEnd(), { keepLines: true })
          .split('\n')
          .map((line) => paintLine(line, invocation.style)),
      )
  },
}

function paintLine(line: string, style: Style): string {
  if (/^(diff|index|---|\+\+\+) /.test(line)) return style.bold(line)
  if (line.startsWith('@@')) return style.cyan(line)
  return line.startsWith('+') ? style.green(line) : line.startsWith('-') ? style.red(line) : line
}

const undo: SlashCommand = {
  name: 'undo',
  summary: 'slash.undo',
  async run(_argument, { conversation, invocation, show }) {
    const undone = await conversation.undo()
    const { drawUndone } = await import('../../undo/draw-undone.ts')
    const left = undone.left.length === 0 ? [] : [invocation.t('undo.left', { count: undone.left.length })]
    show([...drawUndone(undone, invocation), ...left])
  },
}

const policy: SlashCommand = {
  name: 'policy',
  summary: 'slash.policy',
  argument: '[COMMAND]',
  async run(argument, place) {
    const { mode, sandbox } = place.conversation.settings
    if (argument === '') {
      place.show([place.invocation.t('slash.policy-now', { mode, sandbox })])
      return
    }
    const { policy: command } = await import('../../commands/policy.ts')
    const held = sandbox === 'full' ? 'full' : 'none'
    place.show(await borrowCommand(command, place, { positionals: ['explain', argument], options: { sandbox: held } }))
  },
}

const doctor: SlashCommand = {
  name: 'doctor',
  summary: 'slash.doctor',
  async run(_argument, place) {
    const { doctor: command } = await import('../../commands/doctor.ts')
    place.show(await borrowCommand(command, place))
  },
}

export const workCommands: readonly SlashCommand[] = [diff, undo, policy, doctor]
