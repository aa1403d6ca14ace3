import type { MessageEntry, NoteEntry, Part, Step } from '@maru/protocol'
import { isAttached, isSaid, isWorthShowing } from './describe.ts'
import type { Exported } from './exported.ts'
import { wholeText } from './whole-text.ts'

/** One JSON object: the session, then its messages in order. Written by hand where a text may be long. */
export async function* writeJson(exported: Exported): AsyncGenerator<string, void> {
  const { head, id, hasMetadata, entries } = exported
  const { hidden: _hidden, title, startedAt, changedAt, ...more } = head
  const about = { format: 'maru-conversation', version: 1, id, title, startedAt, changedAt, ...(hasMetadata && more) }
  yield `${JSON.stringify(about).slice(0, -1)},"messages":[`
  let isFirst = true
  for await (const entry of entries) {
    if (!isWorthShowing(entry, hasMetadata)) continue
    yield isFirst ? '\n' : ',\n'
    isFirst = false
    if (entry.kind === 'note') yield noteObject(entry)
    else yield* messageObject(entry, exported)
  }
  yield '\n]}\n'
}

function noteObject({ seq, at, record }: NoteEntry): string {
  return JSON.stringify({ kind: 'note', seq, at, record })
}

async function* messageObject(entry: MessageEntry, exported: Exported): AsyncGenerator<string, void> {
  const { seq, at, role, by, model, usage, stop, failure, parts, steps } = entry
  const about = exported.hasMetadata
    ? { kind: 'message', seq, role, at, by, model, usage, stop, failure }
    : { seq, role }
  yield `${JSON.stringify(about).slice(0, -1)},"text":`
  yield* jsonString(joined(parts.filter(isSaid), exported))
  const attached = parts.filter(isAttached)
  if (attached.length > 0) yield `,"attachments":${JSON.stringify(attached)}`
  const thoughts = parts.filter((part) => part.type === 'reasoning')
  if (exported.hasMetadata && thoughts.length > 0) {
    yield ',"reasoning":'
    yield* jsonString(joined(thoughts, exported))
  }
  if (exported.hasMetadata && steps.length > 0) {
    yield ',"calls":['
    for (const [at, step] of steps.entries()) {
      if (at > 0) yield ','
      yield* callObject(step, parts, exported)
    }
    yield ']'
  }
  yield '}'
}

async function* callObject(step: Step, parts: Part[], exported: Exported): AsyncGenerator<string, void> {
  const { callId, tool, state, approval, question, result } = step
  yield `${JSON.stringify({ callId, tool, state, approval, question, result }).slice(0, -1)},"args":`
  const part = parts.find((one) => one.type === 'call' && one.callId === callId)
  const blob = part?.type === 'call' && step.args === null ? part.blob : undefined
  // What was kept aside is the JSON of the arguments itself; where it is gone, so are they.
  if (blob) yield* wholeText({ text: 'null', blob }, exported)
  else yield JSON.stringify(step.args)
  yield ',"output":'
  yield* jsonString(
    joined(
      step.parts.filter((one) => one.type === 'text' || one.type === 'result'),
      exported,
    ),
  )
  yield '}'
}

async function* joined(
  parts: readonly Parameters<typeof wholeText>[0][],
  exported: Exported,
): AsyncGenerator<string, void> {
  for (const [at, part] of parts.entries()) {
    if (at > 0) yield '\n\n'
    yield* wholeText(part, exported)
  }
}

async function* jsonString(pieces: AsyncIterable<string>): AsyncGenerator<string, void> {
  yield '"'
  for await (const piece of pieces) yield JSON.stringify(piece).slice(1, -1)
  yield '"'
}
