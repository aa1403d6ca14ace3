import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** The page that a server shows where there is no web app. */
export const page = defineSubject('page', () =>
  defineMessages({
    'page.title': { en: 'Maru server', ko: 'Maru 서버' },
    'page.about': {
      en: 'This server keeps the history and runs agents. There is no web app here yet: this page shows how it stands.',
      ko: '이 서버는 대화 기록을 보관하고 에이전트를 실행합니다. 웹 앱은 아직 없으며, 이 페이지는 현재 상태를 보여 줍니다.',
    },
    'page.script-needed': {
      en: 'This page needs JavaScript to sign in and to show anything.',
      ko: '이 페이지에서 로그인하고 상태를 보려면 JavaScript가 필요합니다.',
    },
    'page.signing-in': { en: 'Signing in…', ko: '로그인하는 중입니다…' },
    'page.sign-in': { en: 'Sign in', ko: '로그인' },
    'page.sign-out': { en: 'Sign out', ko: '로그아웃' },
    'page.signed-out': {
      en: 'Open the link that "maru serve" printed, or sign in here.',
      ko: '"maru serve"가 출력한 링크를 열거나 여기에서 로그인하십시오.',
    },
    'page.refused': {
      en: 'That did not work: it is wrong, used already, or over. A new link comes from "maru serve".',
      ko: '로그인하지 못했습니다. 값이 틀렸거나 이미 사용했거나 만료되었습니다. 새 링크는 "maru serve"로 만들 수 있습니다.',
    },
    'page.too-many': {
      en: 'Too many attempts. Wait a minute, then try again.',
      ko: '시도가 너무 많습니다. 1분 뒤에 다시 시도하십시오.',
    },
    'page.code': { en: 'Code of eight digits', ko: '여덟 자리 코드' },
    'page.name': { en: 'Name', ko: '이름' },
    'page.password': { en: 'Password', ko: '비밀번호' },
    'page.user': { en: 'Signed in as', ko: '로그인한 사용자' },
    'page.conversations': { en: 'Conversations', ko: '대화' },
    'page.messages': { en: 'Messages', ko: '메시지' },
    'page.sessions': { en: 'Agents at work', ko: '작업 중인 에이전트' },
    'page.no-sessions': { en: 'None', ko: '없음' },
    'page.connection': { en: 'Live updates', ko: '실시간 업데이트' },
    'page.connected': { en: 'connected', ko: '연결됨' },
    'page.disconnected': { en: 'not connected, trying again', ko: '연결되지 않음, 다시 시도하는 중' },
    'page.idle': { en: 'idle', ko: '대기 중' },
    'page.running': { en: 'working', ko: '작업 중' },
    'page.waiting': { en: 'waits for an answer', ko: '답변을 기다리는 중' },
    'page.elsewhere': { en: 'run by another process', ko: '다른 프로세스에서 실행 중' },
    'page.api': { en: 'Description of the API (OpenAPI)', ko: 'API 설명 (OpenAPI)' },
  }),
)
