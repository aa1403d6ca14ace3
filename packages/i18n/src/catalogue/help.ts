import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** The frame of help. */
export const help = defineSubject('help', () =>
  defineMessages({
    'help.about': {
      en: 'Maru is an AI coding agent that runs on your own machine.',
      ko: 'Maru는 내 컴퓨터에서 직접 실행하는 AI 코딩 에이전트입니다.',
    },
    'help.usage': { en: 'Usage:', ko: '사용법:' },
    'help.options-word': { en: 'options', ko: '옵션' },
    'help.command-word': { en: 'COMMAND', ko: '명령' },
    'help.commands': { en: 'Commands:', ko: '명령:' },
    'help.options': { en: 'Options:', ko: '옵션:' },
    'help.global-options': { en: 'Options of every command:', ko: '모든 명령의 공통 옵션:' },
    'help.more': {
      en: 'Run "maru COMMAND -h" to learn more about a command.',
      ko: '명령별 도움말은 "maru 명령 -h"로 볼 수 있습니다.',
    },
  }),
)
