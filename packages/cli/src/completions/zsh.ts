import {
  type ArgumentShape,
  BARE,
  type CommandShape,
  type Completes,
  type OptionShape,
  type ProgramShape,
} from './describe-program.ts'

/** Completions for zsh: a file for `fpath`, which may also be sourced. */
export function zshCompletions({ options, commands }: ProgramShape): string {
  return `#compdef maru
# zsh completions of maru, written by: maru completions zsh
_maru() {
  local context state state_descr line
  typeset -A opt_args
  local -a all bare names
  all=(
${options.map((option) => `    ${optionSpec(option)}`).join('\n')}
  )
  bare=(
${(commands.find(({ name }) => name === BARE)?.options ?? []).map((option) => `    ${optionSpec(option)}`).join('\n')}
  )
  names=(
${commands.map(({ name, summary }) => `    ${quoted(`${name}:${summary.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  _arguments -C $all $bare '1: :->command' '*:: :->rest' && return
  case $state in
    command) _describe -t commands 'maru' names ;;
    rest)
      case $words[1] in
        help) _arguments '1: :(${commands.map(({ name }) => name).join(' ')})' ;;
${commands.map(commandCase).join('\n')}
      esac
      ;;
  esac
}

# By way of fpath the file itself is the function; sourced, it only says that there is one.
if [[ $funcstack[1] == _maru ]]; then _maru "$@"; else compdef _maru maru; fi
`
}

function commandCase({ name, options, arguments: args }: CommandShape): string {
  const specs = ['$all', ...options.map(optionSpec), ...args.map(argumentSpec)]
  return `        ${name}) _arguments ${specs.join(' \\\n          ')} ;;`
}

function optionSpec({ long, short, value, many, placeholder, completes, summary }: OptionShape): string {
  const told = `[${summary.replaceAll(/[[\]\\:]/g, '\\$&')}]`
  const colon = value === 'optional' ? '::' : ':'
  const after = value === 'none' ? '' : `${colon}${placeholder.replaceAll(':', '\\:')}:${actionOf(completes)}`
  // A value may follow as the next word or behind an equals sign.
  const form = value === 'none' ? long : `${long}=`
  if (short) return `'(${short} ${long})'{${short},${form}}${quoted(told + after)}`
  return quoted(`${many ? '*' : ''}${form}${told}${after}`)
}

function argumentSpec({ name, many, completes }: ArgumentShape, index: number): string {
  return quoted(`${many ? '*' : index + 1}:${name}:${actionOf(completes)}`)
}

function actionOf(completes: Completes): string {
  switch (completes.kind) {
    case 'choices':
      return `(${completes.choices.join(' ')})`
    case 'files':
      return '_files'
    case 'folders':
      return '_files -/'
    case 'anything':
      return ' '
    default:
      return completes satisfies never
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
