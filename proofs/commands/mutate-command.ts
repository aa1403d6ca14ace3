import type { Random } from '../../bench/patches/random.ts'

/** A command as words, which can be written in many ways, and what follows them as it is. */
export interface Dangerous {
  readonly words: readonly string[]
  readonly rest?: string
}

/** Writes a command in a way that bash reads as the same one: quoted, split, computed, wrapped, carried. */
export function mutateCommand({ words, rest = '' }: Dangerous, random: Random): string {
  let line = `${writeWords(words, random)}${rest === '' ? '' : ` ${rest}`}`
  for (let layers = random.below(4); layers > 0; layers--) line = random.pick(WRAPPERS)(line, random)
  return line
}

function writeWords(words: readonly string[], random: Random): string {
  const [name = '', ...args] = words.map((word) => writeWord(word, random))
  const plain = words.every((word) => /^[\w./:-]+$/.test(word))
  switch (random.below(plain ? 8 : 5)) {
    case 0:
      return `v1=${quote(words[0] ?? '')}; $v1 ${args.join(' ')}`
    case 1:
      return `v2=${quote(words.map(quote).join(' '))}; eval "$v2"`
    case 2:
      return `2>/dev/null ${name} ${args.join(' ')}`
    case 5:
      return `{${words.join(',')}}`
    case 6:
      return `$(echo ${name}) ${args.join(' ')}`
    case 7:
      return `IFS=,; v3=${words.join(',')}; $v3`
    default:
      return [name, ...args].join(random.chance(0.1) ? ' \\\n ' : ' ')
  }
}

function writeWord(word: string, random: Random): string {
  if (random.chance(0.4) && /^[\w@%+=:,./-]+$/.test(word)) return word
  switch (random.below(6)) {
    case 0:
      return quote(word)
    case 1:
      return `"${word.replace(/["$`\\]/g, '\\$&')}"`
    case 2:
      return `$'${[...word].map((sign) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')}'`
    case 3:
      return `$'${[...word].map((sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`).join('')}'`
    case 4:
      return [...word]
        .map((sign) => (random.chance(0.3) ? quote(sign) : /\w/.test(sign) ? sign : `\\${sign}`))
        .join(random.chance(0.2) ? "''" : '')
    default:
      return [...word]
        .map((sign) =>
          /\w/.test(sign) && random.chance(0.2) ? `\\\n${sign}` : /[\w./-]/.test(sign) ? sign : `\\${sign}`,
        )
        .join('')
  }
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

const HARMLESS = ['ls', 'git status', 'echo hi', 'true', 'cat package.json', 'pwd']

const WRAPPERS: readonly ((line: string, random: Random) => string)[] = [
  (line, random) => `${random.pick(HARMLESS)}; ${line}`,
  (line, random) => `${random.pick(HARMLESS)} && ${line}`,
  (line) => `false || ${line}`,
  (line, random) => `${random.pick(HARMLESS)} | { ${line}\n}`,
  (line) => `{ ${line}\n} | cat`,
  (line, random) => `${line}\n${random.pick(HARMLESS)}`,
  (line, random) => `${random.pick(HARMLESS)} # a comment\n${line}`,
  (line) => `(${line}\n)`,
  (line) => `{ ${line}\n}`,
  (line) => `! { ${line}\n}`,
  (line) => `echo "$(${line}\n)"`,
  (line) => `ls $(${line}\n)`,
  (line) => `echo \`${line.replace(/[`\\$]/g, '\\$&')}\n\``,
  (line) => `cat <(${line}\n)`,
  (line) => `cat <<< "$(${line}\n)"`,
  (line) => `cat <<END\n$(${line}\n)\nEND`,
  (line) => `if true; then ${line}\nfi`,
  (line) => `if ${line}\nthen :; fi`,
  (line) => `while ${line}\ndo break; done`,
  (line) => `for i in 1; do ${line}\ndone`,
  (line) => `for i in $(${line}\n); do :; done`,
  (line) => `case x in x) ${line}\n;; esac`,
  (line) => `case $(${line}\n) in *) :;; esac`,
  (line) => `f() { ${line}\n}; f`,
  (line) => `x=$(${line}\n)`,
  (line) => `x=1 y=$(${line}\n) ls`,
  (line) => `echo \${x:-$(${line}\n)}`,
  (line) => `echo "\${x/a/$(${line}\n)}"`,
  (line) => `echo $(( 1 + $(${line}\n) ))`,
  (line) => `(( a[$(${line}\n)] ))`,
  (line) => `[[ -n $(${line}\n) ]]`,
  (line) => `[ -n "$(${line}\n)" ]`,
  (line) => `ls > /dev/null 2>&1; ${line}`,
  (line) => `time ${line}`,
  (line) => `${line} &`,
  (line) => `bash -c ${quote(line)}`,
  (line) => `/bin/sh -c ${quote(line)}`,
  (line) => `bash --norc -ec ${quote(line)}`,
  (line) => `eval ${quote(line)}`,
  (line) => `env bash -c ${quote(line)}`,
  (line) => `timeout 5 bash -c ${quote(line)}`,
  (line) => `nice -n 5 sh -c ${quote(line)}`,
  (line) => `nohup bash -c ${quote(line)}`,
  (line) => `command bash -c ${quote(line)}`,
  (line) => `exec bash -c ${quote(line)}`,
  (line) => `xargs -0 bash -c ${quote(line)}`,
  (line) => `find . -name x -exec bash -c ${quote(line)} \\;`,
  (line) => `bash <<'END'\n${line}\nEND`,
  (line) => `printf %s ${quote(line)} | bash`,
  (line) => `source <(printf %s ${quote(line)})`,
  (line) => `trap ${quote(line)} EXIT`,
  (line) => `c=${quote(line)}; eval "$c"`,
]
