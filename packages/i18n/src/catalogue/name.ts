import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** Names that facts use for doors, endings and outcomes, as people say them. */
export const name = defineSubject('door ending language outcome', () =>
  defineMessages({
    // The language itself, for who has to know which one it is.
    'language.tag': { en: 'en', ko: 'ko' },
    'door.terminal': { en: 'terminal', ko: '터미널' },
    'door.web': { en: 'web app', ko: '웹 앱' },
    'door.widget': { en: 'widget', ko: '위젯' },
    'door.editor': { en: 'editor', ko: '편집기' },
    'door.api': { en: 'API', ko: 'API' },
    'door.import': { en: 'import', ko: '가져오기' },
    'ending.done': { en: 'done', ko: '완료' },
    'ending.turn-limit': { en: 'turn limit reached', ko: '턴 수 한도에 도달' },
    'ending.token-limit': { en: 'token limit reached', ko: '토큰 한도에 도달' },
    'ending.time-limit': { en: 'time limit reached', ko: '시간 한도에 도달' },
    'ending.money-limit': { en: 'spending limit reached', ko: '비용 한도에 도달' },
    'ending.context-full': {
      en: 'the context is full; "maru context --compact" makes room, or raise contextLimit, or switch autoCompact on',
      ko: '컨텍스트가 가득 참. "maru context --compact"로 자리를 만들거나, contextLimit을 올리거나, autoCompact를 켜십시오',
    },
    'ending.repetition': { en: 'stopped repeating itself', ko: '같은 일을 되풀이하여 멈춤' },
    'ending.interrupted': { en: 'interrupted', ko: '중단됨' },
    'ending.failed': { en: 'failed', ko: '실패' },
    'outcome.exit': { en: 'exit {code}', ko: '종료 코드 {code}' },
    'outcome.ready': { en: 'not started', ko: '시작 전' },
    'outcome.asked': { en: 'waiting for an answer', ko: '답을 기다리는 중' },
    'outcome.running': { en: 'running', ko: '실행 중' },
    'outcome.ok': { en: 'ok', ko: '성공' },
    'outcome.error': { en: 'error', ko: '오류' },
    'outcome.denied': { en: 'denied', ko: '거부됨' },
    'outcome.interrupted': { en: 'interrupted', ko: '중단됨' },
  }),
)
