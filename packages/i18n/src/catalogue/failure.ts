import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/**
 * What went wrong with a model or on the way to it. The log keeps the sentence in English; the English one here is that
 * very sentence, by which it is known.
 */
export const failure = defineSubject('failure', () =>
  defineMessages({
    'failure.tried': { en: '{told} (tried {n} times)', ko: '{told} ({n}번 시도했습니다)' },
    'failure.said': { en: '{told}: {said}', ko: '{told} (서버의 말: {said})' },
    'failure.at-host': { en: '{host}: {told}', ko: '{host}: {told}' },
    'failure.redirect': {
      en: '{host} sent a redirect (HTTP {status}); a key is never sent after one: set {variable} to the final address',
      ko: '{host}{host|이|가} 다른 주소로 넘겼습니다(HTTP {status}). 넘겨진 주소로는 키를 보내지 않습니다. {variable}{variable|을|를} 최종 주소로 설정하십시오',
    },
    'failure.redirect-to': {
      en: '{host} sent a redirect to {target} (HTTP {status}); a key is never sent after one: set {variable} to the final address',
      ko: '{host}{host|이|가} {target}{target|으로|로} 넘겼습니다(HTTP {status}). 넘겨진 주소로는 키를 보내지 않습니다. {variable}{variable|을|를} 최종 주소로 설정하십시오',
    },
    'failure.no-stream': {
      en: '{host} answered with something that is no event stream in place of an event stream: check {variable}',
      ko: '{host}의 응답이 이벤트 스트림이 아닙니다. {variable}{variable|을|를} 확인하십시오',
    },
    'failure.other-type': {
      en: '{host} answered with {type} in place of an event stream: check {variable}',
      ko: '{host}{host|이|가} 이벤트 스트림이 아니라 {type}{type|으로|로} 응답했습니다. {variable}{variable|을|를} 확인하십시오',
    },
    'failure.key': {
      en: '{host} refused the key{http}: check {variable}',
      ko: '{host}{host|이|가} 키를 거부했습니다{http}. {variable}{variable|을|를} 확인하십시오',
    },
    'failure.credit': {
      en: '{host} says the account has no credit left or its limit is reached{http}: check the billing there',
      ko: '{host}의 계정에 잔액이 없거나 한도에 도달했습니다{http}. 결제 상태를 확인하십시오',
    },
    'failure.rights': {
      en: 'the key may not do this at {host}{http}: check the rights of {variable}',
      ko: '{host}에서 이 키로는 할 수 없는 요청입니다{http}. {variable}의 권한을 확인하십시오',
    },
    'failure.model': {
      en: '{host} knows no model "{model}" at this address{http}: check the model and {variable}',
      ko: '{host}에 "{model}" 모델이 없습니다{http}. 모델 이름과 {variable}{variable|을|를} 확인하십시오',
    },
    'failure.too-large': {
      en: 'the request is too large for {host}{http}: start a new conversation or compact this one',
      ko: '{host}{host|이|가} 받기에 요청이 너무 큽니다{http}. 새 대화를 시작하거나 이 대화를 압축하십시오',
    },
    'failure.rate': {
      en: '{host} limits the rate{http}: wait a moment',
      ko: '{host}{host|이|가} 요청 수를 제한합니다{http}. 잠시 기다리십시오',
    },
    'failure.overloaded': {
      en: '{host} is overloaded{http}: try again later',
      ko: '{host}에 요청이 몰려 있습니다{http}. 나중에 다시 시도하십시오',
    },
    'failure.server': {
      en: '{host} failed{http}: try again later',
      ko: '{host}에서 오류가 났습니다{http}. 나중에 다시 시도하십시오',
    },
    'failure.refused': { en: '{host} refused the request{http}', ko: '{host}{host|이|가} 요청을 거부했습니다{http}' },
    'failure.reported': { en: 'the vendor reported', ko: '공급자가 오류를 알렸습니다' },
    'failure.reported-code': {
      en: 'the vendor reported an error ({name})',
      ko: '공급자가 오류를 알렸습니다({name})',
    },
    'failure.cannot-send': {
      en: 'the request to {host} cannot be sent ({why}): check {variable} and the headers',
      ko: '{host}에 요청을 보낼 수 없습니다({why}). {variable}{variable|과|와} 헤더를 확인하십시오',
    },
    'failure.certificate': {
      en: 'the certificate of {host} is not trusted ({why}): name its authority in NODE_EXTRA_CA_CERTS',
      ko: '{host}의 인증서를 신뢰할 수 없습니다({why}). NODE_EXTRA_CA_CERTS에 인증 기관을 지정하십시오',
    },
    'failure.not-running': {
      en: 'no connection to {host} ({why}): is the server running there?',
      ko: '{host}에 연결할 수 없습니다({why}). 서버가 실행 중인지 확인하십시오',
    },
    'failure.no-name': {
      en: 'no connection to {host} ({why}): check the address and the network',
      ko: '{host}에 연결할 수 없습니다({why}). 주소와 네트워크를 확인하십시오',
    },
    'failure.no-lookup': {
      en: 'no connection to {host} ({why}): the name could not be looked up; check the network',
      ko: '{host}에 연결할 수 없습니다({why}). 이름을 찾지 못했으니 네트워크를 확인하십시오',
    },
    'failure.hung-up': {
      en: 'no connection to {host} ({why}): the other side hung up',
      ko: '{host}에 연결할 수 없습니다({why}). 상대가 연결을 끊었습니다',
    },
    'failure.network': {
      en: 'no connection to {host} ({why}): check the network',
      ko: '{host}에 연결할 수 없습니다({why}). 네트워크를 확인하십시오',
    },
    'failure.silent': {
      en: '{host} sent no event for {seconds} s: try again',
      ko: '{host}에서 {seconds}초 동안 응답이 없습니다. 다시 시도하십시오',
    },
    'failure.broke': {
      en: 'the connection to {host} broke in the middle of the answer',
      ko: '답을 받는 중에 {host}{host|과|와}의 연결이 끊어졌습니다',
    },
    'failure.early': {
      en: '{host} hung up before the model said anything: try again',
      ko: '모델이 답하기 전에 {host}{host|이|가} 연결을 끊었습니다. 다시 시도하십시오',
    },
    'failure.cut': {
      en: 'the stream ended before the model was done',
      ko: '모델의 답이 끝나기 전에 응답이 끊어졌습니다',
    },
    'failure.laid-aside': { en: 'this turn was laid aside', ko: '이 턴은 하지 않기로 했습니다' },
    'failure.proxy-address': {
      en: '{variable} is no address; it looks like http://proxy.example:8080',
      ko: '{variable}의 값이 주소가 아닙니다. http://proxy.example:8080 같은 형식입니다',
    },
    'failure.proxy-kind': {
      en: '{variable} names a {protocol} proxy; only http:// is there',
      ko: '{variable}의 프록시가 {protocol} 방식입니다. http:// 프록시만 쓸 수 있습니다',
    },
    'failure.output-limit': {
      en: 'the answer reached the output limit of the model',
      ko: '답이 모델의 출력 한도에 도달했습니다',
    },
    'failure.refusal': { en: 'the model refused to answer', ko: '모델이 답하기를 거절했습니다' },
    'failure.filter': { en: 'the vendor filtered the answer', ko: '공급자가 답을 걸러 냈습니다' },
    'failure.full': {
      en: 'the conversation no longer fits into the context of the model',
      ko: '대화가 모델의 컨텍스트에 더는 들어가지 않습니다',
    },
    'failure.tokens': {
      en: 'the context has about {tokens} tokens of the {limit} that it may have',
      ko: '컨텍스트가 허용된 {limit}토큰 중 약 {tokens}토큰입니다',
    },
  }),
)
