import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { usageError } from '../../cli-error.ts'
import { localTime } from '../../sessions/draw-list.ts'
import { printable } from '../../terminal/printable.ts'
import { borrowCommand } from './borrow-command.ts'
import type { SlashCommand, SlashPlace } from './slash.ts'

const context: SlashCommand = {
  name: 'context',
  summary: 'slash.context',
  argument: '[dropped]',
  async run(argument, { conversation, invocation, show }) {
    const [{ readContext }, { drawContext, drawDropped }] = await Promise.all([
      import('../../context/read-context.ts'),
      import('../../context/draw.ts'),
    ])
    const config = await invocation.config()
    const { model, provider } = conversation.settings as { model: string; provider: typeof config.settings.provider }
    const found = await readContext(conversation.session, {
      ...config,
      settings: { ...config.settings, model, provider },
    })
    show(argument === 'dropped' ? drawDropped(found, invocation) : drawContext(found, invocation))
  },
}

const compact: SlashCommand = {
  name: 'compact',
  summary: 'slash.compact',
  argument: '[WORDS]',
  async run(argument, { conversation, invocation, show }) {
    const tokens = await conversation.compact(argument || undefined)
    show([tokens ? invocation.t('context.compacted', tokens) : invocation.t('context.nothing')])
  },
}

const cost: SlashCommand = {
  name: 'cost',
  summary: 'slash.cost',
  async run(_argument, { conversation, invocation, show }) {
    const { t, lang } = invocation
    const { tokens, money, context: filled } = conversation.usage()
    const count = (value: number) => value.toLocaleString(lang)
    const cached = tokens.input > 0 ? Math.round((100 * (tokens.cacheRead ?? 0)) / tokens.input) : 0
    show([
      t('slash.cost-tokens', { input: count(tokens.input), cached, output: count(tokens.output) }),
      money === undefined
        ? t('slash.cost-unknown')
        : t('slash.cost-money', { money: `$${money.toFixed(money < 1 ? 4 : 2)}` }),
      t('slash.cost-context', { tokens: count(filled.tokens), limit: count(filled.limit) }),
    ])
  },
}

const fork: SlashCommand = {
  name: 'fork',
  summary: 'slash.fork',
  argument: '[SEQ]',
  async run(argument, place) {
    const { conversation, invocation, show } = place
    const { t } = invocation
    const chosen = argument || (await pickForkPoint(place))
    if (chosen === undefined) return
    const from = conversation.sessionId
    if (chosen !== HERE && !/^[1-9]\d{0,9}$/.test(chosen)) throw usageError(t('slash.fork-seq'))
    await conversation.fork(chosen === HERE ? undefined : Number(chosen))
    show([t('slash.forked', { from, id: conversation.sessionId })])
  },
}

const HERE = 'here'

async function pickForkPoint({ conversation, invocation, pick }: SlashPlace): Promise<string | undefined> {
  const { t } = invocation
  const { log, id } = conversation.session
  const items = []
  for await (const record of log.read(id)) {
    if (record.type !== 'input-admit') continue
    const words = record.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(' ')
    items.push({ label: short(words), detail: localTime(record.at), value: String(record.seq) })
  }
  const here = { label: t('slash.fork-here'), value: HERE }
  return pick({ title: t('slash.pick-fork'), items: [here, ...items.toReversed()], isSearchable: true })
}

const resume: SlashCommand = {
  name: 'resume',
  summary: 'slash.resume',
  argument: '[ID]',
  async run(argument, place) {
    const { conversation, show, invocation } = place
    const chosen = argument || (await pickSession(place))
    if (chosen === undefined) return
    await conversation.open(chosen)
    if (conversation.isLeftOpen) show([invocation.t('slash.left-open')])
  },
}

const SESSIONS_SHOWN = 200

async function pickSession({ conversation, invocation, pick }: SlashPlace): Promise<string | undefined> {
  const { t } = invocation
  const elsewhere = await conversation.others?.()
  if (elsewhere) {
    const items = elsewhere.map(({ id, name, detail }) => ({ label: short(name) || id, detail, value: id }))
    if (items.length === 0) throw usageError(t('slash.no-sessions'))
    return pick({ title: t('slash.pick-session'), isSearchable: true, items: items.slice(0, SESSIONS_SHOWN) })
  }
  const { listEverywhere } = await import('../../remote/served-rows.ts')
  const rows = await listEverywhere(invocation, { limit: SESSIONS_SHOWN })
  const others = rows.filter(({ id, inputs }) => id !== conversation.sessionId && inputs > 0)
  if (others.length === 0) throw usageError(t('slash.no-sessions'))
  return pick({
    title: t('slash.pick-session'),
    isSearchable: true,
    items: others.map(({ id, name, changedAt, turns }) => ({
      label: short(name),
      detail: t('slash.session-row', { time: localTime(changedAt), turns }),
      value: id,
    })),
  })
}

const clear: SlashCommand = {
  name: 'clear',
  summary: 'slash.clear',
  run: (_argument, { conversation }) => conversation.begin(),
}

const exportCommand: SlashCommand = {
  name: 'export',
  summary: 'slash.export',
  argument: '[FILE.md|json|html|txt|jsonl] [--metadata]',
  async run(argument, place) {
    const { directory, id } = place.conversation.session
    const words = argument.split(/\s+(?=--metadata$)/)
    const metadata = words.at(-1) === '--metadata'
    const output = (metadata ? words.slice(0, -1) : words).join(' ') || `maru-${id}.md`
    const { sessions } = await import('../../commands/sessions.ts')
    const file = join(directory, `${id}.jsonl`)
    // One that a server keeps is found by its id.
    const positionals = ['export', existsSync(file) ? file : id]
    place.show(await borrowCommand(sessions, place, { positionals, options: { output, metadata } }))
  },
}

const SHOWN = 70

function short(text: string): string {
  const line = text
    .slice(0, 4 * SHOWN)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return printable(line.length > SHOWN ? `${line.slice(0, SHOWN).replace(/[\ud800-\udbff]$/, '')}…` : line)
}

export const sessionCommands: readonly SlashCommand[] = [context, compact, cost, fork, resume, exportCommand, clear]
