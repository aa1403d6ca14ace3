import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTranslator } from '@maru/i18n'
import { beforeAll, describe, expect, test } from 'vitest'
import { bashCompletions } from '../../src/completions/bash.ts'
import { describeProgram, type ProgramShape } from '../../src/completions/describe-program.ts'
import { fishCompletions } from '../../src/completions/fish.ts'
import { powershellCompletions } from '../../src/completions/powershell.ts'
import { zshCompletions } from '../../src/completions/zsh.ts'
import { commands } from '../../src/registry.ts'
import { makeDirectory, run } from '../run.ts'

const WRITERS = {
  bash: bashCompletions,
  zsh: zshCompletions,
  fish: fishCompletions,
  powershell: powershellCompletions,
}
const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

let program: ProgramShape
beforeAll(async () => {
  program = await describeProgram(commands, createTranslator('en'))
})

describe.each(SHELLS)('%s', (shell) => {
  test('has every command, every option and every choice', () => {
    const script = WRITERS[shell](program)
    const options = [...program.options, ...program.commands.flatMap((command) => command.options)]
    const places = [...options, ...program.commands.flatMap((command) => command.arguments)]
    const choices = places.flatMap(({ completes }) => (completes.kind === 'choices' ? completes.choices : []))
    // fish writes options without their dashes.
    const names = options.map(({ long }) => (shell === 'fish' ? `-l ${long.slice(2)} ` : long))
    const wanted = [...program.commands.map(({ name }) => name), ...names, ...choices]
    expect(wanted.filter((word) => !script.includes(word))).toEqual([])
  })

  test('is what the command prints, in the reader’s language', async () => {
    const korean = await describeProgram(commands, createTranslator('ko'))
    expect(await run(['completions', shell, '--lang', 'ko'])).toEqual({
      code: 0,
      stdout: WRITERS[shell](korean),
      stderr: '',
    })
    const { stdout } = await run(['completions', shell, '--json'])
    expect(JSON.parse(stdout)).toEqual({ shell, script: WRITERS[shell](program) })
  })
})

test('a shell that it does not know is told with those it knows', async () => {
  const { code, stderr } = await run(['completions', 'zhs'])
  expect([code, stderr]).toEqual([
    2,
    'maru: "zhs" is not one of: bash, zsh, fish, powershell; did you mean "zsh"? See "maru completions -h"\n',
  ])
})

test('what stands in quotes in a shell cannot end them', () => {
  const summary = `it's "a" [b]: \\c \u2019d`
  const option = { ...plainOption, summary }
  const odd: ProgramShape = {
    options: [option],
    commands: [{ name: 'run', summary, details: undefined, usage: [], options: [option], arguments: [] }],
  }
  expect(zshCompletions(odd)).toContain(`'--x=[it'\\''s "a" \\[b\\]\\: \\\\c \u2019d]:X: '`)
  expect(fishCompletions(odd)).toContain(`-d 'it\\'s "a" [b]: \\\\c \u2019d'`)
  expect(powershellCompletions(odd)).toContain(`'it''s "a" [b]: \\c \u2019\u2019d'`)
})

const plainOption = {
  long: '--x',
  short: undefined,
  value: 'needed',
  many: false,
  placeholder: 'X',
  completes: { kind: 'anything' },
} as const

describe('in a real bash', () => {
  /** What bash offers where the last of the words is being typed. */
  async function offers(...words: string[]): Promise<string[]> {
    const folder = await makeDirectory({ 'a file.jsonl': '', 'notes/x': '', 'run.txt': '' })
    writeFileSync(join(folder, 'maru.bash'), bashCompletions(program))
    const script = `source ./maru.bash; complete -p maru > /dev/null || exit 9
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _maru; printf '%s\\n' "\${COMPREPLY[@]}"`
    const args = ['--norc', '--noprofile', '-c', script, 'bash', 'maru', ...words]
    const printed = execFileSync('bash', args, { cwd: folder, encoding: 'utf8' })
    return printed.split('\n').filter((line) => line !== '')
  }

  test('commands come first, and those that begin as typed', async () => {
    expect(await offers('')).toEqual([...Object.keys(commands), 'help'])
    expect(await offers('co')).toEqual(['context', 'config', 'completions'])
    expect(await offers('--lang', 'ko', 'doc')).toEqual(['doctor'])
    expect(await offers('--json', '--repo', 'run', 'doc')).toEqual(['doctor'])
    expect(await offers('help', 'doc')).toEqual(['doctor'])
  })

  test('options are those of the command and those of every command', async () => {
    expect(await offers('--la')).toEqual(['--lang'])
    expect(await offers('run', '--mo')).toEqual(['--model', '--mode'])
    expect(await offers('doctor', '--mo')).toEqual([])
    // Without a command it is the agent.
    expect(await offers('--conti')).toEqual(['--continue'])
    expect(await offers('--mode', 'r')).toEqual(['read-only'])
    expect(await offers('run', 'some', 'words', '--dry')).toEqual(['--dry-run'])
  })

  test('a value is one of its choices, also behind an equals sign', async () => {
    expect(await offers('run', '--mode', '')).toEqual(['ask', 'auto', 'read-only', 'yes'])
    expect(await offers('run', '--mode', 'r')).toEqual(['read-only'])
    expect(await offers('run', '--mode', '=', 'r')).toEqual(['read-only'])
    expect(await offers('run', '--mode', '=')).toEqual(['ask', 'auto', 'read-only', 'yes'])
    expect(await offers('run', '--mode=r')).toEqual(['read-only'])
    expect(await offers('--lang', '')).toEqual(['ko', 'en'])
    expect(await offers('run', '--model', '')).toEqual([])
  })

  test('arguments are offered in their place, files as files and folders as folders', async () => {
    expect(await offers('config', '')).toEqual(['list', 'get', 'set'])
    expect(await offers('config', 'get', '')).toEqual([])
    expect(await offers('completions', '')).toEqual(['bash', 'zsh', 'fish', 'powershell'])
    expect((await offers('replay', '')).sort()).toEqual(['a file.jsonl', 'maru.bash', 'notes', 'run.txt'])
    expect(await offers('run', '--session', 'a')).toEqual(['a file.jsonl'])
    expect(await offers('run', '--repo', '')).toEqual(['notes'])
  })
})

const has = (name: string) => spawnSync(name, ['--version']).status === 0

test('zsh can read its script', async (context) => {
  if (!has('zsh')) context.skip('zsh is not installed')
  const folder = await makeDirectory({ _maru: zshCompletions(program) })
  execFileSync('zsh', ['-n', join(folder, '_maru')])
})

test('fish offers commands, options, choices and files', async (context) => {
  if (!has('fish')) context.skip('fish is not installed')
  const folder = await makeDirectory({ 'maru.fish': fishCompletions(program), 'a.jsonl': '' })
  const offers = (line: string) => {
    const script = `source maru.fish; complete -C '${line}'`
    const printed = execFileSync('fish', ['--no-config', '-c', script], { cwd: folder, encoding: 'utf8' })
    return printed.split('\n').flatMap((row) => (row === '' ? [] : [row.split('\t')[0]]))
  }
  expect(offers('maru doc')).toEqual(['doctor'])
  expect(offers('maru --lang ko run --mod')).toEqual(['--mode', '--model'])
  expect(offers('maru run --mode r')).toEqual(['read-only'])
  expect(offers('maru config ')).toEqual(['get', 'list', 'set'])
  expect(offers('maru replay a')).toEqual(['a.jsonl'])
})
