import type { BlobRef, Json, Part, Recorded, RecordedOf } from '@maru/protocol'

/** Words of a person, or of the model. */
export interface Words {
  seq: number
  text: string
  blob?: BlobRef
}

export interface FileNote {
  path: string
  seq: number
  /** Of the last reading: which lines, and a hash of what was shown. */
  read?: { lines: string; hash: string; callId: string }
  edits: number
  /** Hash of its bytes after the last edit; `gone` where that deleted it. */
  after?: string
}

export interface CommandNote {
  seq: number
  callId: string
  command: string
  times: number
  outcome: string
  /** The beginning and the end of what it said. */
  said: string
}

/** What a session did, read from its log and from nothing else. */
export interface WorkNotes {
  inputs: Words[]
  answers: { seq: number; question: string; answer: string }[]
  approvals: { seq: number; what: string; option: string; words?: string }[]
  files: Map<string, FileNote>
  commands: Map<string, CommandNote>
  todo: { text: string; status: string }[]
  errors: { seq: number; callId: string; what: string; message: string }[]
  /** What the model said to the person at the end of each run, and where it speaks of decisions. */
  said: (Words & { isDecision?: true })[]
  /** Facts that a person has pinned, by seq, and outputs, by call. */
  pinned: { seq: number; what: string; parts: Part[] }[]
}

/** Follows a log, fact by fact. */
export interface NoteTaker {
  readonly notes: WorkNotes
  take(record: Recorded): void
}

/** Takes notes of everything that must not depend on a model's memory. `pins` are those that hold in the end. */
export function createNoteTaker(
  hash: (text: string) => string,
  pins: { callIds: readonly string[]; seqs: readonly number[] },
): NoteTaker {
  const notes = emptyNotes()
  const calls = new Map<string, Call>()
  const asked = new Map<string, string>()
  const questions = new Map<string, string>()
  let last: Words | undefined
  const take = (record: Recorded): void => {
    if (pins.seqs.includes(record.seq) && 'parts' in record) {
      notes.pinned.push({ seq: record.seq, what: record.type, parts: record.parts })
    }
    switch (record.type) {
      case 'input-admit':
      case 'message-add':
        if (record.type === 'input-admit' || record.role === 'user')
          notes.inputs.push(...wordsOf(record.seq, record.parts))
        return
      case 'turn-end':
        for (const part of record.parts) if (part.type === 'call') calls.set(part.callId, part)
        last = wordsOf(record.seq, record.parts).at(-1) ?? last
        noteDecisions(notes, record)
        return
      case 'run-end':
        if (last) notes.said.push(last)
        last = undefined
        return
      case 'approval-ask':
        asked.set(record.callId, previewOf(record, calls.get(record.callId)))
        return
      case 'approval-answer': {
        const what = asked.get(record.callId) ?? record.callId
        const { seq, option, words } = record
        notes.approvals.push({ seq, what, option, ...(words !== undefined && { words }) })
        return
      }
      case 'question-ask':
        questions.set(record.questionId, record.question)
        return
      case 'question-answer': {
        const { answer, seq, questionId } = record
        const said = answer.kind === 'option' ? answer.option : answer.kind === 'words' ? answer.words : '(cancelled)'
        notes.answers.push({ seq, question: questions.get(questionId) ?? questionId, answer: said })
        return
      }
      case 'tool-start':
        calls.set(record.callId, record)
        return
      case 'context-reset':
        Object.assign(notes, emptyNotes())
        return
      case 'tool-end':
        noteResult(notes, record, { call: calls.get(record.callId), hash })
        if (pins.callIds.includes(record.callId)) {
          const { tool = 'a call', args = {} } = calls.get(record.callId) ?? {}
          notes.pinned.push({ seq: record.seq, what: `${tool} ${brief(args)}`, parts: record.parts })
        }
        calls.delete(record.callId)
        return
      default:
      // Nothing else is needed to go on.
    }
  }
  return { notes, take }
}

function emptyNotes(): WorkNotes {
  return {
    inputs: [],
    answers: [],
    approvals: [],
    files: new Map(),
    commands: new Map(),
    todo: [],
    errors: [],
    said: [],
    pinned: [],
  }
}

interface Call {
  callId: string
  tool: string
  args: Json
}

function wordsOf(seq: number, parts: readonly Part[]): Words[] {
  return parts.flatMap((part) =>
    part.type === 'text' && part.text.trim() !== ''
      ? [{ seq, text: part.text, ...(part.blob && { blob: part.blob }) }]
      : [],
  )
}

/** Where somebody speaks of a decision. */
export const DECIDES =
  /\b(?:decid\w*|decision|chose|chosen|agreed|we(?:'ll| will) (?:use|keep|go)|instead of|settled on|from now on)\b|결정|정했|하기로|선택했|합의|대신/i

function noteDecisions(notes: WorkNotes, { seq, parts }: RecordedOf<'turn-end'>): void {
  for (const { text } of wordsOf(seq, parts)) {
    const sentences = text.split(/(?<=[.!?。])\s+|\n+/).filter((sentence) => DECIDES.test(sentence))
    if (sentences.length > 0) notes.said.push({ seq, text: sentences.join(' ').slice(0, 600), isDecision: true })
  }
}

const SHOWN = /\{"path":("(?:[^"\\]|\\.)*"),"lines":"([^"]*)"/

function noteResult(
  notes: WorkNotes,
  { seq, callId, outcome, result, parts }: RecordedOf<'tool-end'>,
  { call, hash }: { call: Call | undefined; hash: (text: string) => string },
): void {
  if (!call) return
  const [first] = parts
  const text = first?.type === 'text' ? first.text : ''
  for (const { path, after } of result.files ?? []) {
    const file = fileOf(notes, path)
    Object.assign(file, { seq, edits: file.edits + 1, after: after ?? 'gone' })
  }
  const [, named, lines = ''] = call.tool === 'ReadFile' && outcome === 'ok' ? (SHOWN.exec(text) ?? []) : []
  const path = named === undefined ? undefined : (JSON.parse(named) as string)
  if (path !== undefined && !path.startsWith('output:')) {
    const whole = first?.type === 'text' && first.blob ? first.blob.hash : hash(text)
    Object.assign(fileOf(notes, path), { seq, read: { lines, hash: whole.slice(0, 12), callId } })
  }
  if (call.tool === 'TodoList' && outcome === 'ok') notes.todo = todoOf(call.args) ?? notes.todo
  if (call.tool === 'RunCommand' || call.tool === 'RunTests') {
    const command = commandOf(call)
    const times = (notes.commands.get(command)?.times ?? 0) + 1
    notes.commands.delete(command)
    notes.commands.set(command, { seq, callId, command, times, outcome, said: text })
  }
  if (outcome !== 'ok' && outcome !== 'interrupted') {
    const diagnostic = result.diagnostics?.[0]
    const message = diagnostic ? `${diagnostic.code}: ${diagnostic.message}` : text.slice(0, 300)
    notes.errors.push({ seq, callId, what: `${call.tool} ${brief(call.args)}`, message })
  }
}

function fileOf({ files }: WorkNotes, path: string): FileNote {
  const known: FileNote = files.get(path) ?? { path, seq: 0, edits: 0 }
  // The newest stands last.
  files.delete(path)
  files.set(path, known)
  return known
}

function todoOf(args: Json): WorkNotes['todo'] | undefined {
  const items = typeof args === 'object' && args !== null && 'items' in args ? args['items'] : undefined
  if (!Array.isArray(items)) return undefined
  return items.flatMap((item) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return []
    const { text, status } = item
    return typeof text === 'string' && typeof status === 'string' ? [{ text, status }] : []
  })
}

function commandOf({ tool, args }: Call): string {
  const fields = typeof args === 'object' && args !== null && !Array.isArray(args) ? args : {}
  const { command, exe, args: rest, cwd } = fields
  const line =
    typeof command === 'string'
      ? command
      : typeof exe === 'string'
        ? [exe, ...(Array.isArray(rest) ? rest.filter((one) => typeof one === 'string') : [])].join(' ')
        : ''
  if (tool === 'RunCommand') return `${line}${typeof cwd === 'string' ? ` (in ${cwd})` : ''}`
  return `${tool} ${brief(args)}`.trim()
}

function previewOf({ preview, reason }: RecordedOf<'approval-ask'>, call: Call | undefined): string {
  if (preview?.kind === 'command') return preview.command
  return call ? `${call.tool} ${brief(call.args)}` : reason
}

/** Arguments in a few words. */
export function brief(args: Json): string {
  if (typeof args !== 'object' || args === null) return ''
  const text = Object.entries(args)
    .map(
      ([name, value]) =>
        `${name}=${(typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 120).replaceAll(/\s+/g, ' ')}`,
    )
    .join(' ')
  return text.slice(0, 240)
}
