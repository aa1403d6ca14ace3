import type { Call } from '../call.ts'
import { shown } from '../check-path.ts'
import type { Proven } from '../proven.ts'
import type { Field } from '../scope.ts'
import type { WhyCode } from '../why.ts'
import { textOf } from './carriers.ts'

const REMOTE = new Set([
  'fetch',
  'pull',
  'push',
  'clone',
  'ls-remote',
  'fetch-pack',
  'send-pack',
  'remote-http',
  'request-pull',
  'send-email',
])
const RUNS = new Set([
  'difftool',
  'mergetool',
  'filter-branch',
  'filter-repo',
  'bisect',
  'submodule',
  'rebase',
  'instaweb',
  'gui',
  'citool',
  'help',
  'web--browse',
  'daemon',
  'http-backend',
  'shell',
  'upload-pack',
  'receive-pack',
  'hook',
  'for-each-repo',
  'maintenance',
  'lfs',
  'svn',
  'p4',
  'cvsserver',
  'archive',
  'credential',
])
const EFFECTS = new Set([
  'add',
  'commit',
  'merge',
  'cherry-pick',
  'revert',
  'mv',
  'init',
  'am',
  'apply',
  'stage',
  'notes',
  'switch',
  'tag',
  'branch',
  'stash',
  'checkout',
  'restore',
  'reset',
  'worktree',
  'remote',
  'format-patch',
  'bundle',
  'sparse-checkout',
  'rerere',
  'update-index',
  'write-tree',
  'commit-tree',
  'read-tree',
  'hash-object',
  'pack-refs',
  'symbolic-ref',
  'checkout-index',
  'rm',
  'clean',
  'gc',
  'prune',
  'reflog',
  'update-ref',
  'replace',
  'repack',
  'fsck',
  'merge-file',
  'merge-tree',
  'fast-export',
  'fast-import',
  'mktree',
  'mktag',
])

/** What each verb destroys, by its words. */
const DESTROYS: readonly [verb: string, words: RegExp, what: string][] = [
  ['clean', /(?:^| )(?:-\w*f|--force)/, 'files that git does not know'],
  ['reset', /--(?:hard|merge|keep)/, 'changes that are not committed'],
  ['checkout', /(?:^| )(?:--|-f|--force|-B|--ours|--theirs|\.)(?: |$)|(?:^| )-p/, 'changes that are not committed'],
  ['checkout', /(?:^| )\S+ -- /, 'changes that are not committed'],
  ['restore', /./, 'changes that are not committed'],
  ['switch', /(?:^| )(?:-f|-C|--force|--discard-changes|--force-create)(?: |$)/, 'changes that are not committed'],
  ['stash', /^(?:drop|clear)/, 'what was stashed'],
  ['branch', /(?:^| )(?:-\w*[DdMC]|--delete|--force|-f)/, 'a branch'],
  ['tag', /(?:^| )(?:-d|--delete|-f|--force)(?: |$)/, 'a tag'],
  ['push', /(?:^| )(?:-\w*[fd]|--force\S*|--mirror|--delete|--prune)(?: |$)|(?:^| )[:+]/, 'what others have'],
  ['commit', /--amend/, 'the last commit'],
  ['rebase', /./, 'commits as they were'],
  ['update-ref', /(?:^| )(?:-d|--stdin)/, 'a ref'],
  ['reflog', /^(?:expire|delete|drop)/, 'the way back to old commits'],
  ['gc', /--prune|--aggressive/, 'commits without a name'],
  ['prune', /^/, 'commits without a name'],
  ['rm', /^(?!.*--cached)/, 'files'],
  ['filter-branch', /^/, 'history'],
  ['filter-repo', /^/, 'history'],
  ['worktree', /^(?:remove|prune)/, 'a work tree'],
  ['remote', /^(?:remove|rm|prune)/, 'a remote'],
  ['submodule', /^deinit/, 'a submodule'],
  ['replace', /-d/, 'a ref'],
  ['read-tree', /--reset/, 'changes that are not committed'],
  ['update-index', /--(?:force-remove|assume|skip)/, 'what git knows of files'],
]

const PROGRAM_OPTIONS = /^(?:--(?:upload-pack|receive-pack|exec|extcmd|template|open-files-in-pager)(?:=|$))/

/** Judges what changes something, reaches somebody, or runs a program. */
export function judgeGitWriter(call: Call, verb: string): void {
  const { args } = call
  const line = args.map(({ text }) => text).join(' ')
  const hostile = args.find(({ text }) => PROGRAM_OPTIONS.test(text)) ?? shortProgram(call, verb)
  if (hostile) call.note('hostile', 'runs-program', `git ${verb} ${shown(hostile)}`)
  for (const { text } of args) checkOutput(call, text)
  carries(call, verb)
  if (REMOTE.has(verb)) reaches(call, verb, line)
  const loss = DESTROYS.find(([of, words]) => of === verb && words.test(line))
  if (loss) call.note('irreversible', 'destroys', loss[2])
  if (verb === 'stash' && line.startsWith('show')) call.note('unknown', 'option', line)
  if (verb === 'remote' && /^(?:add|set-url)/.test(line)) call.findings.addedRemote = true
  const [proven, code] = kindOf(verb)
  call.note(proven, code, code === 'changes' ? 'the repository' : `git ${verb}`)
}

function kindOf(verb: string): [Proven, WhyCode] {
  if (EFFECTS.has(verb)) return ['effects', 'changes']
  if (REMOTE.has(verb)) return ['unknown', 'network']
  // A verb that git does not know may be an alias, and an alias may be anything.
  return ['unknown', RUNS.has(verb) ? 'runs-code' : 'unknown-program']
}

function shortProgram({ args }: Call, verb: string) {
  if (verb === 'difftool' || verb === 'mergetool') return args.find(({ text }) => /^-\w*x/.test(text))
  if (verb === 'clone') return args.find(({ text }) => /^-(?:u|c)/.test(text) || text.startsWith('--config'))
  if (verb === 'rebase') return args.find(({ text }) => /^(?:-x|--exec)/.test(text))
  if (verb === 'filter-branch') return args.find(({ text }) => text.endsWith('-filter'))
  return undefined
}

// `git submodule foreach` has a line for a shell, `git bisect run` a program.
function carries(call: Call, verb: string): void {
  const [first, ...rest] = call.args
  if (verb === 'submodule' && first?.text === 'foreach')
    call.script(textOf(rest.filter(({ text }) => !/^(?:-q|--quiet|--recursive)$/.test(text))))
  if (verb !== 'bisect' || first?.text !== 'run') return
  if (/[./]/.test(rest[0]?.text ?? ''))
    call.note('hostile', 'runs-program', `git bisect run ${shown(rest[0] as Field)}`)
  call.run(rest)
}

function checkOutput(call: Call, text: string): void {
  const [, path] = /^--output(?:-directory)?=(.*)$/s.exec(text) ?? []
  if (path !== undefined) call.note('effects', 'writes', path)
  if (path !== undefined && /(?:^|\/)\.git\//.test(path)) call.note('hostile', 'protected', path)
}

function reaches(call: Call, verb: string, line: string): void {
  const address = call.args.find(({ text }) => /^[a-z+]+:\/\/|^[\w.-]+@[\w.-]+:/.test(text))?.text
  const [, host] = /^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^/:]+)/.exec(address ?? '') ?? []
  call.reach(host ?? '*', host ?? 'the remotes of the repository')
  if (verb === 'push' && (address !== undefined || call.findings.addedRemote)) {
    call.note('hostile', 'exfiltration', `the repository: git push ${line}`)
  }
}
