import type { Judge } from '../call.ts'
import { byTable } from '../options.ts'

const CHECKSUM = '-bctwz --binary --check --text --tag --zero --quiet --status --warn --strict --ignore-missing'

const EZA =
  '-1aAbBdDfFghHilmMrRsSTuUxX@ -L: -I: -s: --all --long --tree --level: --git --git-ignore --icons? --header --group --group-directories-first --sort: --reverse --recurse --only-dirs --only-files --color? --no-permissions --no-user --no-time --no-filesize --oneline --ignore-glob: --time-style: --classify?'

/** Programs that only read and print, each with all the options that are known to be harmless. */
export const readers: Record<string, Judge> = {
  ls: byTable(
    '-1aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ -w: -I: -T: --all --almost-all --author --escape --block-size: --ignore-backups --color? --directory --classify? --file-type --format: --full-time --group-directories-first --no-group --human-readable --si --dereference --hide: --hyperlink? --indicator-style: --inode --ignore: --kibibytes --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --quoting-style: --reverse --recursive --size --sort: --time: --time-style: --tabsize: --width: --context --zero',
    { operands: 'look', isTame: true },
  ),
  cat: byTable(
    '-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting',
    {
      operands: 'read',
      isTame: true,
    },
  ),
  head: byTable('-n: -c: -qvz -# --lines: --bytes: --quiet --silent --verbose --zero-terminated', {
    operands: 'read',
    isTame: true,
  }),
  tail: byTable(
    '-n: -c: -fFqvz -s: -# --lines: --bytes: --quiet --silent --verbose --follow? --retry --pid: --sleep-interval: --zero-terminated',
    {
      operands: 'read',
      isTame: true,
    },
  ),
  wc: byTable('-clmLw --bytes --chars --lines --words --max-line-length --total:', { operands: 'look', isTame: true }),
  nl: byTable('-b: -d: -f: -h: -i: -l: -n: -p -s: -v: -w:', { operands: 'read', isTame: true }),
  tac: byTable('-br -s: --before --regex --separator:', { operands: 'read', isTame: true }),
  rev: byTable('-0', { operands: 'read', isTame: true }),
  fold: byTable('-bs -w: --bytes --spaces --width:', { operands: 'read', isTame: true }),
  fmt: byTable('-cstu -w: -p: -g: -#', { operands: 'read' }),
  expand: byTable('-i -t: --initial --tabs:', { operands: 'read', isTame: true }),
  unexpand: byTable('-a -t: --all --first-only --tabs:', { operands: 'read', isTame: true }),
  cut: byTable(
    '-b: -c: -d: -f: -nsz --bytes: --characters: --delimiter: --fields: --complement --only-delimited --output-delimiter: --zero-terminated',
    {
      operands: 'read',
      isTame: true,
    },
  ),
  paste: byTable('-d: -sz --delimiters: --serial --zero-terminated', { operands: 'read', isTame: true }),
  join: byTable('-a: -e: -i -j: -o: -t: -v: -1: -2: -z --check-order --nocheck-order --header --ignore-case', {
    operands: 'read',
  }),
  comm: byTable('-123z --check-order --nocheck-order --output-delimiter: --total --zero-terminated', {
    operands: 'read',
  }),
  column: byTable(
    '-texnL -c: -s: -o: -N: -R: -T: -H: -W: -O: -E: --table --separator: --output-separator: --columns: --table-columns: --table-right: --json -J --fillrows',
    {
      operands: 'read',
    },
  ),
  tr: byTable('-cCdst --complement --delete --squeeze-repeats --truncate-set1', { operands: 'text' }),
  uniq: byTable(
    '-cdDiuz -f: -s: -w: --count --repeated --all-repeated? --ignore-case --unique --skip-fields: --skip-chars: --check-chars: --group? --zero-terminated',
    {
      operands: 'one',
    },
  ),
  diff: byTable(
    '-abBcdeEilnNpqrstTuvwWyZ -C: -U: -F: -I: -x: -L: -# --brief --unified? --context? --color? --recursive --report-identical-files --side-by-side --suppress-common-lines --ignore-case --ignore-all-space --ignore-blank-lines --ignore-space-change --ignore-trailing-space --ignore-matching-lines: --minimal --new-file --text --strip-trailing-cr --width: --exclude: --label: --show-c-function --speed-large-files --left-column --no-dereference --tabsize: --normal --ed',
    { operands: 'read' },
  ),
  cmp: byTable('-bls -i: -n: --print-bytes --verbose --silent --quiet --bytes: --ignore-initial:', {
    operands: 'read',
  }),
  md5sum: byTable(CHECKSUM, { operands: 'look', isTame: true }),
  sha1sum: byTable(CHECKSUM, { operands: 'look', isTame: true }),
  sha256sum: byTable(CHECKSUM, { operands: 'look', isTame: true }),
  sha512sum: byTable(CHECKSUM, { operands: 'look', isTame: true }),
  b2sum: byTable(CHECKSUM, { operands: 'look', isTame: true }),
  shasum: byTable('-a: -bctpsUw0 --algorithm: --binary --check --text --portable --status', {
    operands: 'look',
    isTame: true,
  }),
  cksum: byTable('-a: -z --algorithm:', { operands: 'look', isTame: true }),
  sum: byTable('-rs', { operands: 'look', isTame: true }),
  od: byTable(
    '-abcdfhiloswvx -A: -j: -N: -S: -t: -w? --address-radix: --skip-bytes: --read-bytes: --format: --output-duplicates --width?',
    {
      operands: 'read',
    },
  ),
  hexdump: byTable('-bcCdovx -e: -n: -s:', { operands: 'read' }),
  hd: byTable('-v -n: -s:', { operands: 'read' }),
  strings: byTable('-afw -n: -t: -e: -o -# --all --bytes: --radix: --encoding: --print-file-name', {
    operands: 'read',
    readsWords: true,
  }),
  file: byTable(
    '-bhiIkLNnprsSv0 -e: -F: -P: --brief --mime --mime-type --mime-encoding --dereference --no-dereference --keep-going --extension --apple --separator: --raw',
    {
      operands: 'look',
    },
  ),
  stat: byTable('-fLtx -c: -s -r -l -n -q --dereference --file-system --terse --format: --printf:', {
    operands: 'look',
    isTame: true,
  }),
  du: byTable(
    '-0abcDhHklLmPsSx -d: -t: -B: --all --apparent-size --bytes --total --max-depth: --human-readable --summarize --si --exclude: --threshold: --time? --block-size: --separate-dirs --one-file-system',
    {
      operands: 'look',
      isTame: true,
    },
  ),
  df: byTable(
    '-aBhHiklmPT -t: -x: --all --human-readable --inodes --local --total --type: --print-type --output? --portability --si',
    {
      operands: 'text',
    },
  ),
  readlink: byTable('-efmnqsvz --canonicalize --canonicalize-existing --canonicalize-missing --no-newline', {
    operands: 'look',
    isTame: true,
  }),
  realpath: byTable(
    '-emLPqsz --canonicalize-existing --canonicalize-missing --logical --physical --quiet --strip --no-symlinks --relative-to@ --relative-base@',
    {
      operands: 'look',
      isTame: true,
    },
  ),
  basename: byTable('-az -s: --multiple --suffix: --zero', { operands: 'text' }),
  dirname: byTable('-z --zero', { operands: 'text' }),
  grep: byTable(
    '-abcEFGhHiIlLnoPqrRsTUvVwxyzZ -A: -B: -C: -e: -f< -m: -d: -D: -# --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp: --file< --ignore-case --no-ignore-case --invert-match --word-regexp --line-regexp --count --color? --colour? --files-without-match --files-with-matches --max-count: --only-matching --quiet --silent --no-messages --byte-offset --with-filename --no-filename --label: --line-number --initial-tab --null --after-context: --before-context: --context: --text --binary-files: --exclude: --exclude-from< --exclude-dir: --include% --recursive --dereference-recursive --line-buffered --null-data --directories:',
    { operands: 'pattern', isTame: true, patternBy: ['-e', '-f', '--regexp', '--file'] },
  ),
  tree: byTable(
    '-aACdDfFghilnNpqQrsStuUvxXJ -H: -I: -L: -P: -T: --charset: --dirsfirst --du --noreport --gitignore --prune --matchdirs --sort: --filelimit: --si --inodes --device --timefmt: --ignore-case',
    {
      operands: 'look',
    },
  ),
  bat: byTable(
    '-AnpPuS -l: -r: -H: -m: --plain --number --show-all --style: --paging: --color: --language: --line-range: --highlight-line: --theme: --wrap: --tabs: --decorations: --no-pager --pager! --diff',
    {
      operands: 'read',
    },
  ),
  eza: byTable(EZA, { operands: 'look', isTame: true }),
  exa: byTable(EZA, { operands: 'look', isTame: true }),
  md5: byTable('-pqrtx -s:', { operands: 'look', isTame: true }),
  pathchk: byTable('-pP --portability', { operands: 'text' }),
  nm: byTable('-aAgnpruCDPSU --demangle? --dynamic --extern-only --undefined-only --defined-only --size-sort', {
    operands: 'read',
    readsWords: true,
  }),
  readelf: byTable('-ahlSstrdVnAWe --all --headers --symbols --sections --segments --dynamic --wide', {
    operands: 'read',
    readsWords: true,
  }),
  bc: byTable('-lqsw --mathlib --quiet', { operands: 'read' }),
  col: byTable('-bfhpx -l:', { operands: 'text' }),
  numfmt: byTable(
    '-d: --from: --to: --field: --format: --grouping --header? --invalid: --padding: --round: --suffix: --delimiter: --from-unit: --to-unit:',
    {
      operands: 'text',
    },
  ),
  cal: byTable('-13jmysw -# -n: -A: -B:', { operands: 'text' }),
  iconv: byTable('-f: -t: -lcs --from-code: --to-code: --list --silent', { operands: 'read' }),
  cloc: byTable('--json --csv --quiet --by-file --exclude-dir: --include-lang:', { operands: 'look' }),
  tokei: byTable('-fsh -e: -t: -o: -s: --exclude: --files --sort: --output:', { operands: 'look' }),
}

/** Programs that tell something about the machine, or print what they are given. */
export const tellers: Record<string, Judge> = {
  pwd: byTable('-LP', { operands: 'none' }),
  whoami: byTable('-', { operands: 'none' }),
  id: byTable('-agGnruzZ --group --groups --name --real --user --zero', { operands: 'text' }),
  groups: byTable('-', { operands: 'text' }),
  logname: byTable('-', { operands: 'none' }),
  tty: byTable('-s', { operands: 'none' }),
  uname: byTable(
    '-aimnoprsv --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system',
    {
      operands: 'none',
    },
  ),
  arch: byTable('-', { operands: 'none' }),
  nproc: byTable('--all --ignore:', { operands: 'none' }),
  uptime: byTable('-ps --pretty --since', { operands: 'none' }),
  free: byTable('-bhklmgtvw -s: -c: --bytes --kibi --mebi --gibi --human --total --wide --lohi --si', {
    operands: 'none',
  }),
  lscpu: byTable('-abcexJpy -s: -e? -p? --json --extended? --parse?', { operands: 'none' }),
  lsblk: byTable('-abdfilmnopPrStJ -o: --json --fs --output: --all', { operands: 'text' }),
  vmstat: byTable('-adfnstwDm -S:', { operands: 'text' }),
  pgrep: byTable(
    '-aclnovwxif -u: -P: -d: -g: -U: -t: -s: --count --list-name --list-full --full --newest --oldest --parent: --euid: --ignore-case --exact',
    {
      operands: 'text',
    },
  ),
  pidof: byTable('-sx', { operands: 'text' }),
  lsof: byTable('-abnPtlRUVw -i? -p: -u: -c: -s? -F? -g? -d:', { operands: 'text' }),
  who: byTable('-abdHlmpqrstTu', { operands: 'none' }),
  w: byTable('-hfios', { operands: 'none' }),
  locale: byTable('-a -m -c -k --all-locales --charmaps', { operands: 'text' }),
  getconf: byTable('-a -v:', { operands: 'text' }),
  sleep: byTable('-', { operands: 'text' }),
  seq: byTable('-f: -s: -w -# --format: --separator: --equal-width', { operands: 'text' }),
  expr: byTable('-', { operands: 'text' }),
  factor: byTable('-h --exponents', { operands: 'text' }),
  which: byTable('-as --all', { operands: 'text' }),
  whereis: byTable('-bmsu', { operands: 'text' }),
  ss: byTable('-aehilmnoprstuwx460 --all --listening --numeric --processes --tcp --udp --summary', {
    operands: 'none',
  }),
  netstat: byTable('-aeilnoprstuv --all --listening --numeric --programs --tcp --udp', { operands: 'none' }),
  true: byTable('-', { operands: 'text' }),
  false: byTable('-', { operands: 'text' }),
  ':': () => undefined,
}
