import { defineMessages } from '../message.ts'

/** The tour of the log. */
export const demo = defineMessages({
  'demo.details': {
    en: 'Writes a real session log in a throw-away folder and shows what it promises. No model, no key, no network.',
    ko: '임시 폴더에 실제 세션 로그를 쓰면서 로그가 무엇을 보장하는지 보여 줍니다. 모델도 키도 네트워크도 쓰지 않습니다.',
  },
  'demo.title': { en: 'Maru: a tour of the session log', ko: '마루: 세션 로그 둘러보기' },
  'demo.facts': {
    en: '1. A session is an append-only log of facts. This one was just written and read back:',
    ko: '1. 세션은 덧붙이기만 하는 사실의 로그입니다. 방금 쓰고 다시 읽은 로그입니다.',
  },
  'demo.answers': {
    en: '2. The terminal and the phone answered one approval at the same moment. One answer is stored, both are told which:',
    ko: '2. 터미널과 휴대폰이 같은 승인 요청에 동시에 답했습니다. 하나만 저장되고, 양쪽 모두 그 결과를 알게 됩니다.',
  },
  'demo.answer': {
    en: '   {door} said "{said}" → stored: "{stored}" as fact {seq}',
    ko: '   {door}의 답 "{said}" → 저장된 답: "{stored}" ({seq}번 사실)',
  },
  'demo.killed': {
    en: '3. A process writing this log was killed after {count} acknowledged {count|fact|facts}. The log was opened again:',
    ko: '3. 이 로그를 쓰던 프로세스를 사실 {count}개가 확인된 뒤 강제 종료했습니다. 로그를 다시 열었습니다.',
  },
  'demo.torn': {
    en: '   {cut} bytes of an unfinished write were cut off',
    ko: '   끝나지 않은 쓰기 {cut}바이트를 잘라 냈습니다',
  },
  'demo.kept': {
    en: '   {stored} facts stored, numbered 1 to {stored} without a gap: {lost} of the acknowledged ones lost',
    ko: '   사실 {stored}개가 1번부터 {stored}번까지 빈틈없이 저장되어 있고, 확인된 것 중 잃은 것은 {lost}개입니다',
  },
  'demo.next': { en: 'Look at it yourself:', ko: '직접 살펴보십시오.' },
  'demo.input': { en: 'The sum test fails. Please fix it.', ko: '합계 테스트가 실패합니다. 고쳐 주십시오.' },
  'demo.reply': { en: 'I will read the file and run the tests.', ko: '파일을 읽고 테스트를 실행하겠습니다.' },
  'demo.fixed': {
    en: 'The order was wrong. Fixed, and the tests pass.',
    ko: '순서가 잘못되어 있었습니다. 고쳤고 테스트도 통과합니다.',
  },
})
