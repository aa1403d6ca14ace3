import {
  BARE,
  type CommandShape,
  type Completes,
  type OptionShape,
  optionsWithValue,
  type ProgramShape,
} from './describe-program.ts'

/** Completions for PowerShell, from 5.1 on. Where nothing is offered, it offers files by itself. */
export function powershellCompletions(program: ProgramShape): string {
  const { options, commands } = program
  const values = [
    ...options.flatMap((option) => valueRows('', option)),
    ...commands.flatMap(({ name, options: own }) => own.flatMap((option) => valueRows(name, option))),
  ]
  return `# PowerShell completions of maru, written by: maru completions powershell
Register-ArgumentCompleter -Native -CommandName maru -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $commands = [ordered]@{
${commands.map(({ name, summary }) => `    ${quoted(name)} = ${quoted(summary)}`).join('\n')}
  }
  $options = @{
    '' = [ordered]@{ ${options.flatMap(optionRows).join('; ')} }
${commands.map(({ name, options: own }) => `    ${quoted(name)} = [ordered]@{ ${own.flatMap(optionRows).join('; ')} }`).join('\n')}
  }
  $values = @{
${values.map((row) => `    ${row}`).join('\n')}
  }
  $places = @{
    'help 0' = @(${commands.map(({ name }) => quoted(name)).join(', ')})
${commands
  .flatMap(placeRows)
  .map((row) => `    ${row}`)
  .join('\n')}
  }
  $taking = @(${optionsWithValue(program).map(quoted).join(', ')})
  $command = ''
  $waiting = ''
  $place = 0
  $before = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursorPosition })
  foreach ($element in $before) {
    $word = "$element"
    if ($waiting -ne '' -and $word -notlike '-?*') { $waiting = ''; continue }
    $waiting = ''
    if ($taking -ccontains $word) { $waiting = $word }
    elseif ($word -like '-?*') { }
    elseif ($command -eq '') { $command = $word }
    else { $place++ }
  }
  $owner = if ($command -eq '') { '${BARE}' } else { $command }
  $found = [ordered]@{}
  if ($waiting -ne '' -and $wordToComplete -notlike '-?*') {
    foreach ($name in @("$owner $waiting", " $waiting")) {
      if ($values.ContainsKey($name)) { foreach ($value in $values[$name]) { $found[$value] = $value }; break }
    }
  }
  elseif ($wordToComplete -like '-*') {
    foreach ($name in @('', $owner)) {
      if ($options.ContainsKey($name)) { foreach ($row in $options[$name].GetEnumerator()) { $found[$row.Key] = $row.Value } }
    }
  }
  elseif ($command -eq '') { $found = $commands }
  elseif ($places.ContainsKey("$command $place")) { foreach ($value in $places["$command $place"]) { $found[$value] = $value } }
  foreach ($row in $found.GetEnumerator()) {
    if ($row.Key -like "$([WildcardPattern]::Escape($wordToComplete))*") {
      [System.Management.Automation.CompletionResult]::new($row.Key, $row.Key, 'ParameterValue', $row.Value)
    }
  }
}
`
}

function optionRows({ long, short, summary }: OptionShape): string[] {
  return (short ? [short, long] : [long]).map((form) => `${quoted(form)} = ${quoted(summary)}`)
}

function valueRows(command: string, { long, short, value, completes }: OptionShape): string[] {
  if (value === 'none' || completes.kind !== 'choices') return []
  return (short ? [short, long] : [long]).map((form) => `${quoted(`${command} ${form}`)} = ${listOf(completes)}`)
}

function placeRows({ name, arguments: args }: CommandShape): string[] {
  return args.flatMap(({ completes }, place) =>
    completes.kind === 'choices' ? [`${quoted(`${name} ${place}`)} = ${listOf(completes)}`] : [],
  )
}

function listOf({ choices }: Extract<Completes, { kind: 'choices' }>): string {
  return `@(${choices.map(quoted).join(', ')})`
}

// PowerShell takes typographic quotes for quotes too.
function quoted(text: string): string {
  return `'${text.replaceAll(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`
}
