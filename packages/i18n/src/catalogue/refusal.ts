import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** Why a server refuses something, by the code of its problem; its English title beside what it means. */
export const refusal = defineSubject('refusal', () =>
  defineMessages({
    'refusal.bad-request': { en: 'The request cannot be read', ko: '요청을 읽을 수 없습니다' },
    'refusal.bad-json': { en: 'The body is not JSON', ko: '본문이 JSON이 아닙니다' },
    'refusal.bad-query': { en: 'A query parameter is wrong', ko: '검색 조건이 잘못되었습니다' },
    'refusal.token-in-url': { en: 'Secrets do not belong into an address', ko: '주소에 비밀 값을 넣을 수 없습니다' },
    'refusal.unauthorised': { en: 'Sign in first', ko: '먼저 로그인해야 합니다' },
    'refusal.sign-in-failed': { en: 'This does not let you in', ko: '로그인할 수 없습니다' },
    'refusal.forbidden': { en: 'This key may not do that', ko: '이 키에는 그럴 권한이 없습니다' },
    'refusal.csrf-missing': {
      en: 'The x-maru-csrf header is missing or wrong',
      ko: 'x-maru-csrf 헤더가 없거나 잘못되었습니다',
    },
    'refusal.host-refused': {
      en: 'This server is not known by that name',
      ko: '이 서버에서 허용하지 않은 호스트 이름입니다',
    },
    'refusal.origin-refused': {
      en: 'Pages of this origin may not use the API',
      ko: '이 출처의 페이지는 API를 쓸 수 없습니다',
    },
    'refusal.root-refused': {
      en: 'Agents may not work in this folder',
      ko: '에이전트가 작업할 수 없는 폴더입니다. 서버를 시작할 때 --root로 지정해야 합니다',
    },
    'refusal.not-found': { en: 'There is no such thing', ko: '찾을 수 없습니다' },
    'refusal.method-not-allowed': { en: 'This cannot be done here', ko: '여기서는 할 수 없는 일입니다' },
    'refusal.timeout': { en: 'The request took too long to arrive', ko: '요청이 제때 도착하지 않았습니다' },
    'refusal.exists': { en: 'It exists already', ko: '이미 있습니다' },
    'refusal.conflict': { en: 'Somebody else was quicker', ko: '다른 쪽이 먼저 바꾸었습니다' },
    'refusal.held': { en: 'Somebody else is writing', ko: '다른 곳에서 쓰고 있습니다' },
    'refusal.moved': { en: 'The session goes on elsewhere', ko: '세션이 다른 곳에서 이어집니다' },
    'refusal.newer': { en: 'A newer version of Maru wrote this', ko: '더 새로운 Maru가 쓴 것입니다' },
    'refusal.no-model': { en: 'No model is configured here', ko: '여기에는 설정된 모델이 없습니다' },
    'refusal.damaged': { en: 'What is stored cannot be read', ko: '저장된 내용을 읽을 수 없습니다' },
    'refusal.range-refused': { en: 'There is nothing behind its end', ko: '내용의 끝을 넘었습니다' },
    'refusal.version-changed': { en: 'It has changed since it was read', ko: '읽은 뒤에 바뀌었습니다' },
    'refusal.too-large': { en: 'The body is too large', ko: '보내는 내용이 너무 큽니다' },
    'refusal.wrong-type': {
      en: 'The body is of a type that is not taken here',
      ko: '여기서 받지 않는 형식의 내용입니다',
    },
    'refusal.bad-body': { en: 'The body does not fit', ko: '보낸 내용이 맞지 않습니다' },
    'refusal.rejected': { en: 'This cannot be stored', ko: '저장할 수 없는 내용입니다' },
    'refusal.too-many': { en: 'Too much at once', ko: '한꺼번에 너무 많습니다. 잠시 뒤에 다시 하십시오' },
    'refusal.headers-too-large': { en: 'The headers are too large', ko: '헤더가 너무 큽니다' },
    'refusal.internal': {
      en: 'Something went wrong here',
      ko: '서버 안에서 문제가 생겼습니다. 서버의 로그를 보십시오',
    },
    'refusal.unavailable': {
      en: 'The history cannot be reached right now',
      ko: '지금은 기록에 접근할 수 없습니다',
    },
    'refusal.closing': { en: 'The server is stopping', ko: '서버가 끝나는 중입니다' },
    'refusal.full': {
      en: 'There is no room left to store anything',
      ko: '저장할 공간이 없습니다',
    },
  }),
)
