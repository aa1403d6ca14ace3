import type { Lang } from '@maru/i18n'
import type { Step } from '@maru/scripted-model'

/** What a person and the model say to each other; the model answers in the language in which it was asked. */
export const SAID = {
  en: {
    task: 'Please write a note.',
    plan: 'I will **write** a note.',
    question: 'Which colour shall it have?',
    colours: ['red', 'blue'],
    done: 'Done: the note is *blue*.',
    doneShown: 'the note is blue',
    wait: 'Now wait for me.',
    more: 'Are you still there?',
    refusal: 'this key is not known',
  },
  ko: {
    task: '메모를 써 주십시오.',
    plan: '메모를 **쓰겠습니다**.',
    question: '무슨 색으로 할까요?',
    colours: ['빨강', '파랑'],
    done: '다 했습니다. 메모는 *파란색*입니다.',
    doneShown: '메모는 파란색',
    wait: '이제 기다려 주십시오.',
    more: '아직 계십니까?',
    refusal: '모르는 키입니다',
  },
} as const

/** The model's part of the walk. */
export function scriptOf(lang: Lang): Step[] {
  const { plan, question, colours, done, refusal } = SAID[lang]
  const call = (tool: string, args: { [name: string]: string | string[] }) => ({ call: tool, args })
  const write = call('WriteFile', { path: 'note.txt', content: '1\n' })
  return [
    {
      reply: [
        { text: plan },
        call('ReadFile', { path: 'a.txt' }),
        call('ReadFile', { path: 'none.txt' }),
        call('NoSuchTool', {}),
        write,
      ],
    },
    { reply: [call('AskUser', { question, options: [...colours] })] },
    { reply: [call('RunCommand', { command: 'sed -i s/a/b/ a.txt' })] },
    { reply: [{ text: done }] },
    { reply: [call('RunCommand', { command: 'sleep 300' })] },
    { error: { status: 401, message: refusal } },
    { reply: [write] },
    { reply: [{ text: done }] },
  ]
}
