import type { Call, Judge } from '../call.ts'
import { checkPath, shown } from '../check-path.ts'
import { type Field, fork, HOLE, type Input } from '../scope.ts'
import { textOf } from './carriers.ts'

/** Shells, and what makes the shell read more code. */
export const shells: Record<string, Judge> = {
  bash: runsShell,
  sh: runsShell,
  dash: runsShell,
  ash: runsShell,
  ksh: foreign,
  mksh: foreign,
  zsh: foreign,
  fish: foreign,
  csh: foreign,
  tcsh: foreign,
  rbash: runsShell,
  pwsh: foreign,
  powershell: foreign,
  eval(call) {
    if (call.args.length === 0) return
    call.note('unknown', 'runs-code', textOf(call.args).replaceAll(HOLE, '…'))
    for (const arg of call.args) fromElsewhere(call, arg)
    // In this very shell: what it changes holds afterwards.
    call.script(textOf(call.args), call.scope)
  },
  source: reads,
  '.': reads,
}

function foreign(call: Call): void {
  call.note('unknown', 'runs-code', call.name)
  runsShell(call)
}

function runsShell(call: Call): void {
  const { args, input, scope } = call
  let at = 0
  let isCode = false
  let readsInput = false
  for (; at < args.length; at++) {
    const { text } = args[at] as Field
    if (text === '--' || text === '-') {
      at++
      break
    }
    if (!/^[-+]/.test(text)) break
    if (/^--(?:norc|noprofile|posix)$/.test(text)) continue
    if (/^--(?:rcfile|init-file)/.test(text)) {
      call.note('hostile', 'runs-program', text)
      if (!text.includes('=')) at++
    } else if (/^[-+][a-zA-Z]*[oO]$/.test(text)) {
      if (text.includes('c')) isCode = true
      if (args[at + 1]?.text !== 'pipefail' && args[at + 1]?.text !== 'errexit') call.note('unknown', 'option', text)
      at++
    } else if (/^-[ceusx]+$/.test(text)) {
      if (text.includes('c')) isCode = true
      if (text.includes('s')) readsInput = true
    } else {
      call.note('unknown', 'option', text)
      if (/^-[a-zA-Z]*c/.test(text)) isCode = true
      if (/^-[a-zA-Z]*s/.test(text)) readsInput = true
    }
  }
  const [code, ...rest] = args.slice(at)
  if (isCode && code) {
    fromElsewhere(call, code)
    const [, ...positional] = rest
    call.script(code.text, fork(scope, { positional, isStraight: true, functions: new Map() }))
  } else if (code && !readsInput) readsFile(call, code)
  else readsCode(call, input)
}

/** Code on standard input: judged where it stands in the line, refused where it comes from elsewhere. */
export function readsCode(call: Call, input: Input) {
  if (input.kind === 'none') return call.note('unknown', 'runs-code', 'standard input')
  if (input.text !== undefined && !input.text.includes(HOLE)) {
    call.note('unknown', 'runs-code', 'standard input')
    call.script(input.text)
  } else if (input.kind === 'file' && input.source === undefined) call.note('unknown', 'runs-code', 'standard input')
  else call.note('hostile', 'remote-code', input.from ?? 'standard input')
}

function readsFile(call: Call, file: Field): void {
  call.note('unknown', 'runs-code', shown(file))
  if (file.source !== undefined) fromElsewhere(call, file, 'network')
  else checkPath(call, file, 'read')
}

function reads(call: Call): void {
  const [file] = call.args
  if (file) readsFile(call, file)
}

/** Code that a command gives: from the network or a decoder nobody has read it. */
export function fromElsewhere(call: Call, { source, text }: Field, worst?: 'network'): void {
  const isKnown = !text.includes(HOLE)
  if (source === 'network' || source === 'decoder' || (source === 'command' && worst === 'network' && !isKnown)) {
    call.note(
      'hostile',
      'remote-code',
      source === 'decoder' ? 'a decoder' : source === 'network' ? 'the network' : 'a command',
    )
  }
}
