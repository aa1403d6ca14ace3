import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** The tour. */
export const demo = defineSubject('demo', () =>
  defineMessages({
    'demo.details': {
      en: 'The real engine mends a throw-away repository. The model’s words are scripted by a server on this machine; everything else is real: requests, tools, log. No key, no network.',
      ko: '실제 엔진이 임시 저장소를 고칩니다. 모델의 말만 이 컴퓨터의 서버가 대본대로 말하고, 요청·도구·로그는 모두 실제입니다. 키도 네트워크도 쓰지 않습니다.',
    },
    'demo.title': { en: 'Maru: a scripted tour', ko: '마루: 대본이 있는 둘러보기' },
    'demo.scripted': {
      en: 'The model’s words are scripted; the engine, its tools and its log are real. Repository: {repo}',
      ko: '모델의 말은 대본이고, 엔진과 도구와 로그는 실제입니다. 저장소: {repo}',
    },
    'demo.input': { en: 'The sum test fails. Please fix it.', ko: '합계 테스트가 실패합니다. 고쳐 주십시오.' },
    'demo.look': { en: 'I will read the code and run the tests.', ko: '코드를 읽고 테스트를 실행하겠습니다.' },
    'demo.mend': {
      en: 'sum subtracts instead of adding. I will fix it and test again.',
      ko: 'sum이 더하지 않고 빼고 있습니다. 고치고 다시 테스트하겠습니다.',
    },
    'demo.fixed': {
      en: 'Fixed: sum now adds, and the test passes.',
      ko: '고쳤습니다. 이제 sum이 더하고, 테스트가 통과합니다.',
    },
    'demo.next': {
      en: 'Look at what happened, or go on with a model of your own:',
      ko: '일어난 일을 살펴보거나, 자신의 모델로 이어 가십시오.',
    },
  }),
)
