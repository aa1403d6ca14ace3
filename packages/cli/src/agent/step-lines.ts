import type { Translator } from '@maru/i18n'
import type { Json, Preview, Step } from '@maru/protocol'
import { cutText, renderDiff, type TextStyle, widthOf, wrapText } from '@maru/terminal'
import { renderStep } from '../replay/render-entry.ts'
import { printable } from '../terminal/printable.ts'

export interface StepWords {
  readonly t: Translator
  readonly style: TextStyle
  readonly width: number
  readonly isVerbose?: boolean
}

/** A change that is shown whole without being asked for. */
const SMALL_DIFF = 20
/** What even an expanded call may take. */
const EXPANDED_LINES = 400
const SHORTEST_ARGUMENT = 12
const SHOWN_ARGUMENT = 120

/** A call that has ended: one line, what there is to say below it, and a small change itself. */
export function stepLines(step: Step, preview: Preview | undefined, words: StepWords): string[] {
  const { t, style, width, isVerbose = false } = words
  const lines = wrapStep(renderStep(fitArguments(step, words), { t, style, isVerbose }), width)
  if (step.state === 'error' && step.result?.exit !== undefined) return [...lines, ...lastOutput(step, words)]
  const change = step.state === 'ok' ? changeOf(step, preview) : undefined
  if (step.tool === 'TodoList' && step.state === 'ok') return [...lines, ...todoLines(step.args, words)]
  if (change === undefined) return lines
  const { added, removed } = countChange(change)
  if (added + removed === 0) return lines
  if (added + removed > SMALL_DIFF) {
    return [...lines, style.dim(`  ${t('screen.big-change', { added, removed })}`)]
  }
  const isOne = (step.result?.files?.length ?? 0) <= 1
  // The call above says which file it is.
  const only = isOne ? 'lines' : 'files'
  return [...lines, ...renderDiff(change, { style, width: Math.max(20, width - 2), only }).map((line) => `  ${line}`)]
}

const LAST_OUTPUT = 6

// Why a command failed mostly stands at its end.
function lastOutput({ parts }: Step, { style, width }: StepWords): string[] {
  const text = parts.flatMap((part) => (part.type === 'text' || part.type === 'result' ? [part.text] : [])).join('\n')
  const rows = printable(text.trimEnd(), KEEP).split('\n').slice(-LAST_OUTPUT)
  return rows.filter((row) => row.trim() !== '').map((row) => style.dim(cutText(`  ${row}`, width)))
}

/** A call with everything that was asked of it and came back, as far as that can be read. */
export function expandedStep(
  step: Step,
  preview: Preview | undefined,
  words: StepWords & { session: string },
): string[] {
  const { t, style, width, session } = words
  const change = changeOf(step, preview)
  const lines = wrapStep(renderStep(fitArguments(step, words), { t, style, isVerbose: false }), width)
  const add = (text: string, paint: (line: string) => string = (line) => line) => {
    for (const line of text.split('\n')) lines.push(...wrapText(paint(`  ${line}`), width))
  }
  if (change === undefined) {
    for (const [name, value] of Object.entries(argumentsOf(step.args))) {
      add(
        `${printable(name)}: ${printable(typeof value === 'string' ? value : JSON.stringify(value), KEEP)}`,
        style.dim,
      )
    }
  } else lines.push(...renderDiff(change, { style, width: Math.max(20, width - 2) }).map((line) => `  ${line}`))
  let isCut = false
  for (const part of step.parts) {
    if (part.type !== 'text' && part.type !== 'result') continue
    if (part.text !== '') add(printable(part.text.trimEnd(), KEEP))
    isCut ||= part.blob !== undefined
  }
  isCut ||= lines.length > EXPANDED_LINES
  const shown = lines.slice(0, EXPANDED_LINES)
  return isCut ? [...shown, style.dim(`  ${t('screen.more-in-log', { session: printable(session) })}`)] : shown
}

const TODO_SIGNS: { readonly [status: string]: string } = { done: '✓', doing: '▸', pending: '·' }

// The plan is what a person wants to see of it.
function todoLines(args: Json, { style, width }: StepWords): string[] {
  const { items } = argumentsOf(args)
  if (!Array.isArray(items)) return []
  return items.flatMap((item) => {
    const { text, status } = argumentsOf(item)
    if (typeof text !== 'string' || typeof status !== 'string') return []
    const line = cutText(`  ${TODO_SIGNS[status] ?? '·'} ${printable(text)}`, width)
    return [status === 'done' ? style.dim(line) : status === 'doing' ? style.bold(line) : line]
  })
}

// What goes on stands below what it goes on from, which is two further in, but for the title.
function wrapStep(text: string, width: number): string[] {
  const [title = '', ...below] = text.split('\n')
  const indented = below.flatMap((line) => wrapText(line, width - 2).map((row, at) => (at === 0 ? row : `  ${row}`)))
  return [...wrapText(title, width), ...indented]
}

const KEEP = { keepLines: true } as const

/** The one line of a call, whatever has become of it. */
export function stepTitle(step: Step, words: StepWords): string {
  const { t, style } = words
  return renderStep(fitArguments(step, words), { t, style, isVerbose: false }).split('\n')[0] ?? ''
}

// One calm line: what comes last goes first, then what is long is cut, so that how it went still fits behind it.
function fitArguments(step: Step, { t, style, width }: StepWords): Step {
  let fitted: Step = { ...step, args: summarise(step.args, t) }
  for (;;) {
    const [line = ''] = renderStep(fitted, { t, style, isVerbose: false }).split('\n')
    const excess = widthOf(line) - width
    const entries = Object.entries(argumentsOf(fitted.args))
    const [first] = entries
    if (excess <= 0 || !first) return fitted
    if (entries.length > 1) {
      fitted = { ...fitted, args: Object.fromEntries(entries.slice(0, -1)) }
      continue
    }
    const [name, value] = first
    const text = printable(typeof value === 'string' ? value : JSON.stringify(value))
    // What is longer is cut already when it is shown.
    const shown = text.length > SHOWN_ARGUMENT ? `${text.slice(0, SHOWN_ARGUMENT)}…` : text
    const room = Math.max(SHORTEST_ARGUMENT, widthOf(shown) - excess)
    return { ...fitted, args: { [name]: cutText(text, room) } }
  }
}

// Whole files and patches say nothing in one line; their size does.
function summarise(args: Json, t: Translator): Json {
  return Object.fromEntries(
    Object.entries(argumentsOf(args)).map(([name, value]) => {
      const lines = typeof value === 'string' ? value.trimEnd().split('\n').length : 1
      if (Array.isArray(value) && value.some((one) => typeof one === 'object')) {
        return [name, `(${value.length})`]
      }
      return [name, lines > 3 ? `(${t('screen.lines', { count: lines })})` : value]
    }),
  )
}

function argumentsOf(args: Json): { [name: string]: Json } {
  return args !== null && typeof args === 'object' && !Array.isArray(args) ? args : {}
}

/** The change of a call that edits files, as a diff; what was shown before it ran is the truest. */
function changeOf(step: Step, preview: Preview | undefined): string | undefined {
  if (preview?.kind === 'diff') return printable(preview.text, KEEP)
  const { patch, path, content } = argumentsOf(step.args)
  if (step.tool === 'ApplyPatch' && typeof patch === 'string') return printable(patch, KEEP)
  const isNew = step.result?.files?.every(({ before }) => before === undefined)
  if (step.tool !== 'WriteFile' || !isNew || typeof content !== 'string' || typeof path !== 'string') return undefined
  const lines = content.replace(/\n$/, '').split('\n')
  return printable(
    ['--- /dev/null', `+++ b/${path}`, `@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`)].join('\n'),
    KEEP,
  )
}

function countChange(patch: string): { added: number; removed: number } {
  let added = 0
  let removed = 0
  for (const line of patch.split('\n')) {
    if (/^\+(?!\+\+ )/.test(line)) added++
    else if (/^-(?!-- )/.test(line)) removed++
  }
  return { added, removed }
}
