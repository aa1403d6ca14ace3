import {
  BARE,
  type CommandShape,
  type Completes,
  type OptionShape,
  optionsWithValue,
  type ProgramShape,
} from './describe-program.ts'

/** Completions for fish, from 3.0 on. */
export function fishCompletions(program: ProgramShape): string {
  const { options, commands } = program
  return `# fish completions of maru, written by: maru completions fish
# The command and how many words stand behind it, without options and their values.
function __maru_words
    set -l words (commandline -opc)
    set -e words[1]
    set -l waiting 0
    for word in $words
        if test $waiting = 1
            set waiting 0
            string match -q -- '-?*' $word; or continue
        end
        switch $word
            case ${optionsWithValue(program).map(quoted).join(' ')}
                set waiting 1
            case '-?*'
            case '*'
                echo $word
        end
    end
end

function __maru_at
    set -l words (__maru_words)
    test (count $words) -gt 0; and test $words[1] = $argv[1]; or return 1
    test (count $argv) -lt 2; or test (count $words) = (math $argv[2] + 1)
end

function __maru_bare
    test (count (__maru_words)) = 0
end

complete -c maru -f
${[
  ...options.map((option) => optionLine(option, '')),
  ...commands.map(({ name, summary }) => `complete -c maru -n __maru_bare -a ${name} -d ${quoted(summary)}`),
  `complete -c maru -n '__maru_at help 0' -a '${commands.map(({ name }) => name).join(' ')}'`,
  ...commands.flatMap(commandLines),
].join('\n')}
`
}

function commandLines({ name, options, arguments: args }: CommandShape): string[] {
  const own = options.map((option) =>
    optionLine(option, ` -n '__maru_at ${name}${name === BARE ? '; or __maru_bare' : ''}'`),
  )
  const places = args.flatMap(({ completes, many }, place) => {
    if (completes.kind === 'anything') return []
    const when = many ? `__maru_at ${name}` : `__maru_at ${name} ${place}`
    return [`complete -c maru -n '${when}' ${placeOf(completes)}`]
  })
  return [...own, ...places]
}

function optionLine({ long, short, value, completes, summary }: OptionShape, when: string): string {
  const forms = `${short ? ` -s ${short.slice(1)}` : ''} -l ${long.slice(2)}`
  const after = value === 'needed' ? ` ${afterOption(completes)}` : ''
  return `complete -c maru${when}${forms}${after} -d ${quoted(summary)}`
}

function afterOption(completes: Completes): string {
  return completes.kind === 'files' ? '-r -F' : completes.kind === 'anything' ? '-x' : `-x ${placeOf(completes)}`
}

function placeOf(completes: Completes): string {
  switch (completes.kind) {
    case 'choices':
      return `-a '${completes.choices.join(' ')}'`
    case 'files':
      return '-F'
    case 'folders':
      return "-a '(__fish_complete_directories)'"
    case 'anything':
      return ''
    default:
      return completes satisfies never
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`
}
