import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** One line for each command and each option. With its name it has to fit in 80 columns. */
export const command = defineSubject('command option redact', () =>
  defineMessages({
    'command.demo': {
      en: 'Take a tour in a throw-away repository, without any key',
      ko: '키 없이, 임시 저장소에서 기능을 둘러봅니다',
    },
    'command.replay': {
      en: 'Walk through a session again, without model or side effects',
      ko: '모델 호출이나 부작용 없이 세션을 다시 살펴봅니다',
    },
    'command.apply': {
      en: 'Apply a patch, as forgiving as the agent and as careful',
      ko: '에이전트와 같은 방식으로 패치를 적용합니다',
    },
    'command.diff': { en: 'Show what the agent changed', ko: '에이전트가 바꾼 내용을 보여 줍니다' },
    'command.undo': { en: 'Take back what a run changed', ko: '실행 하나가 바꾼 것을 되돌립니다' },
    'command.redact': { en: 'Mask the secrets in a text', ko: '텍스트의 비밀 값을 가립니다' },
    'redact.details': {
      en: 'Reads standard input and writes it to standard output with keys, tokens, passwords, personal numbers and your own keys masked. Each secret keeps one mask; everything else stays byte for byte.',
      ko: '표준 입력을 읽어 키, 토큰, 암호, 개인 번호와 사용자의 키를 가린 뒤 표준 출력으로 씁니다. 같은 비밀 값은 같은 표시로 바뀌며, 나머지는 바이트 하나도 바뀌지 않습니다.',
    },
    'command.config': {
      en: 'Show what is configured, and change your own settings',
      ko: '설정을 보여 주고 내 설정을 바꿉니다',
    },
    'command.doctor': {
      en: 'Check this machine and say what to do',
      ko: '이 컴퓨터의 상태를 점검하고 할 일을 알려 줍니다',
    },
    'option.repo': {
      en: 'The repository (default: the git root around you)',
      ko: '저장소 경로 (기본값: 현재 위치의 git 루트)',
    },
    'option.lang': { en: 'The language', ko: '표시 언어' },
    'option.json': { en: 'JSON on stdout and nothing else', ko: '표준 출력에 JSON만 씁니다' },
    'option.quiet': { en: 'Say only what matters', ko: '꼭 필요한 것만 알립니다' },
    'option.verbose': { en: 'Say more, with details of errors', ko: '오류의 세부 사항까지 자세히 알립니다' },
    'option.no-color': { en: 'No colours (also: NO_COLOR=1)', ko: '색을 쓰지 않습니다 (NO_COLOR=1과 같음)' },
    'option.help': { en: 'This help', ko: '도움말을 보여 줍니다' },
    'option.version': { en: 'The version', ko: '버전을 보여 줍니다' },
  }),
)
