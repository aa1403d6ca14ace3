import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** What the manual page says beside what help says. */
export const man = defineSubject('man', () =>
  defineMessages({
    'man.section.name': { en: 'NAME', ko: '이름' },
    'man.section.synopsis': { en: 'SYNOPSIS', ko: '개요' },
    'man.section.description': { en: 'DESCRIPTION', ko: '설명' },
    'man.section.commands': { en: 'COMMANDS', ko: '명령' },
    'man.section.options': { en: 'OPTIONS OF EVERY COMMAND', ko: '모든 명령의 공통 옵션' },
    'man.section.exit': { en: 'EXIT STATUS', ko: '종료 코드' },
    'man.section.environment': { en: 'ENVIRONMENT', ko: '환경 변수' },
    'man.section.files': { en: 'FILES', ko: '파일' },
    'man.section.see': { en: 'SEE ALSO', ko: '함께 보기' },
    'man.name': { en: 'an AI coding agent on your own machine', ko: '내 컴퓨터에서 실행하는 AI 코딩 에이전트' },
    'man.description': {
      en: 'It reads and writes files and runs commands in a repository, asks before it does something that may be dangerous, and writes down everything that happens in a log that can be replayed, gone on with and checked.',
      ko: '저장소에서 파일을 읽고 쓰고 명령을 실행하며, 위험할 수 있는 일은 먼저 묻고, 일어난 일을 모두 로그에 남깁니다. 로그는 다시 보고, 이어 가고, 검증할 수 있습니다.',
    },
    'man.see': {
      en: '"maru COMMAND -h" shows the help of one command, "maru doctor" what holds on this machine.',
      ko: '"maru 명령 -h"는 명령 하나의 도움말을, "maru doctor"는 이 컴퓨터의 상태를 보여 줍니다.',
    },
    'man.exit.done': { en: 'Done.', ko: '완료했습니다.' },
    'man.exit.failed': { en: 'Failed.', ko: '실패했습니다.' },
    'man.exit.usage': {
      en: 'Called wrongly, or a setting or a key is missing.',
      ko: '잘못 호출했거나 설정이나 키가 없습니다.',
    },
    'man.exit.denied': {
      en: 'Done, but some call was denied or declined.',
      ko: '완료했으나 거부된 호출이 있습니다.',
    },
    'man.exit.limit': {
      en: 'A limit was reached (turns, tokens, time, money), or the model repeated itself.',
      ko: '한도(턴, 토큰, 시간, 비용)에 도달했거나 모델이 같은 일을 되풀이했습니다.',
    },
    'man.exit.interrupted': { en: 'Interrupted.', ko: '중단되었습니다.' },
    'man.env.anthropic': {
      en: 'The key and the address of Anthropic, or of a server that speaks its wire.',
      ko: 'Anthropic(또는 같은 방식의 서버)의 키와 주소.',
    },
    'man.env.openai': {
      en: 'The key and the address of OpenAI, or of a server that speaks its wires.',
      ko: 'OpenAI(또는 같은 방식의 서버)의 키와 주소.',
    },
    'man.env.model': { en: 'The provider and the model.', ko: '공급자와 모델.' },
    'man.env.home': {
      en: 'Where settings and sessions are kept; ~/.maru unless set.',
      ko: '설정과 세션을 두는 곳. 기본값은 ~/.maru.',
    },
    'man.env.lang': { en: 'The language: ko or en.', ko: '표시 언어: ko 또는 en.' },
    'man.env.idle': {
      en: 'Seconds without an event from the model until it is given up; 120 unless set.',
      ko: '모델의 응답이 없을 때 기다리는 초. 기본값은 120.',
    },
    'man.env.colour': {
      en: 'Whether colours are used: the first switches them off, the second on.',
      ko: '색의 사용 여부. 앞의 것은 끄고, 뒤의 것은 켭니다.',
    },
    'man.env.proxy': {
      en: 'How the network is reached, and which certificates are trusted.',
      ko: '네트워크에 닿는 길과, 신뢰할 인증서.',
    },
    'man.file.config': {
      en: 'Your own settings: provider, models, keys, mode, rules, language, limits. Only you can read it.',
      ko: '내 설정: 공급자, 모델, 키, 승인 방식, 규칙, 언어, 한도. 나만 읽을 수 있습니다.',
    },
    'man.file.sessions': { en: 'The logs of the sessions.', ko: '세션 로그.' },
    'man.file.project': {
      en: 'What the project says of itself: its test command, ignored paths, rules that only tighten.',
      ko: '프로젝트가 정한 것: 테스트 명령, 무시할 경로, 더 엄격하게만 하는 규칙.',
    },
    'man.file.instructions': {
      en: 'Instructions for the model; CLAUDE.md where there is none.',
      ko: '모델에게 주는 지침. 없으면 CLAUDE.md를 봅니다.',
    },
  }),
)
