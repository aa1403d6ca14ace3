import type { Call } from '../call.ts'
import { checkPath, shown } from '../check-path.ts'
import { resolvePath } from '../place.ts'
import type { Field } from '../scope.ts'
import { isHostileKey, judgeGitConfig } from './git-config.ts'
import { judgeGitReader } from './git-readers.ts'
import { judgeGitWriter } from './git-writers.ts'

/** git: options that name a program are refused, what only reads is known by its options, the rest is asked. */
export function judgeGit(call: Call) {
  call.findings.usesGit = true
  const { args } = call
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at] as Field
    const { text } = word
    if (!text.startsWith('-')) break
    if (text === '--no-pager' || text === '-P' || text === '--no-optional-locks' || text === '--literal-pathspecs')
      continue
    if (text === '--version' || text === '-v') return
    if (text === '-c') judgeSetting(call, args[++at])
    else if (/^-c./.test(text)) judgeSetting(call, { ...word, text: text.slice(2) })
    else if (text === '-C') elsewhere(call, args[++at])
    else if (/^--(?:config-env|exec-path=)/.test(text)) call.note('hostile', 'runs-program', `git ${text}`)
    else if (/^--(?:git-dir|work-tree)/.test(text)) {
      call.note('hostile', 'elsewhere', `git ${text}`)
      if (!text.includes('=')) at++
    } else call.note('unknown', 'option', shown(word))
  }
  if (call.scope.cwd !== call.place.cwd) call.note('unknown', 'elsewhere', call.scope.cwd ?? '…')
  const verb = args[at]
  const inner = { ...call, args: args.slice(at + 1) }
  for (const { text } of inner.args) checkTransport(call, text)
  if (verb === undefined) return
  if (!verb.isExact) return call.note('unknown', 'dynamic', shown(verb))
  if (verb.text === 'config') return judgeGitConfig(inner)
  if (judgeGitReader(inner, verb.text)) return
  judgeGitWriter(inner, verb.text)
}

// git asks a program for what stands behind `ext::`.
function checkTransport(call: Call, text: string): void {
  if (/^(?:ext|fd)::/.test(text)) call.note('hostile', 'runs-program', `git ${text}`)
}

const HARMLESS_SETTING =
  /^(?:color\.[\w.]+|core\.quotepath|core\.pager|log\.(?:date|decorate)|diff\.(?:renames|renamelimit|algorithm|noprefix|mnemonicprefix)|advice\.\w+|core\.abbrev|column\.ui|grep\.linenumber)=/i

function judgeSetting(call: Call, setting: Field | undefined): void {
  if (setting === undefined) return
  const [key = '', value = ''] = setting.text.split(/=([\s\S]*)/)
  if (HARMLESS_SETTING.test(setting.text) && setting.isExact && (!/pager/i.test(key) || /^(?:cat|)$/.test(value)))
    return
  if (isHostileKey(key)) call.note('hostile', 'runs-program', `git -c ${shown(setting)}`)
  else call.note('unknown', 'option', `-c ${shown(setting)}`)
}

function elsewhere(call: Call, target: Field | undefined): void {
  if (target === undefined) return
  const path = resolvePath(call.scope.cwd ?? '/', target.text, call.place)
  if (path === call.scope.cwd && target.isExact) return
  call.note('unknown', 'elsewhere', `git -C ${shown(target)}`)
  checkPath(call, target, 'look')
}
