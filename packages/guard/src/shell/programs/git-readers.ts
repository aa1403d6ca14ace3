import type { Call } from '../call.ts'
import { checkPath, shown } from '../check-path.ts'
import { parseOptions, readSpec, type Spec } from '../options.ts'
import type { Field } from '../scope.ts'

const DIFF =
  '-pusRabwz -U: -M? -C? -B? -D -S: -G: -O< -l: --patch --no-patch --unified: --stat? --numstat --shortstat --dirstat? --summary --name-only --name-status --raw --color? --no-color --word-diff? --word-diff-regex: --color-words? --check --full-index --binary --abbrev? --no-abbrev --find-renames? --find-copies? --diff-filter: --pickaxe-all --pickaxe-regex --relative? --no-relative --text --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --inter-hunk-context: --function-context -W --exit-code --quiet --no-ext-diff --no-textconv --ext-diff! --textconv! --output> --minimal --patience --histogram --diff-algorithm: --no-renames --no-prefix --src-prefix: --dst-prefix: --ignore-submodules? --indent-heuristic --compact-summary --stat-width: --stat-count: --no-index --cached --staged --merge-base --color-moved? --ignore-matching-lines: -I: --find-object: --rename-empty --cc -c -m -t -r --root'
const LOG = `${DIFF} -n: -# -gi -L: -E -F -P --oneline --graph --all --branches? --tags? --remotes? --decorate? --no-decorate --pretty? --format: --date: --since: --until: --after: --before: --author: --committer: --grep: --all-match --invert-grep --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --first-parent --follow --max-count: --skip: --reverse --topo-order --date-order --author-date-order --abbrev-commit --no-abbrev-commit --parents --children --left-right --cherry-pick --cherry --cherry-mark --left-only --right-only --boundary --simplify-by-decoration --full-history --ancestry-path --not --walk-reflogs --count --relative-date --source --no-walk? --glob: --exclude: --show-notes? --notes? --no-notes --show-pulls --log-size --stdin --no-mailmap --use-mailmap --mailmap --encoding: --expand-tabs? --no-expand-tabs --no-color --objects --all-objects --disk-usage --missing: --min-parents: --max-parents:`

const SPECS: Record<string, Spec> = {
  status: readSpec(
    '-sbvz -u? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignored? --ignore-submodules? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?',
  ),
  diff: readSpec(DIFF),
  'diff-tree': readSpec(`${DIFF} --stdin --no-commit-id --pretty? --always -v`),
  'diff-index': readSpec(DIFF),
  'diff-files': readSpec(DIFF),
  log: readSpec(LOG),
  show: readSpec(LOG),
  whatchanged: readSpec(LOG),
  'rev-list': readSpec(LOG),
  reflog: readSpec(LOG),
  shortlog: readSpec(`${LOG} -e -w? --email --summary --numbered --group: -s`),
  'rev-parse': readSpec(
    '-q --verify --quiet --short? --abbrev-ref? --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --all --branches? --tags? --remotes? --revs-only --no-revs --flags --no-flags --default: --sq --local-env-vars --show-superproject-working-tree --show-ref-format --path-format:',
  ),
  'ls-files': readSpec(
    '-cdmoiskutvfz -x: -X< --cached --deleted --modified --others --ignored --stage --directory --no-empty-directory --unmerged --killed --exclude: --exclude-from< --exclude-per-directory: --exclude-standard --error-unmatch --full-name --abbrev? --eol --deduplicate --format:',
  ),
  'ls-tree': readSpec(
    '-drtlz --name-only --name-status --long --full-name --full-tree --abbrev? --format: --object-only',
  ),
  blame: readSpec(
    '-bcefhlnpstw -L: -M? -C? -S< --root --show-stats --porcelain --line-porcelain --incremental --encoding: --date: --show-name --show-number --show-email --abbrev: --color-lines --color-by-age --ignore-rev: --first-parent --reverse --since: --minimal',
  ),
  annotate: readSpec('-bcefhlnpstw -L: --date:'),
  describe: readSpec(
    '--all --tags --contains --abbrev: --candidates: --exact-match --debug --long --match: --exclude: --always --first-parent --dirty? --broken?',
  ),
  'merge-base': readSpec('-a --all --octopus --independent --is-ancestor --fork-point'),
  grep: readSpec(
    '-aiIwvhHnlLzocpqEGFPWr -# -A: -B: -C: -e: -f< -m: -O! --open-files-in-pager! --cached --no-index --untracked --no-exclude-standard --exclude-standard --text --ignore-case --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching --count --color? --no-color --break --heading --show-function --context: --after-context: --before-context: --function-context --max-count: --threads: --and --or --not --all-match --quiet --max-depth: --recursive --no-recursive --textconv!',
  ),
  'cat-file': readSpec(
    '-etps --batch? --batch-check? --batch-all-objects --buffer --unordered --follow-symlinks --allow-unknown-type --textconv! --filters!',
  ),
  'name-rev': readSpec('--tags --refs: --exclude: --all --name-only --no-undefined --always'),
  'for-each-ref': readSpec(
    '--format: --sort: --count: --points-at: --merged? --no-merged? --contains? --no-contains? --ignore-case --color? --omit-empty --exclude:',
  ),
  'show-ref': readSpec('-dhsq --head --heads --tags --branches --dereference --hash? --verify --abbrev? --quiet'),
  'show-branch': readSpec('-ar --all --remotes --topo-order --current --sha1-name --no-name --list'),
  'count-objects': readSpec('-vH --verbose --human-readable'),
  'check-ignore': readSpec('-qvnz --quiet --verbose --non-matching --no-index'),
  'check-attr': readSpec('-az --all --cached'),
  cherry: readSpec('-v --abbrev?'),
  'range-diff': readSpec('--no-color --color? --no-dual-color --creation-factor: --left-only --right-only --stat? -s'),
  version: readSpec('--build-options'),
}

// Without operands they list; with them they change something.
const LISTS: Record<string, { spec: Spec; verbs?: readonly string[]; before?: RegExp }> = {
  branch: {
    spec: readSpec(
      '-arvlqi --all --remotes --list --show-current --verbose --abbrev? --no-abbrev --color? --no-color --column? --no-column --sort: --merged? --no-merged? --contains? --no-contains? --points-at: --format: --ignore-case',
    ),
  },
  tag: {
    spec: readSpec(
      '-l -n? --list --sort: --contains? --no-contains? --merged? --no-merged? --points-at: --format: --color? --column? --no-column --ignore-case',
    ),
  },
  remote: { spec: readSpec('-v --verbose --all --push'), verbs: ['get-url'], before: /^(?:-v|--verbose)$/ },
  stash: { spec: readSpec(`${LOG} -u --include-untracked --only-untracked`), verbs: ['list', 'show'] },
  worktree: { spec: readSpec('-vz --porcelain --verbose'), verbs: ['list'] },
  'symbolic-ref': { spec: readSpec('-q --quiet --short'), verbs: ['HEAD'], before: /^(?:-q|--quiet|--short)$/ },
  notes: { spec: readSpec('--ref:'), verbs: ['list', 'show'], before: /^--ref=/ },
}

/** Judges what only reads; false where the verb is none of these. */
export function judgeGitReader(call: Call, verb: string): boolean {
  const spec = SPECS[verb]
  const list = LISTS[verb]
  if (spec) {
    const { operands, given } = parseOptions(call, spec)
    const isReflog = verb === 'reflog'
    for (const name of ['--format', '--pretty']) {
      // Signatures are checked by a program that the configuration names.
      if (given.get(name)?.text.includes('%G')) call.note('unknown', 'option', '%G')
    }
    if (given.has('--batch') || given.has('--batch-check')) call.note('unknown', 'dynamic', 'names that come from data')
    const range = given.get('-L')
    if (range?.text.includes(':')) checkPath(call, { ...range, text: range.text.replace(/^.*:/s, '') }, 'read')
    if (isReflog && ['expire', 'delete', 'drop', 'write'].includes(operands[0]?.text ?? '')) return false
    for (const operand of verb === 'grep' && !given.has('-e') && !given.has('-f') ? operands.slice(1) : operands)
      reads(call, operand, verb)
    return true
  }
  if (list === undefined) return false
  if (list.verbs) {
    // `git stash -p list` and `git stash -- list` put away a file of that name: the verb has to come first, but for
    // options that are known to stand before it.
    const at = call.args.findIndex(({ text }) => !list.before?.test(text))
    const first = call.args[at < 0 ? call.args.length : at]
    if (first === undefined ? verb !== 'remote' : !list.verbs.includes(first.text)) return false
    const { operands } = parseOptions({ ...call, args: call.args.filter((arg) => arg !== first) }, list.spec)
    for (const operand of operands) if (verb === 'stash') reads(call, operand, verb)
    return verb !== 'symbolic-ref' || operands.length === 0
  }
  return judgeListing(call, list.spec)
}

// `git branch NAME` makes one; `git branch --list NAME` and `--contains NAME` do not.
function judgeListing(call: Call, spec: Spec): boolean {
  const changes = call.args.some(
    ({ text }) =>
      /^-[a-zA-Z]*[dDmMcCfutsFSe]|^--(?:delete|move|copy|force|set-upstream|unset-upstream|edit-description|track|annotate|sign|create-reflog|message|file|local-user)/.test(
        text,
      ) && !/^--(?:format|sort|color|column|contains|merged)/.test(text),
  )
  if (changes) return false
  const isList = call.args.some(({ text }) =>
    /^(?:-\w*l\w*|--list|--contains|--no-contains|--merged|--no-merged|--points-at)(?:=|$)/.test(text),
  )
  const { operands } = parseOptions({ ...call, note: () => undefined }, spec)
  if (operands.length > 0 && !isList) return false
  parseOptions(call, spec)
  return true
}

function reads(call: Call, operand: Field, verb: string) {
  const { text } = operand
  if (
    /^(?:ls-tree|cat-file|rev-parse|describe|name-rev|for-each-ref|show-ref|merge-base|cherry|ls-files|check-ignore|check-attr|status)$/.test(
      verb,
    ) &&
    !text.includes(':')
  )
    return
  // `REVISION:path`, or `:STAGE:path` of what is being merged.
  const [, path = text] = /^(?::[0-3]:|[^:/]*:(?!\/\/))(.*)$/s.exec(text) ?? []
  if (path === '' || /^[\^!]/.test(path)) return
  if (!operand.isExact) return call.note('unknown', 'dynamic', shown(operand))
  checkPath(call, { ...operand, text: path.replace(/^\((?:top|exclude|icase|glob|literal|,)+\)/, '') || '.' }, 'read')
}
