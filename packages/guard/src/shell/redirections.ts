import type { Redirection } from 'unbash'
import type { Call } from './call.ts'
import { checkPath, shown } from './check-path.ts'
import type { Context } from './context.ts'
import { note as addNote, addRun, type Note } from './findings.ts'
import { spotOf } from './place.ts'
import { exact, type Field, type Input, type Scope } from './scope.ts'

interface Around {
  readonly program: string
  readonly scope: Scope
  readonly context: Context
  readonly input: Input
}

/** Judges redirections, and tells what the command then reads from. */
export function judgeRedirections(redirections: readonly Redirection[], around: Around): Input {
  let { input } = around
  for (const redirection of redirections) input = judgeOne(redirection, around, input)
  return input
}

function judgeOne(redirection: Redirection, around: Around, input: Input): Input {
  const { scope, context } = around
  if (redirection.type === 'HereDoc') {
    const { body } = redirection
    // Bash 5.2 loses a `;` behind a here-document in a substitution, and then runs other words than are written.
    if (context.substituted > 0) context.doubt('construct', 'a here-document in a substitution')
    const field = body.parts ? context.quoted(body.parts, scope) : exact(body.text)
    return textInput(field, context)
  }
  const fields = redirection.target ? context.fields(redirection.target, scope) : []
  const [field = exact('')] = fields
  if (redirection.type === 'HereString') {
    return textInput(field, context)
  }
  if (fields.length !== 1) context.doubt('dynamic', 'a redirection')
  const { operator } = redirection
  if ((operator === '>&' || operator === '<&') && /^(?:\d+-?|-)$/.test(field.text) && field.isExact) return input
  const note: Note = { proven: 'read-only', why: undefined }
  const call = callFor(around, note)
  if (operator === '<') {
    const { secrets } = context.findings
    checkPath(call, field, 'read')
    // There may be no command to it at all: `x=$(< file)`.
    if (context.findings.secrets > secrets) call.note('unknown', 'secret-file', shown(field))
    close(around, note, [operator, shown(field)])
    return field.text === '/dev/null'
      ? { kind: 'none' }
      : { kind: 'file', ...(field.source && { source: field.source }) }
  }
  const isVoid = field.isExact && field.text.startsWith('/dev/') && spotOf(field.text, context.place) === 'void'
  if (!isVoid) {
    call.note('effects', 'redirection', shown(field))
    checkPath(call, field, 'write')
  }
  if (field.isGlob) call.note('unknown', 'dynamic', shown(field))
  close(around, note, [operator, shown(field)])
  return input
}

function textInput({ text, variable, source }: Field, context: Context): Input {
  if (variable !== undefined) context.doubt('environment', variable)
  return { kind: 'text', text, ...(source !== undefined && { source }) }
}

// With where it goes to: whoever allows `echo a > b` once and for all has not allowed every other file.
function close({ program, context }: Around, note: Note, argv: string[]): void {
  if (note.why) addRun(context.findings, program, argv, note)
}

// A redirection is no command, but what it does to a path is judged the same way.
function callFor({ program, scope, context }: Around, into: Note): Call {
  const { place, findings, home } = context
  return {
    name: program,
    args: [],
    scope,
    place,
    findings,
    context,
    home,
    input: { kind: 'none' },
    output: undefined,
    note: (proven, code, what = '') => addNote(into, proven, { code, program, what }),
    run: () => undefined,
    script: () => undefined,
    probe: () => undefined,
    reach: () => undefined,
    privilege: () => undefined,
  }
}
