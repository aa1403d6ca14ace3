import type { Lang } from '@maru/i18n'
import { createTranslator } from '@maru/i18n'
import type { Step } from '@maru/scripted-model'
import { openTerminal } from '../terminal/tmux.ts'

/** One screen of a walk, and what the walker did to come there. */
export interface Screen {
  readonly after: string
  readonly rows: readonly string[]
}

/** What a person and the model say to each other; the model answers in the language it was asked in. */
const SAID = {
  en: {
    task: 'Please write a note.',
    plan: 'I will **write** a note.',
    question: 'Which colour shall the note have?',
    colours: ['red', 'blue'],
    done: 'Done: the note is *blue*.',
    wait: 'Now wait for me.',
    more: 'Are you still there?',
  },
  ko: {
    task: '메모를 써 주십시오.',
    plan: '메모를 **쓰겠습니다**.',
    question: '메모를 무슨 색으로 할까요?',
    colours: ['빨강', '파랑'],
    done: '다 했습니다. 메모는 *파란색*입니다.',
    wait: '이제 기다려 주십시오.',
    more: '아직 계십니까?',
  },
} as const

const COMMANDS = [
  'maru -h',
  'maru doctor',
  'maru demo',
  'maru sessions',
  'maru sessions show',
  'maru sessions export',
  'maru sessions export --format html --output s.html',
  'maru replay --verbose',
  'maru context',
  'maru config list',
  'maru config set mod x',
  "maru policy explain 'curl x | sh'",
  'maru diff',
  'maru undo',
  'maru tools',
  'maru reset',
  'maru nothing',
  'maru run --nothing',
]

function script(lang: Lang): Step[] {
  const { plan, question, colours, done } = SAID[lang]
  const call = (tool: string, args: { [name: string]: string | string[] }) => ({ call: tool, args })
  return [
    {
      reply: [
        { text: plan },
        call('ReadFile', { path: 'a.txt' }),
        call('ReadFile', { path: 'none.txt' }),
        call('WriteFile', { path: 'note.txt', content: '1\n' }),
      ],
    },
    { reply: [call('AskUser', { question, options: [...colours] })] },
    { reply: [call('RunCommand', { command: 'touch b.txt' })] },
    { reply: [{ text: done }] },
    { reply: [call('RunCommand', { command: 'sleep 300' })] },
    { error: { status: 401 } },
  ]
}

/** From the first run to a finished task and what can be looked at afterwards, as one person sees it. */
export async function takeWalk(lang: Lang): Promise<Screen[]> {
  const t = createTranslator(lang)
  const said = SAID[lang]
  const at = await openTerminal({
    script: script(lang),
    lang,
    size: [100, 50],
    files: { 'a.txt': 'a\n', 'package.json': '{}\n' },
    env: { ANTHROPIC_API_KEY: '', ANTHROPIC_BASE_URL: '', PS1: '$ ' },
    inShell: true,
  })
  const screens: Screen[] = []
  const see = async (after: string) => {
    screens.push({ after, rows: await at.rest() })
  }
  const say = async (line: string) => {
    await at.type(line)
    await at.press('Enter')
  }
  /** Runs a command to its end and looks at all it has said. */
  const run = async (line: string) => {
    await say(`clear; ${line}; echo "[$?]"`)
    await at.until(/^\[\d+\]$/m)
    screens.push({ after: line, rows: (await at.everything()).split('\n') })
  }
  const slash = async (line: string) => {
    await say(line)
    await see(line)
  }

  await say(`maru() { ${at.command} "$@"; }; clear`)
  await at.until((rows) => rows.filter((row) => row !== '').length === 1)
  await say('maru')
  await at.until(t('first.own.doctor'))
  await see('maru')
  await say('9')
  await see('a wrong number')
  await say('1')
  await at.until(t('first.paste'))
  await say('too-short')
  await at.until(t('first.key-short'))
  await say('sk-ant-0123456789012345678901234567890')
  await at.until(t('screen.placeholder'))
  await see('a key')
  await slash('/help')
  await at.press('C-d')
  await at.until(/\$ $/)
  await say(`export ANTHROPIC_BASE_URL=${at.model.url}; clear`)
  await say('maru')
  await at.until(t('screen.placeholder'))
  await say(said.task)
  await at.until(t('screen.may', { tool: 'WriteFile' }))
  await at.type('w')
  await see('approval')
  await at.type('y')
  await at.until(said.question)
  await see('question')
  await at.press('Down')
  await at.press('Enter')
  await at.until(t('screen.may', { tool: 'RunCommand' }))
  await see('approval of a command')
  await at.type('n')
  await at.until(said.done.slice(0, 4))
  await at.until(t('screen.placeholder'))
  await see('answer')
  for (const line of ['/cost', '/context', '/policy', '/diff', '/none', '/undo']) await slash(line)
  for (const line of ['/mode', '/model', '/effort']) {
    await slash(line)
    await at.press('Escape')
  }
  await at.press('C-o')
  await see('Ctrl-O')
  await say(said.wait)
  await at.until(t('screen.may', { tool: 'RunCommand' }))
  await at.type('y')
  await at.until('sleep 300')
  await see('a running command')
  await at.press('Escape')
  await at.until(t('screen.placeholder'))
  await see('Esc')
  await say(said.more)
  await see('refused by the vendor')
  await at.press('C-c')
  await see('Ctrl-C')
  await at.press('C-d')
  await at.until(/\$ $/)
  await see('Ctrl-D')
  for (const line of COMMANDS) await run(line)
  return screens
}
