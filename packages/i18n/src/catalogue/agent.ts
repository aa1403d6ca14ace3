import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** What is said around a conversation with the agent, and by its slash commands. */
export const agent = defineSubject('agent slash', () =>
  defineMessages({
    'agent.busy': {
      en: 'it is still working; wait for it, or stop it with Esc',
      ko: '아직 작업하고 있습니다. 끝나기를 기다리거나 Esc로 멈추십시오',
    },
    'agent.instructions-outside': {
      en: '{path} is a link that leads out of the repository: it was not read',
      ko: '{path}{path|은|는} 저장소 밖을 가리키는 링크라서 읽지 않았습니다',
    },
    'agent.no-fork-point': {
      en: 'this session has no fact {seq} to go back to',
      ko: '이 세션에는 되돌아갈 사실 {seq}번이 없습니다',
    },
    'agent.no-such': {
      en: 'there is no "{name}"; there are {choices}',
      ko: '"{name}"{name|은|는} 없습니다. 있는 것: {choices}',
    },
    'agent.unknown-model': {
      en: '{name} is not in the list of known models; it is used all the same',
      ko: '{name}{name|은|는} 알려진 모델 목록에 없지만 그대로 씁니다',
    },
    'agent.unknown-model-meant': {
      en: '{name} is not in the list of known models (did you mean {meant}?); it is used all the same',
      ko: '{name}{name|은|는} 알려진 모델 목록에 없습니다({meant}{meant|을|를} 뜻하셨습니까?). 그대로 씁니다',
    },
    'slash.clear': { en: 'Begin a fresh session', ko: '새 세션을 시작합니다' },
    'slash.compact': {
      en: 'Condense old turns; say what must be kept',
      ko: '오래된 대화를 줄입니다. 꼭 남길 것을 적을 수 있습니다',
    },
    'slash.context': { en: 'What fills the context', ko: '컨텍스트를 무엇이 차지하는지 보여 줍니다' },
    'slash.cost': { en: 'Tokens and money so far', ko: '지금까지 쓴 토큰과 비용을 보여 줍니다' },
    'slash.cost-context': { en: 'context: {tokens} of {limit} tokens', ko: '컨텍스트: {limit}토큰 중 {tokens}토큰' },
    'slash.cost-money': { en: 'cost: {money}', ko: '비용: {money}' },
    'slash.cost-tokens': {
      en: 'input {input} tokens ({cached} % from the cache), output {output} tokens',
      ko: '입력 {input}토큰(캐시에서 {cached}%), 출력 {output}토큰',
    },
    'slash.cost-unknown': {
      en: 'cost: the price of a model is not known; set it under "models" in config.json',
      ko: '비용: 가격을 모르는 모델이 있습니다. config.json의 "models"에 적을 수 있습니다',
    },
    'slash.diff': {
      en: 'What the agent changed in this session',
      ko: '이 세션에서 에이전트가 바꾼 내용을 보여 줍니다',
    },
    'slash.doctor': { en: 'What holds on this machine', ko: '이 컴퓨터의 상태를 점검합니다' },
    'slash.effort': { en: 'How hard the model thinks', ko: '모델이 생각하는 정도를 정합니다' },
    'slash.effort-is': {
      en: 'effort: {effort}, from the next request on',
      ko: '생각하는 정도: {effort} (다음 요청부터)',
    },
    'slash.empty': { en: '{path} has no words in it', ko: '{path}에 내용이 없습니다' },
    'slash.export': { en: 'Write this session to a file', ko: '이 세션을 파일로 씁니다' },
    'slash.fork': { en: 'Go on from an earlier point, in a new session', ko: '이전 지점에서 새 세션으로 이어 갑니다' },
    'slash.fork-here': { en: '(keep everything)', ko: '(모두 그대로 두고 이어 갑니다)' },
    'slash.fork-seq': {
      en: '/fork takes the number of a fact, as "maru replay --verbose" shows it; without one, you choose',
      ko: '/fork 뒤에는 "maru replay --verbose"가 보여 주는 번호를 씁니다. 번호가 없으면 목록에서 고릅니다',
    },
    'slash.forked': {
      en: 'this is {id} now, a fork of {from}; files are as they are',
      ko: '이제 {from}에서 갈라진 {id}입니다. 파일은 그대로입니다',
    },
    'slash.help': { en: 'What can be said here', ko: '여기서 쓸 수 있는 명령을 보여 줍니다' },
    'slash.help-more': {
      en: 'Your own: a file NAME.md in .maru/commands of the repository or in commands of the data directory; $ARGUMENTS and $1…$9 stand for what you type behind /NAME.',
      ko: '직접 만들기: 저장소의 .maru/commands나 데이터 폴더의 commands에 이름.md 파일을 두십시오. $ARGUMENTS와 $1…$9는 /이름 뒤에 쓴 말로 바뀝니다.',
    },
    'slash.help-title': { en: 'Commands:', ko: '명령:' },
    'slash.lang': { en: 'Switch the language', ko: '언어를 바꿉니다' },
    'slash.left-open': {
      en: 'its last run was not finished: whatever you say goes on with it',
      ko: '마지막 실행이 끝나지 않았습니다. 말씀하시면 그 실행을 이어 갑니다',
    },
    'slash.mode': { en: 'How much is approved by itself', ko: '무엇을 묻지 않고 승인할지 정합니다' },
    'slash.mode-ask': {
      en: 'asks before what cannot simply be taken back',
      ko: '쉽게 되돌릴 수 없는 일은 먼저 묻습니다',
    },
    'slash.mode-auto': { en: 'works alone inside the sandbox', ko: '샌드박스 안에서는 묻지 않고 일합니다' },
    'slash.mode-is': { en: 'mode: {mode}', ko: '승인 방식: {mode}' },
    'slash.mode-read-only': { en: 'changes nothing', ko: '아무것도 바꾸지 않습니다' },
    'slash.mode-yes': { en: 'approves by itself what can be approved', ko: '승인할 수 있는 일은 모두 승인합니다' },
    'slash.model': { en: 'Choose the model', ko: '모델을 고릅니다' },
    'slash.model-is': { en: 'model: {model}, from the next request on', ko: '모델: {model} (다음 요청부터)' },
    'slash.no-diff': {
      en: 'the agent has changed nothing in this session',
      ko: '이 세션에서 에이전트가 바꾼 것이 없습니다',
    },
    'slash.no-efforts': {
      en: 'this model has no levels that are known; write one behind /effort',
      ko: '이 모델의 단계는 알려져 있지 않습니다. /effort 뒤에 직접 쓰십시오',
    },
    'slash.no-sessions': { en: 'there is no other session of this repository', ko: '이 저장소의 다른 세션이 없습니다' },
    'slash.pick-effort': { en: 'How hard should the model think?', ko: '모델이 얼마나 생각하게 하시겠습니까?' },
    'slash.pick-fork': { en: 'Go back to before which of your messages?', ko: '어느 메시지 앞으로 돌아가시겠습니까?' },
    'slash.pick-lang': { en: 'Which language?', ko: '어느 언어를 쓰시겠습니까?' },
    'slash.pick-mode': { en: 'What may be done without asking?', ko: '무엇을 묻지 않고 해도 되겠습니까?' },
    'slash.pick-model': { en: 'Which model?', ko: '어느 모델을 쓰시겠습니까?' },
    'slash.pick-session': { en: 'Which session?', ko: '어느 세션을 여시겠습니까?' },
    'slash.policy': {
      en: 'Why a command is allowed, asked or denied',
      ko: '명령이 왜 허용되고 묻고 거부되는지 보여 줍니다',
    },
    'slash.policy-now': {
      en: 'mode {mode}, sandbox {sandbox}; "/policy COMMAND" says what is decided about a command, and why',
      ko: '승인 방식 {mode}, 샌드박스 {sandbox}. "/policy 명령"으로 그 명령을 어떻게 판단하는지와 까닭을 볼 수 있습니다',
    },
    'slash.quit': { en: 'Leave', ko: '끝냅니다' },
    'slash.resume': { en: 'Open another session of this repository', ko: '이 저장소의 다른 세션을 엽니다' },
    'slash.session-row': { en: '{time} · {turns} {turns|turn|turns}', ko: '{time} · 응답 {turns}번' },
    'slash.too-many': { en: 'too many words behind {command}', ko: '{command} 뒤에 단어가 너무 많습니다' },
    'slash.undo': { en: 'Take back what the last run changed', ko: '마지막 실행이 바꾼 것을 되돌립니다' },
    'slash.unknown': {
      en: 'there is no /{name}; /help lists what there is',
      ko: '/{name}{name|은|는} 없습니다. /help로 목록을 볼 수 있습니다',
    },
    'slash.unknown-meant': {
      en: 'there is no /{name}; did you mean /{meant}?',
      ko: '/{name}{name|은|는} 없습니다. /{meant}{meant|을|를} 뜻하셨습니까?',
    },
  }),
)
