import type { Call, Judge } from '../call.ts'
import { checkPath, shown } from '../check-path.ts'
import { byTable, checkOperands, parseOptions, readSpec } from '../options.ts'
import { judgeAwk } from './awk.ts'
import { tellsEnvironment } from './carriers.ts'
import { judgeFd, judgeFind } from './find.ts'
import { readers } from './readers.ts'
import { judgeSed } from './sed.ts'

/** Programs that look harmless and are, but for some of their options. */
export const searchers: Record<string, Judge> = {
  sed: judgeSed,
  gsed: judgeSed,
  awk: judgeAwk,
  gawk: judgeAwk,
  mawk: judgeAwk,
  nawk: judgeAwk,
  find: judgeFind,
  gfind: judgeFind,
  fd: judgeFd,
  fdfind: judgeFd,
  ...(readers['grep'] && {
    egrep: readers['grep'],
    fgrep: readers['grep'],
    zgrep: (call) => call.note('unknown', 'option', 'compressed files'),
  }),
  rg: byTable(
    '-abcFhHiIlLnNoPqsSuUvVwx0p. -A: -B: -C: -e: -f< -g% -t: -T: -m: -M: -d: -E: -j: -r: -# --regexp: --file< --glob% --iglob% --type: --type-not: --type-list --after-context: --before-context: --context: --count --count-matches --files --files-with-matches --files-without-match --fixed-strings --hidden --no-hidden --ignore-case --smart-case --case-sensitive --invert-match --line-number --no-line-number --line-regexp --max-count: --max-columns: --max-depth: --max-filesize: --multiline --multiline-dotall --no-filename --with-filename --no-heading --heading --no-ignore --no-ignore-vcs --no-config --no-messages --null --only-matching --passthru --pcre2 --pretty --quiet --color: --colors: --column --replace: --sort: --sortr: --stats --text --trim --unrestricted --vimgrep --word-regexp --json --follow --one-file-system --encoding: --engine: --threads: --debug --sort-files --no-column --crlf --context-separator: --field-match-separator: --include-zero --pre! --pre-glob: --hostname-bin!',
    { operands: 'pattern', patternBy: ['-e', '-f', '--regexp', '--file', '--files', '--type-list'] },
  ),
  ag: byTable(
    '-lLicnswvQaGrUu -A: -B: -C: -G: -m: --ignore: --hidden --nogroup --nocolor --noheading --count --pager!',
    { operands: 'pattern' },
  ),
  ack: byTable('-lLicnswvQhH -A: -B: -C: -m: --type: --nogroup --nocolor --pager!', { operands: 'pattern' }),
  sort: byTable(
    '-bcCdfghiMmnrRsuVz -k: -t: -S: -o> --key: --field-separator: --numeric-sort --reverse --unique --human-numeric-sort --general-numeric-sort --ignore-case --version-sort --month-sort --random-sort --check? --stable --zero-terminated --dictionary-order --ignore-leading-blanks --ignore-nonprinting --merge --parallel: --buffer-size: --sort: --output> --compress-program! --debug',
    { operands: 'read' },
  ),
  shuf: byTable(
    '-erz -i: -n: -o> --echo --input-range: --head-count: --repeat --zero-terminated --output> --random-source<',
    { operands: 'read' },
  ),
  tsort: byTable('-', { operands: 'read' }),
  base64: decodes('-dDi -w: --decode --ignore-garbage --wrap:'),
  base32: decodes('-di -w: --decode --ignore-garbage --wrap:'),
  openssl(call) {
    call.findings.decoded++
    call.note('unknown', 'option', call.args[0]?.text ?? '')
    for (const [at, { text }] of call.args.entries()) {
      const value = call.args[at + 1]
      if (value && /^-(?:in|inkey|key|CAfile|cert)$/.test(text)) checkPath(call, value, 'read')
      if (value && text === '-out') checkPath(call, value, 'write')
      if (text === 's_client' || text === '-connect') call.reach(value?.text ?? '')
      if (/^-engine$|^-provider-path$/.test(text)) call.note('hostile', 'runs-program', text)
    }
  },
  xxd: judgeXxd,
  jq: judgeJq,
  yq: judgeYq,
  less: pages,
  more: pages,
  most: pages,
  man(call) {
    const { operands } = parseOptions(call, MAN)
    for (const page of operands) if (!/^[\w.:+-]+$/.test(page.text)) call.note('unknown', 'runs-code', shown(page))
  },
  date: judgeDate,
  hostname: judgeHostname,
  ps: judgePs,
  top: byTable('-bciHsS1 -n: -d: -p: -u: -o: -w? -l:', { operands: 'none' }),
  printenv(call) {
    if (call.args.length === 0) return tellsEnvironment(call)
    for (const { text } of call.args)
      if (!/^(?:PATH|HOME|USER|SHELL|LANG|TERM|PWD|TZ|NODE_ENV|CI|EDITOR)$/.test(text))
        call.note('unknown', 'environment', text)
  },
}

// What comes out of a decoder is what nobody has read.
function decodes(table: string): Judge {
  const spec = readSpec(`${table} --version --help`)
  return (call) => {
    const { operands, given } = parseOptions(call, spec)
    if (['-d', '-D', '--decode'].some((name) => given.has(name))) call.findings.decoded++
    for (const file of operands) if (file.text !== '-') checkPath(call, file, 'read')
  }
}

const XXD = readSpec('-abeEipuCd -c: -g: -l: -n: -o: -s: -R:')
const XXD_WORDS: Record<string, string> = {
  '-ps': '-p',
  '-plain': '-p',
  '-postscript': '-p',
  '-bits': '-b',
  '-include': '-i',
  '-uppercase': '-u',
  '-cols': '-c',
  '-groupsize': '-g',
  '-len': '-l',
  '-seek': '-s',
}

// It knows an option by its first letter and does not take several in one word: whoever read `-bs a b` as `-b -s a`
// would take the file that is written for the one that is read.
function judgeXxd(call: Call): void {
  const args = call.args.map((arg) => ({ ...arg, text: XXD_WORDS[arg.text.replace(/^--/, '-')] ?? arg.text }))
  for (const arg of args)
    if (!/^-(?:[abeEipuCdcglnosR]|[cglos][-+]?\w+|\d+|)$|^[^-]/.test(arg.text))
      call.note('unknown', 'option', shown(arg))
  const { operands, given } = parseOptions({ ...call, args }, XXD)
  checkOperands(call, operands, { operands: 'one' }, given)
}

const JQ = readSpec(
  '-acCehjMnrsSR --compact-output --exit-status --join-output --raw-output --raw-output0 --raw-input --null-input --slurp --sort-keys --color-output --monochrome-output --tab --indent: --stream --seq --ascii-output --args --jsonargs -f< --from-file< --version --help',
)

function judgeJq(call: Call): void {
  // Options with two values are taken out first: the second would be mistaken for the filter.
  const args: (typeof call.args)[number][] = []
  for (let at = 0; at < call.args.length; at++) {
    const arg = call.args[at] as (typeof args)[number]
    const file = call.args[at + 2]
    if (/^--(?:arg|argjson)$/.test(arg.text)) at += 2
    else if (/^--(?:slurpfile|rawfile|argfile)$/.test(arg.text)) {
      if (file) checkPath(call, file, 'read')
      at += 2
    } else args.push(arg)
  }
  const { operands, given } = parseOptions({ ...call, args }, JQ)
  const hasFilter = !given.has('-f') && !given.has('--from-file')
  if (!hasFilter) call.note('unknown', 'runs-code', 'a filter of jq')
  const [filter] = operands
  if (
    hasFilter &&
    filter &&
    /\benv\b|\$ENV\b|\b(?:import|include|input_filename|get_search_list|modulemeta)\b/.test(filter.text)
  ) {
    call.note('unknown', 'environment', filter.text)
  }
  for (const file of hasFilter ? operands.slice(1) : operands) {
    if (file.isGlob && /^[*?[]/.test(file.text)) call.note('unknown', 'dynamic', shown(file))
    checkPath(call, file, 'read')
  }
}

const YQ = readSpec(
  '-rMCPNejyn0 -o: -p: -I: --raw-output --prettyPrint --colors --no-colors --no-doc --exit-status --null-input --yaml-output --output-format: --input-format: --indent: --unwrapScalar?',
)

// Two programs of one name: what both only print.
function judgeYq(call: Call): void {
  if (call.args.some(({ text }) => /^-\w*i|^--in-?place/.test(text))) call.note('effects', 'changes', 'files')
  const { operands } = parseOptions(call, YQ)
  for (const [at, operand] of operands.entries()) {
    const { text } = operand
    if (/\b(?:load\w*|env|strenv|envsubst|eval|system|import|include|input_filename|modulemeta)\b|\$ENV/.test(text)) {
      if (at > 0 || !/^e(?:val)?$/.test(text)) call.note('unknown', 'environment', text)
    }
    // The first may be an expression or a file.
    if (operand.isGlob && /^[*?[]/.test(text)) call.note('unknown', 'dynamic', shown(operand))
    if (at > 1 || !/[|()[\]{}"\s]|^\.{1,2}$/.test(text)) checkPath(call, operand, 'read')
  }
}

const MAN = readSpec(
  '-akfwW -s: -S: -e: -P! -H! -C! --pager! --html! --config-file! --where --path --apropos --whatis --all --section:',
)

const PAGES = readSpec(
  '-EeFfGgiIJMmNnQqRrSsUuVwWX~dlpc -# --quit-if-one-screen --no-init --RAW-CONTROL-CHARS --chop-long-lines --LINE-NUMBERS',
)

function pages(call: Call): void {
  const { operands } = parseOptions(call, PAGES)
  for (const file of operands) {
    if (!file.text.startsWith('+')) checkPath(call, file, 'read')
    else if (/[!|]/.test(file.text)) call.note('hostile', 'runs-program', file.text)
    else if (!/^\+(?:\d+|G|\/.*)$/.test(file.text)) call.note('unknown', 'option', shown(file))
  }
}

const DATE = readSpec(
  '-uR -I? -d: -f< -r@ --date: --file< --reference@ --utc --universal --iso-8601? --rfc-3339: --rfc-email --version --help',
)

function judgeDate(call: Call) {
  // Behind `-I` and `-d` stands a value.
  const sets = call.args.find(({ text }) => /^-[uR]*s|^--se/.test(text))
  if (sets) return call.privilege(`date ${sets.text}`)
  const { operands } = parseOptions(call, DATE)
  for (const word of operands) if (!word.text.startsWith('+')) call.privilege(`date ${word.text}`)
}

const HOSTNAME = readSpec(
  '-aAdfiIsy --long --fqdn --short --ip-address --all-ip-addresses --domain --alias --version --help',
)

function judgeHostname(call: Call): void {
  const { operands, given } = parseOptions(call, HOSTNAME)
  if (operands[0] || given.has('-F')) call.privilege(`hostname ${operands.map(shown).join(' ')}`)
}

// `e` without a dash shows the environments of other processes.
function judgePs(call: Call): void {
  for (const [at, { text }] of call.args.entries()) {
    const isValue = /^-?[opuUCtgGq]$|^-[a-zA-Z]*[opuUCtgGq]$/.test(call.args[at - 1]?.text ?? '')
    if (/\benviron\b/.test(text)) call.note('hostile', 'credentials', `ps ${text}`)
    if (isValue && !text.startsWith('-')) continue
    if (!text.startsWith('-') && /^[a-zA-Z]*e[a-zA-Z]*$/.test(text)) call.note('hostile', 'credentials', `ps ${text}`)
    else if (/^-[a-zA-Z]*E/.test(text)) call.note('hostile', 'credentials', `ps ${text}`)
    else if (
      !/^-?[AaefFHjlLmNTuxwcvhrSdyMZopCtgGqU\d,%]+$|^--(?:forest|no-headers|headers|sort(?:=.*)?|pid(?:=.*)?|ppid(?:=.*)?|width(?:=.*)?|cols(?:=.*)?|user(?:=.*)?|format(?:=.*)?)$/.test(
        text,
      )
    ) {
      call.note('unknown', 'option', text)
    }
  }
}
