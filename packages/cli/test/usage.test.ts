import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CliError } from '../src/cli-error.ts'
import { defineCommand } from '../src/command.ts'
import { EXIT } from '../src/exit-code.ts'
import type { CommandEntry } from '../src/registry.ts'
import { makeDirectory, run } from './run.ts'

test.each([
  [['docter'], 'maru: unknown command "docter"; did you mean "doctor"? Run "maru -h" to see all commands\n'],
  [['teleport'], 'maru: unknown command "teleport"; run "maru -h" to see all commands\n'],
  [['constructor'], 'maru: unknown command "constructor"; run "maru -h" to see all commands\n'],
  [['--jsno'], 'maru: unknown option "--jsno"; did you mean "--json"? See "maru -h"\n'],
  [['doctor', '-json'], 'maru: unknown option "-json"; did you mean "--json"? See "maru doctor -h"\n'],
  [['doctor', '--zzzzzz'], 'maru: unknown option "--zzzzzz"; see "maru doctor -h"\n'],
  [['doctor', '--repo'], 'maru: option "--repo" needs a value; see "maru doctor -h"\n'],
  [['doctor', '--quiet=1'], 'maru: option "--quiet" takes no value; see "maru doctor -h"\n'],
  [['doctor', '--lang', 'kr'], 'maru: "kr" is not one of: ko, en; did you mean "ko"? See "maru doctor -h"\n'],
  [['doctor', 'now'], 'maru: "now" is one argument too many; see "maru doctor -h"\n'],
  [['config'], 'maru: list|get|set is missing; see "maru config -h"\n'],
  [['config', 'gte'], 'maru: "gte" is not one of: list, get, set; did you mean "get"? See "maru config -h"\n'],
  [['doctor', '--repo', '/nowhere/at/all'], 'maru: /nowhere/at/all is not a directory; name one with --repo\n'],
  [['\x1b]0;x\x07'], 'maru: unknown command "\\x1b]0;x\\x07"; run "maru -h" to see all commands\n'],
])('%j is wrong usage, and the error says what was meant', async (args, stderr) => {
  expect(await run(args)).toEqual({ code: 2, stdout: '', stderr })
})

test('errors are told in the chosen language', async () => {
  const stderr = 'maru: "docter"라는 명령은 없습니다. 혹시 "doctor"입니까? 전체 명령은 "maru -h"에 있습니다\n'
  expect(await run(['docter', '--lang', 'ko'])).toEqual({ code: 2, stdout: '', stderr })
  expect(await run(['docter'], { env: { MARU_LANG: 'ko' } })).toEqual({ code: 2, stdout: '', stderr })
  expect(await run(['docter'], { env: { LANG: 'ko_KR.UTF-8' } })).toEqual({ code: 2, stdout: '', stderr })
  expect((await run(['docter'], { env: { LC_ALL: 'C', LANG: 'ko_KR.UTF-8' } })).stderr).toContain('unknown command')
  const home = await makeDirectory({ 'config.json': '{ "lang": "ko" }' })
  expect(await run(['docter'], { env: { MARU_HOME: home, LANG: 'en_US.UTF-8' } })).toEqual({
    code: 2,
    stdout: '',
    stderr,
  })
})

test('with --json an error is a line on stdout too', async () => {
  const message = 'unknown option "--jsno"; did you mean "--json"? See "maru doctor -h"'
  expect(await run(['doctor', '--json', '--jsno'])).toEqual({
    code: 2,
    stdout: `${JSON.stringify({ type: 'error', code: 'usage', message })}\n`,
    stderr: `maru: ${message}\n`,
  })
})

function only(command: ReturnType<typeof defineCommand>): { try: CommandEntry } {
  return { try: { summary: 'command.demo', load: async () => command } }
}

test('a command gets its options, positionals and surroundings', async () => {
  const seen: unknown[] = []
  const command = defineCommand({
    usage: ['try FILE…'],
    options: {
      deep: { kind: 'flag', summary: 'option.json' },
      name: { kind: 'value', value: 'N', summary: 'option.lang' },
    },
    positionals: [{ name: 'FILE', many: true }],
    async run({ options, positionals, json, lang, home, stdin, notice, style }) {
      for await (const chunk of stdin) seen.push(String(chunk))
      const deep: boolean = options.deep
      const name: string | undefined = options.name
      seen.push(deep, name, options.quiet, positionals, json, lang, home, style.red('x'))
      await notice('not with --quiet')
      return EXIT.denied
    },
  })
  const args = ['--quiet', 'try', '--deep', 'a', '--name', 'n', 'b', '--', '-c']
  const env = { MARU_HOME: '/h', FORCE_COLOR: '1' }
  expect(await run(args, { commands: only(command), env, cwd: '/', stdin: 'input' })).toEqual({
    code: 3,
    stdout: '',
    stderr: '',
  })
  expect(seen).toEqual(['input', true, 'n', true, ['a', 'b', '-c'], false, 'en', '/h', '\x1b[31mx\x1b[39m'])
})

test('an expected failure is one line and its exit code; details come with --verbose', async () => {
  const command = defineCommand({
    usage: ['try'],
    options: {},
    positionals: [],
    run: async () => {
      throw new CliError('gone', 'the file\nis gone', { details: ['first', 'second'] })
    },
  })
  const calls = { commands: only(command) }
  expect(await run(['try'], calls)).toEqual({ code: 1, stdout: '', stderr: 'maru: the file\\nis gone\n' })
  expect((await run(['try', '--verbose'], calls)).stderr).toBe('maru: the file\\nis gone\n  first\n  second\n')
})

test('a bug is one line that says how to see more', async () => {
  const command = defineCommand({
    usage: ['try'],
    options: {},
    positionals: [],
    run: async () => {
      throw new TypeError('x is not a function')
    },
  })
  const calls = { commands: only(command) }
  const line = 'maru: internal error: x is not a function; run it again with --verbose to see where\n'
  expect(await run(['try'], calls)).toEqual({ code: 1, stdout: '', stderr: line })
  const verbose = await run(['try', '--verbose'], calls)
  expect(verbose.stderr).toContain('usage.test.ts')
})

test('a place that cannot be used is said as that, not as a bug', async () => {
  const home = join(import.meta.dirname, 'usage.test.ts/below')
  for (const args of [['sessions'], ['run', 'hi']]) {
    const env = { MARU_HOME: home, ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }
    const { code, stderr } = await run(args, { env, cwd: import.meta.dirname })
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`maru: ${home}`) })
    expect(stderr).toContain('cannot be used: part of the path is not a directory')
  }
})

test('an interrupted command ends with 130 and says nothing', async () => {
  const stop = new AbortController()
  const command = defineCommand({
    usage: ['try'],
    options: {},
    positionals: [],
    run: async ({ signal }) => {
      stop.abort()
      signal.throwIfAborted()
      return EXIT.done
    },
  })
  const calls = { commands: only(command), signal: stop.signal }
  expect(await run(['try'], calls)).toEqual({ code: 130, stdout: '', stderr: '' })
})

test('the repository is the git root around, or the folder itself without git', async () => {
  const root = await makeDirectory({ 'with/.git/HEAD': '', 'with/a/b/c.txt': '', 'without/a/c.txt': '' })
  const seen: string[] = []
  const command = defineCommand({
    usage: ['try'],
    options: {},
    positionals: [],
    run: async (invocation) => {
      seen.push(invocation.repo().slice(root.length))
      return EXIT.done
    },
  })
  const commands = only(command)
  await run(['try'], { commands, cwd: `${root}/with/a/b` })
  await run(['try', '--repo', 'with/a'], { commands, cwd: root })
  await run(['try', '--repo', `${root}/without/a`], { commands })
  expect(seen).toEqual(['/with', '/with', '/without/a'])
})
