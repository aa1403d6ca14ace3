import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allMessages } from '@maru/i18n'
import { expect, test } from 'vitest'
import { commands } from '../src/registry.ts'
import { displayWidth } from '../src/terminal/width.ts'
import { run } from './run.ts'

test('help in English', async () => {
  expect(await run(['-h'])).toEqual({
    code: 0,
    stderr: '',
    stdout: `Usage: maru [options] COMMAND

Maru is an AI coding agent that runs on your own machine.

Commands:
  agent        Work with the agent in this terminal (also: maru alone)
  run          Do one task with tools, then exit
  attach       Take part in a session that a server runs
  ask          Answer one question, without tools
  chat         Talk, without tools
  demo         Take a tour in a throw-away repository, without any key
  replay       Walk through a session again, without model or side effects
  sessions     List sessions; show, export, fork, summarise or delete them
  reset        Let the model forget the conversation; the log keeps it
  context      Show what fills the context, what it costs, what was dropped
  search       Find words in everything that was said
  tools        List the tools, or run one by hand
  apply        Apply a patch, as forgiving as the agent and as careful
  diff         Show what the agent changed
  undo         Take back what a run changed
  policy       Say why a command is allowed, asked about or denied
  redact       Mask the secrets in a text
  import       Bring in what was said elsewhere
  serve        Serve history and agents to browsers, phones, terminals
  user         Add, list or remove people of this history
  token        Make, list or revoke tokens for the server
  db           Look after the database of the history
  config       Show what is configured, and change your own settings
  doctor       Check this machine and say what to do
  completions  Write completions for your shell

Options:
  --repo PATH   The repository (default: the git root around you)
  --lang ko|en  The language
  --json        JSON on stdout and nothing else
  --quiet       Say only what matters
  --verbose     Say more, with details of errors
  --no-color    No colours (also: NO_COLOR=1)
  -h, --help    This help
  --version     The version

Run "maru COMMAND -h" to learn more about a command.
`,
  })
})

test('help of a command in Korean', async () => {
  expect(await run(['config', '-h', '--lang', 'ko'])).toEqual({
    code: 0,
    stderr: '',
    stdout: `사용법: maru config list
        maru config get KEY
        maru config set KEY VALUE

설정을 보여 주고 내 설정을 바꿉니다

설정은 옵션, 환경 변수, MARU_HOME(기본값 ~/.maru)의 config.json, 저장소의
maru.json 순으로 앞의 것이 우선합니다. "set"은 config.json을 고치며 주석은
그대로 둡니다. KEY는 limits.tokens나 models."gpt-4.1".window처럼 씁니다.
VALUE 자리에 "-"를 쓰면 값을 표준 입력에서 읽으므로 API 키가 셸 기록에 남지
않습니다: maru config set keys.anthropic - < key.txt

모든 명령의 공통 옵션:
  --repo PATH   저장소 경로 (기본값: 현재 위치의 git 루트)
  --lang ko|en  표시 언어
  --json        표준 출력에 JSON만 씁니다
  --quiet       꼭 필요한 것만 알립니다
  --verbose     오류의 세부 사항까지 자세히 알립니다
  --no-color    색을 쓰지 않습니다 (NO_COLOR=1과 같음)
  -h, --help    도움말을 보여 줍니다
  --version     버전을 보여 줍니다
`,
  })
})

const languages = ['en', 'ko']
const topics = [[], ...Object.keys(commands).map((name) => [name])]

test.each(languages.flatMap((lang) => topics.map((topic) => [lang, topic] as const)))(
  'help in %s of %j fits into 80 columns',
  async (lang, topic) => {
    const { code, stdout } = await run([...topic, '-h', '--lang', lang])
    expect([code, stdout.split('\n').filter((line) => displayWidth(line) > 80)]).toEqual([0, []])
  },
)

test.each(languages)('help in %s is broken between words where the terminal is narrow', async (lang) => {
  const { stdout } = await run(['-h', '--lang', lang], { columns: 40 })
  expect(stdout.split('\n').filter((line) => displayWidth(line) > 40)).toEqual([])
  const wide = await run(['-h', '--lang', lang])
  expect(stdout.split(/\s+/)).toEqual(wide.stdout.split(/\s+/))
  const search = await run(['search', '-h', '--lang', lang], { columns: 40 })
  // What leaves no room beside it has its words below.
  expect(search.stdout).toMatch(/^ {2}--role \S+\n {6}\S/m)
})

test('where a session is only read, help does not say that it would be made', async () => {
  for (const command of ['diff', 'undo']) {
    expect((await run([command, '-h'])).stdout).toContain('--session FILE|ID  Of this session')
  }
})

test('help is the same however it is asked for', async () => {
  const { stdout } = await run(['doctor', '-h'])
  for (const args of [
    ['help', 'doctor'],
    ['-h', 'doctor'],
    ['doctor', '--help'],
    ['doctor', '-h', '--nonsense'],
  ]) {
    expect(await run(args)).toEqual({ code: 0, stdout, stderr: '' })
  }
  const overview = await run(['-h'])
  for (const args of [[], ['help'], ['--help']]) expect(await run(args)).toEqual(overview)
})

test('the version is told wherever it is asked for', async () => {
  for (const args of [['--version'], ['doctor', '--version'], ['--lang', 'ko', '--version']]) {
    expect(await run(args)).toEqual({ code: 0, stdout: 'maru 0.1.0\n', stderr: '' })
  }
})

test('no message of the command line is left unused', () => {
  const root = join(import.meta.dirname, '../src')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const source = files.map((name) => readFileSync(join(root, name), 'utf8')).join('\n')
  const own = Object.keys(allMessages()).filter((key) => /^(cli|command|option|help|config|doctor)\./.test(key))
  expect(own.filter((key) => !source.includes(`'${key}'`))).toEqual([])
})
