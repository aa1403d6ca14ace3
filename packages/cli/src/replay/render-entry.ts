import { isMessageKey, type Translator } from '@maru/i18n'
import type { Actor, Entry, Json, MessageEntry, NoteEntry, Part, Step } from '@maru/protocol'
import { printable } from '../terminal/printable.ts'
import type { Style } from '../terminal/style.ts'
import { tellFailure } from '../terminal/tell-failure.ts'
import { tellProblem } from '../terminal/tell-problem.ts'
import { tellReason } from '../terminal/tell-reason.ts'

export interface RenderOptions {
  t: Translator
  style: Style
  /** Numbers, times, thoughts and what the tools returned. */
  isVerbose: boolean
}

/** An entry of the transcript as lines for a terminal, with a line feed behind each. */
export function renderEntry(entry: Entry, options: RenderOptions): string {
  const { style, isVerbose } = options
  const body = entry.kind === 'message' ? renderMessage(entry, options) : renderNote(entry, options)
  if (body === '') return ''
  const place = isVerbose ? style.dim(`#${entry.seq} ${timeOf(entry.at)}\n`) : ''
  return `${place}${body}\n`
}

function renderMessage(entry: MessageEntry, options: RenderOptions): string {
  const { t, style } = options
  const isUser = entry.role === 'user'
  const steps = new Map(entry.steps.map((step) => [step.callId, step]))
  const lines: string[] = []
  for (const part of entry.parts) {
    const step = part.type === 'call' ? steps.get(part.callId) : undefined
    const text = step ? renderStep(step, options) : renderPart(part, options)
    if (text !== '') lines.push(isUser ? style.bold(text.replace(/^/gm, '› ')) : text)
  }
  if (entry.failure)
    lines.push(
      style.red(t('replay.failure', { ...entry.failure, message: short(tellFailure(entry.failure.message, t)) })),
    )
  return lines.map((line) => `${line}\n`).join('')
}

function renderPart(part: Part, { t, style, isVerbose }: RenderOptions): string {
  switch (part.type) {
    case 'text':
    case 'result':
    case 'context':
      return (
        printable(part.text, { keepLines: true }) +
        (part.blob ? `\n${t('replay.cut', { bytes: part.blob.bytes })}` : '')
      )
    case 'reasoning':
      return isVerbose ? style.dim(`(${t('replay.thinking')}) ${printable(part.text, { keepLines: true })}`) : ''
    case 'image':
      return style.dim(`[${printable(part.mediaType)}]`)
    case 'file':
      return style.dim(`[${printable(part.name)}]`)
    case 'data':
      return style.dim(`[${printable(part.schema)}] ${short(JSON.stringify(part.value))}`)
    case 'call':
    case 'opaque':
      return ''
    default:
      return part satisfies never
  }
}

/** One calm line for a call, with what it was asked and what came of it below. */
export function renderStep(step: Step, { t, style, isVerbose }: RenderOptions): string {
  const lines = [`${style.cyan('[tool]')} ${printable(step.tool)}${args(step.args)} · ${outcome(step, t, style)}`]
  const { approval, question } = step
  const add = (text: string) => lines.push(style.dim(`  ${text}`))
  if (approval) {
    const { answer } = approval
    const decided = answer
      ? t('replay.decided', { option: tellOption(answer.option, t), who: name(answer.by) })
      : t('outcome.asked')
    add(
      `${t('replay.approval', { reason: short(tellReason(approval, t)) })} → ${decided}${answer?.words ? ` (${short(answer.words)})` : ''}`,
    )
  }
  if (question) add(t('replay.question', { question: short(question.question) }))
  if (question?.answer) add(renderAnswer(question.answer, t))
  for (const diagnostic of step.result?.diagnostics ?? [])
    add(style.red(`${printable(diagnostic.code)}: ${short(tellProblem(diagnostic, t))}`))
  for (const { path, before, after } of step.result?.files ?? []) {
    add(`${before ? (after ? '~' : '-') : '+'} ${printable(path)}`)
  }
  if (isVerbose) {
    for (const part of step.parts) {
      if (part.type === 'text' || part.type === 'result')
        add(printable(part.text, { keepLines: true }).replaceAll('\n', '\n  '))
    }
  }
  return lines.join('\n')
}

// A log may hold options that this version does not know.
function tellOption(option: string, t: Translator): string {
  const key = `decision.${option}`
  return isMessageKey(key) ? t(key as 'decision.allow') : printable(option)
}

function renderNote({ record, at }: NoteEntry, { t, style }: RenderOptions): string {
  const note = (text: string) => style.dim(`· ${text}\n`)
  switch (record.type) {
    case 'session-start': {
      const time = timeOf(at).slice(0, 16).replace('T', ' ')
      const place = record.cwd === undefined ? '' : ` · ${printable(record.cwd)}`
      const { forkOf } = record
      if (forkOf) return note(t('replay.fork', { id: printable(forkOf.id), seq: forkOf.seq, time }) + place)
      return note(t('replay.start', { time, door: t(`door.${record.door}`) }) + place)
    }
    case 'settings-change': {
      const { provider, model, mode, effort } = record
      const settings = [provider, model, mode, effort].filter((value) => value !== undefined)
      return note(t('replay.settings', { settings: printable(settings.join(' · ')) }))
    }
    case 'interrupt':
      return note(t('replay.interrupt', { who: name(record.by) }))
    case 'run-end':
      return note(
        t('replay.run-end', { reason: t(`ending.${record.reason}`) }) +
          (record.detail ? ` (${short(tellFailure(record.detail, t))})` : ''),
      )
    case 'message-hide':
      return note(t('replay.hidden', { seq: record.target }))
    case 'summary-add':
      return note(t('replay.summary', { ...record.covers, text: short(record.text) }))
    case 'files-restore':
      return note(t('replay.restored', { count: record.files.length }))
    case 'context-compact':
      return note(t('replay.compacted', { seq: record.keepFromSeq }))
    case 'context-reset':
      return note(t('replay.reset'))
    case 'session-move':
      return note(t('replay.moved'))
    case 'question-ask':
      return note(t('replay.question', { question: short(record.question) }))
    case 'question-answer':
      return note(renderAnswer(record, t))
    case 'foreign':
      return note(t('replay.foreign', { source: printable(record.source), body: short(JSON.stringify(record.body)) }))
    case 'erased':
      return note(t('replay.erased', { was: printable(record.was) }))
    case 'unknown':
      return note(t('replay.unknown', { kind: printable(record.kind), body: short(JSON.stringify(record.body)) }))
    default:
      return note(record.type)
  }
}

function renderAnswer({ answer, by }: NonNullable<NonNullable<Step['question']>['answer']>, t: Translator): string {
  const words =
    answer.kind === 'option'
      ? short(answer.option)
      : answer.kind === 'words'
        ? short(answer.words)
        : t('replay.cancelled')
  return t('replay.answer', { who: name(by), answer: words })
}

function outcome({ state, result }: Step, t: Translator, style: Style): string {
  const facts = [
    result?.exit === undefined ? '' : t('outcome.exit', { code: result.exit }),
    result?.ms === undefined ? '' : tellDuration(result.ms),
  ]
  const paint = state === 'ok' ? style.green : state === 'error' || state === 'denied' ? style.red : style.yellow
  return [paint(t(`outcome.${state}`)), ...facts.filter((fact) => fact !== '')].join(' · ')
}

function tellDuration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
}

function args(value: Json): string {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    return value === null ? '' : ` ${short(JSON.stringify(value))}`
  return Object.entries(value)
    .map(([key, inner]) => ` ${printable(key)}=${short(typeof inner === 'string' ? inner : JSON.stringify(inner))}`)
    .join('')
}

function name({ id, door }: Actor): string {
  return printable(door === undefined ? id : `${id}@${door}`)
}

// A log may say anything, also a time that no calendar has.
function timeOf(at: number): string {
  const date = new Date(at)
  return Number.isNaN(date.getTime()) ? String(at) : date.toISOString()
}

const SHORT = 120

function short(text: string): string {
  const cut = text.length > SHORT ? `${text.slice(0, SHORT).replace(/[\ud800-\udbff]$/, '')}…` : text
  return printable(cut)
}
