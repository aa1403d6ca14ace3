import {
  BARE,
  type CommandShape,
  type Completes,
  type OptionShape,
  optionsWithValue,
  type ProgramShape,
} from './describe-program.ts'

/** Completions for bash, from 3.2 (macOS) on: nothing is needed beside bash itself. */
export function bashCompletions(program: ProgramShape): string {
  const names = [...program.commands.map(({ name }) => name), 'help']
  return `# bash completions of maru, written by: maru completions bash
_maru() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" command='' waiting='' place=0 word i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    # bash cuts --lang=ko into three words.
    [[ $word == '=' ]] && continue
    if [[ -n $waiting ]]; then
      waiting=''
      [[ $word == -?* ]] || continue
    fi
    case "$word" in
      ${optionsWithValue(program).join(' | ')}) waiting="$word" ;;
      -?*) ;;
      *) if [[ -z $command ]]; then command="$word"; else place=$((place + 1)); fi ;;
    esac
  done
  [[ $cur == '=' ]] && cur=''
  if [[ $cur == --*=* ]]; then
    waiting="\${cur%%=*}"
    cur="\${cur#*=}"
  fi
  if [[ -n $waiting && $cur != -?* ]]; then
    case "\${command:-${BARE}} $waiting" in
${valueCases(program).join('\n')}
    esac
    return
  fi
  if [[ $cur == -* ]]; then
    _maru_words '${program.options.map(formsOf).join(' ')}'
    case "\${command:-${BARE}}" in
${program.commands.flatMap(optionCase).join('\n')}
    esac
    return
  fi
  if [[ -z $command ]]; then
    _maru_words '${names.join(' ')}'
    return
  fi
  case "$command $place" in
    'help 0') _maru_words '${program.commands.map(({ name }) => name).join(' ')}' ;;
${program.commands.flatMap(argumentCases).join('\n')}
  esac
}

_maru_words() {
  local word
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$cur")
}

_maru_paths() {
  local word
  # So that names with blanks are quoted and folders end with a slash; old versions do without.
  compopt -o filenames 2> /dev/null
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$1" -- "$cur")
}

complete -F _maru maru
`
}

function valueCases({ options, commands }: ProgramShape): string[] {
  const own = commands.flatMap(({ name, options }) => options.flatMap((option) => valueCase(option, `'${name} `)))
  return [...own, ...options.flatMap((option) => valueCase(option, "*' "))]
}

function valueCase({ long, short, value, completes }: OptionShape, before: string): string[] {
  const action = actionOf(completes)
  if (value === 'none' || action === undefined) return []
  const forms = short ? [long, short] : [long]
  return [`      ${forms.map((form) => `${before}${form}'`).join(' | ')}) ${action} ;;`]
}

function optionCase({ name, options }: CommandShape): string[] {
  if (options.length === 0) return []
  return [`      ${name}) _maru_words '${options.map(formsOf).join(' ')}' ;;`]
}

function argumentCases(command: CommandShape): string[] {
  return command.arguments.flatMap(({ completes, many }, place) => {
    const action = actionOf(completes)
    return action === undefined
      ? []
      : [`    ${many ? `'${command.name} '*` : `'${command.name} ${place}'`}) ${action} ;;`]
  })
}

function actionOf(completes: Completes): string | undefined {
  switch (completes.kind) {
    case 'choices':
      return `_maru_words '${completes.choices.join(' ')}'`
    case 'files':
      return '_maru_paths -f'
    case 'folders':
      return '_maru_paths -d'
    case 'anything':
      return undefined
    default:
      return completes satisfies never
  }
}

function formsOf({ long, short }: OptionShape): string {
  return short ? `${short} ${long}` : long
}
