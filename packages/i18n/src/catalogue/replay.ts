import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** What `maru replay` says around what was said in the session. */
export const replay = defineSubject('option replay', () =>
  defineMessages({
    'replay.details': {
      en: 'Reads the log and changes nothing. With --verbose: numbers, times and what the tools returned. With --json: the facts as they stand in the log, one per line.',
      ko: '로그를 읽기만 하고 아무것도 바꾸지 않습니다. --verbose를 붙이면 번호, 시각, 도구의 출력도 보여 줍니다. --json을 붙이면 로그에 있는 사실을 한 줄에 하나씩 그대로 씁니다.',
    },
    'option.verify': {
      en: 'Check the log against the engine, show nothing',
      ko: '보여 주는 대신 로그를 엔진으로 검증합니다',
    },
    'replay.verified': {
      en: 'verified: {requests} {requests|request|requests} built again from the facts and equal, {adapted} {adapted|turn|turns} read again from the vendor’s events',
      ko: '검증됨: 사실로부터 다시 만든 요청 {requests}개가 모두 같고, 공급자 이벤트에서 다시 읽은 턴이 {adapted}개입니다',
    },
    'replay.differs': {
      en: '{path} does not hold at fact {seq}: {message}',
      ko: '{path}{path|은|는} {seq}번 사실에서 맞지 않습니다: {message}',
    },
    'replay.no-session': {
      en: 'there is no log file or session "{name}"; session logs are in {directory}',
      ko: '"{name}"{name|이라는|라는} 로그 파일이나 세션이 없습니다. 세션 로그는 {directory}에 있습니다',
    },
    'replay.many-sessions': {
      en: '"{name}" begins the id of {count} sessions; write more of it, for example {example}',
      ko: '"{name}"{name|으로|로} 시작하는 세션이 {count}개입니다. {example}처럼 더 길게 쓰십시오',
    },
    'replay.unreadable': { en: '{path} cannot be read: {reason}', ko: '{path}{path|을|를} 읽을 수 없습니다: {reason}' },
    'replay.damage': {
      en: 'line {line} of {path} is damaged: {problem}',
      ko: '{path} {line}번째 줄이 손상되었습니다: {problem}',
    },
    'replay.torn': {
      en: 'the end of {path} is torn ({problem}): it was never acknowledged, and goes when the session is next opened',
      ko: '{path}의 끝이 잘려 있습니다({problem}). 저장이 확인되지 않은 부분이며, 세션을 다시 열면 정리됩니다',
    },
    'replay.damaged': {
      en: '{path} is damaged in {count} {count|place|places}; what is readable was shown',
      ko: '{path}에 손상된 곳이 {count}군데 있습니다. 읽을 수 있는 부분은 모두 보여 주었습니다',
    },
    'replay.start': { en: 'session of {time} at the {door}', ko: '{time}에 시작한 세션 ({door})' },
    'replay.fork': { en: 'fork of {id} at {seq} · {time}', ko: '{id}의 {seq}번에서 갈라진 세션 · {time}' },
    'replay.settings': { en: 'settings: {settings}', ko: '설정: {settings}' },
    'replay.interrupt': { en: 'interrupted by {who}', ko: '{who}{who|이|가} 중단함' },
    'replay.run-end': { en: 'ended: {reason}', ko: '끝남: {reason}' },
    'replay.hidden': { en: 'message {seq} hidden', ko: '{seq}번 메시지를 숨김' },
    'replay.summary': { en: 'summary of {from} to {to}: {text}', ko: '{from}~{to}번 요약: {text}' },
    'replay.restored': { en: '{count} {count|file|files} restored', ko: '파일 {count}개를 되돌림' },
    'replay.compacted': {
      en: 'the model was given a summary of what was said before {seq}',
      ko: '{seq}번 이전의 내용은 요약하여 모델에 전달함',
    },
    'replay.reset': { en: 'the model was made to forget what was said before', ko: '모델이 이전 내용을 잊도록 함' },
    'replay.moved': { en: 'this session goes on in the store', ko: '이 세션은 저장소(데이터베이스)에서 이어짐' },
    'replay.foreign': { en: 'from {source}: {body}', ko: '{source}: {body}' },
    'replay.erased': { en: 'erased ({was})', ko: '삭제됨 ({was})' },
    'replay.unknown': { en: 'of a newer version ({kind}): {body}', ko: '더 새로운 버전의 기록 ({kind}): {body}' },
    'replay.question': { en: 'asked: {question}', ko: '질문: {question}' },
    'replay.answer': { en: 'answered by {who}: {answer}', ko: '{who}의 답: {answer}' },
    'replay.cancelled': { en: 'cancelled', ko: '취소함' },
    'replay.approval': { en: 'asked because: {reason}', ko: '승인을 요청한 이유: {reason}' },
    'replay.decided': { en: '{option} by {who}', ko: '{who}: {option}' },
    'replay.failure': { en: 'the model failed ({code}): {message}', ko: '모델 오류 ({code}): {message}' },
    'replay.cut': { en: '[…] {bytes} bytes in all', ko: '[…] 전체 {bytes}바이트' },
    'replay.thinking': { en: 'thinking', ko: '생각' },
    'replay.empty': { en: '{path} holds no facts', ko: '{path}에는 기록이 없습니다' },
  }),
)
