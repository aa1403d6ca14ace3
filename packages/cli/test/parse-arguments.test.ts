import { expect, test } from 'vitest'
import { editDistance, nearest } from '../src/nearest.ts'
import type { OptionTable } from '../src/option.ts'
import { parseArguments } from '../src/parse-arguments.ts'

const table: OptionTable = {
  json: { kind: 'flag', summary: 'option.json' },
  help: { kind: 'flag', short: 'h', summary: 'option.help' },
  model: { kind: 'value', value: 'NAME', short: 'm', summary: 'option.lang' },
  mode: { kind: 'value', value: 'ask|yes', choices: ['ask', 'yes'], summary: 'option.lang' },
  resume: { kind: 'optional-value', value: 'ID', summary: 'option.lang' },
  root: { kind: 'list', value: 'DIR', summary: 'option.lang' },
}
const nothing = { json: false, help: false, model: undefined, mode: undefined, resume: undefined, root: [] }

test.each([
  { args: [], options: {}, positionals: [] },
  { args: ['--json', 'a', '-h', 'b'], options: { json: true, help: true }, positionals: ['a', 'b'] },
  { args: ['--model', 'x', '--mode=yes'], options: { model: 'x', mode: 'yes' }, positionals: [] },
  { args: ['-m', 'x'], options: { model: 'x' }, positionals: [] },
  { args: ['-mx'], options: { model: 'x' }, positionals: [] },
  { args: ['--model=--json'], options: { model: '--json' }, positionals: [] },
  { args: ['--model=a=b'], options: { model: 'a=b' }, positionals: [] },
  { args: ['--model', '-'], options: { model: '-' }, positionals: [] },
  { args: ['--model', '-5'], options: { model: '-5' }, positionals: [] },
  { args: ['--model', 'a', '--model', 'b'], options: { model: 'b' }, positionals: [] },
  { args: ['--resume', '--json'], options: { resume: true, json: true }, positionals: [] },
  { args: ['--resume', 'id'], options: { resume: 'id' }, positionals: [] },
  { args: ['--root', 'a', '--root=b'], options: { root: ['a', 'b'] }, positionals: [] },
  { args: ['-', '--', '--json', '--'], options: {}, positionals: ['-', '--json', '--'] },
])('reads $args', ({ args, options, positionals }) => {
  expect(parseArguments(args, table)).toEqual({ options: { ...nothing, ...options }, positionals, problems: [] })
})

test.each([
  [['--jsno'], { kind: 'unknown-option', option: '--jsno' }],
  [['--jsno=3'], { kind: 'unknown-option', option: '--jsno' }],
  [['--constructor'], { kind: 'unknown-option', option: '--constructor' }],
  [['-x'], { kind: 'unknown-option', option: '-x' }],
  [['-hx'], { kind: 'unknown-option', option: '-hx' }],
  [['--model'], { kind: 'value-missing', option: '--model' }],
  [['--model', '--json'], { kind: 'value-missing', option: '--model' }],
  [['--json=yes'], { kind: 'value-unwanted', option: '--json' }],
  [['--mode', 'no'], { kind: 'value-wrong', option: '--mode', value: 'no', choices: ['ask', 'yes'] }],
])('finds what is wrong with %j', (args, problem) => {
  expect(parseArguments(args, table).problems).toEqual([problem])
})

test('what is right beside a mistake still counts', () => {
  const { options, problems } = parseArguments(['--nope', '--json'], table)
  expect([options['json'], problems.length]).toEqual([true, 1])
})

test('before a command, everything from the first positional on is left alone', () => {
  const { options, positionals } = parseArguments(['--json', 'run', '--model', '-x'], table, { stopAtPositional: true })
  expect([options['json'], positionals]).toEqual([true, ['run', '--model', '-x']])
})

test.each([
  ['', '', 0],
  ['model', 'model', 0],
  ['modle', 'model', 1],
  ['mdel', 'model', 1],
  ['model', 'mode', 1],
  ['', 'abc', 3],
  ['kitten', 'sitting', 3],
])('from %j to %j it is %i edits', (a, b, edits) => {
  expect([editDistance(a, b), editDistance(b, a)]).toEqual([edits, edits])
})

test.each([
  ['docter', 'doctor'],
  ['DOCTOR', 'doctor'],
  ['rep', 'replay'],
  ['xyz', undefined],
  ['a'.repeat(100_000), undefined],
])('the nearest to %.20s is %s', (written, meant) => {
  expect(nearest(written, ['doctor', 'replay', 'config'])).toBe(meant)
})
