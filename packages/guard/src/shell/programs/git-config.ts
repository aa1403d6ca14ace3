import type { Call } from '../call.ts'
import { shown } from '../check-path.ts'

// What git runs, loads or fetches by itself where these are set.
const HOSTILE =
  /^(?:alias\..*|core\.(?:pager|editor|sshcommand|fsmonitor|hookspath|askpass|gitproxy|worktree|attributesfile|excludesfile|sshvariant|alternaterefscommand)|diff\.(?:external|.*\.(?:command|textconv))|merge\..*\.driver|merge\.tool|filter\..*|credential\..*|gpg\..*|user\.signingkey|uploadpack\..*|receive\..*|protocol\..*|sequence\.editor|url\..*|https?\..*|include(?:if)?\..*|init\.templatedir|difftool\..*|mergetool\..*|browser\..*|web\.browser|man\..*|pager\..*|remote\..*|submodule\..*|safe\..*|trailer\..*|sendemail\..*|interactive\.difffilter|blame\..*file|ssh\..*|instaweb\..*|guitool\..*|imap\..*|extensions\..*|fsmonitor\..*|maintenance\..*)$/i

// To read it tells no more than `git remote -v`.
const REMOTE = /^remote\.[\w-]+\.(?:push)?url$/i

/** Whether a setting of git's names something that is run or fetched. */
export function isHostileKey(key: string): boolean {
  return HOSTILE.test(key)
}

/** git config: reading one value is harmless, settings that run something later are refused. */
export function judgeGitConfig(call: Call) {
  const words = call.args.filter(({ text }) => !text.startsWith('-'))
  const flags = call.args.filter(({ text }) => text.startsWith('-'))
  const [key, value] = words[0]?.text === 'set' || words[0]?.text === 'get' ? words.slice(1) : words
  const isRead = words[0]?.text === 'get' || flags.some(({ text }) => /^--get(?:-all|-regexp)?$/.test(text))
  const isGlobal = flags.some(({ text }) => /^--(?:global|system|file|worktree)|^-f/.test(text))
  if (flags.some(({ text }) => /^(?:-e|--edit)$/.test(text))) return call.note('unknown', 'runs-code', 'an editor')
  if (flags.some(({ text }) => /^(?:-l|--list)$/.test(text)) || words[0]?.text === 'list') {
    return call.note('unknown', 'environment', 'the configuration of git')
  }
  const known = flags.every(({ text }) =>
    /^--(?:get|get-all|bool|int|local|default=.*|type=\w+|null|name-only|show-origin)$|^-z$/.test(text),
  )
  if (key && !value && (isRead || known)) {
    if (!known || !/^[\w.-]+$/.test(key.text) || (isHostileKey(key.text) && !REMOTE.test(key.text)))
      call.note('unknown', 'option', shown(key))
    return
  }
  // One word and nothing to be done with it: it is asked for, from a file that may be outside.
  if (
    key &&
    !value &&
    flags.every(({ text }) => /^--(?:get|global|system|local|worktree|null|show-\w+|type=\w+)$/.test(text))
  )
    return call.note('unknown', 'option', shown(key))
  if (key && isHostileKey(key.text)) return call.note('hostile', 'persistence', `git config ${shown(key)}`)
  if (isGlobal) return call.note('hostile', 'persistence', 'the configuration of git outside the workspace')
  call.note('effects', 'changes', 'the configuration of git')
}
