import type { Invocation } from '../command.ts'
import { printable } from '../terminal/printable.ts'
import { displayWidth, padTo } from '../terminal/width.ts'
import { cutTo, dollars, localTime, shortId } from './draw-list.ts'
import type { Portrait } from './read-portrait.ts'

type Drawing = Pick<Invocation, 't' | 'style' | 'lang' | 'stdout'>

const SHOWN = 20

/** A session's portrait as lines for a terminal. */
export function drawPortrait(portrait: Portrait, drawing: Drawing): string[] {
  const { row, forks, files } = portrait
  const { t, style } = drawing
  const rows = factsOf(portrait, drawing)
  const width = Math.max(...rows.map(([name]) => displayWidth(name)))
  const lines = [
    style.bold(printable(row.name) || t('sessions.nameless')),
    ...rows.map(([name, value]) => `  ${style.dim(padTo(name, width))}  ${value}`),
  ]
  lines.push(...section(t('sessions.said'), saidLines(portrait, drawing), drawing))
  const changes = files.map(({ path, before, after }) => `${before ? (after ? '~' : '-') : '+'} ${printable(path)}`)
  lines.push(...section(t('sessions.files'), changes.slice(0, SHOWN), drawing))
  if (changes.length > SHOWN) lines.push(`  … ${changes.length - SHOWN}`)
  const children = forks.map(({ id, seq, name }) => `${printable(shortId(id))}  #${seq}  ${printable(name)}`)
  return [...lines, ...section(t('sessions.forks'), children, drawing)]
}

function section(title: string, lines: readonly string[], { style }: Drawing): string[] {
  return lines.length === 0 ? [] : ['', style.bold(title), ...lines.map((line) => `  ${line}`)]
}

function factsOf(
  { row, file, facts, diskBytes, settings, tools }: Portrait,
  { t, lang }: Drawing,
): [name: string, value: string][] {
  const { usage, cost, forkOf, cwd, isRunning, isOpen, isDamaged } = row
  const { provider, model, mode, effort } = settings
  const count = (value: number) => value.toLocaleString(lang)
  const calls = Object.entries(tools).map(([tool, times]) => `${printable(tool)} ${times}`)
  const spent = t('export.usage', { input: count(usage.input), output: count(usage.output) })
  const state = isRunning ? t('sessions.running') : isOpen ? t('sessions.open') : ''
  const rows: [string, string][] = [
    [t('export.session'), printable(row.id)],
    [t('export.started'), localTime(row.startedAt)],
    [t('export.changed'), localTime(row.changedAt) + (state === '' ? '' : ` · ${state}`)],
    [t('export.directory'), printable(cwd ?? '')],
    [t('export.fork-of'), forkOf ? `${printable(forkOf.id)} #${forkOf.seq}` : ''],
    [t('sessions.settings'), printable([provider, model, mode, effort].filter(Boolean).join(' · '))],
    [t('export.turns'), count(row.turns)],
    [t('export.tokens'), cost === undefined ? spent : `${spent} · ${dollars(cost)}`],
    [t('sessions.calls'), calls.join(', ')],
    [t('sessions.size'), t('sessions.size-of', { facts: count(facts), kilobytes: count(Math.ceil(diskBytes / 1024)) })],
    [t('sessions.file'), printable(file)],
    [t('sessions.damage'), isDamaged ? t('sessions.damaged') : ''],
  ]
  return rows.filter(([, value]) => value !== '')
}

function saidLines({ said }: Portrait, { stdout }: Drawing): string[] {
  const shown = said.slice(-SHOWN)
  const places = shown.map(({ seq, until }) => (seq === until ? `#${seq}` : `#${seq}–${until}`))
  const width = Math.max(0, ...places.map((place) => place.length))
  const lines = shown.map(({ at, words }, index) => {
    const left = `${padTo(places[index] ?? '', width)}  ${localTime(at)}  `
    return left + cutTo(printable(words), Math.max(20, stdout.columns - displayWidth(left) - 3))
  })
  return said.length > shown.length ? [`… ${said.length - shown.length}`, ...lines] : lines
}
