import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** What stands on the screen around a conversation: keys, prompts, the line at the bottom. */
export const screen = defineSubject('command decision option screen', () =>
  defineMessages({
    'command.agent': {
      en: 'Work with the agent in this terminal (also: maru alone)',
      ko: '이 터미널에서 에이전트와 함께 일합니다 (maru만 써도 됩니다)',
    },
    'screen.details': {
      en: 'Enter says it at once, also while it works; Alt-Enter when it is done. Esc interrupts. "/" lists commands, "@" files. Ctrl-J begins a new line, Ctrl-G opens your editor, Ctrl-O shows the last call in full, Ctrl-D leaves.',
      ko: 'Enter를 누르면 일하는 중에도 바로 전하고, Alt-Enter를 누르면 끝난 뒤에 전합니다. Esc는 중단입니다. "/"는 명령, "@"는 파일 목록을 엽니다. Ctrl-J는 줄바꿈, Ctrl-G는 외부 편집기, Ctrl-O는 마지막 호출 전체 보기, Ctrl-D는 나가기입니다.',
    },
    'option.plain': {
      en: 'Line by line, nothing redrawn (screen readers)',
      ko: '화면을 다시 그리지 않고 한 줄씩 씁니다',
    },
    'screen.no-json': {
      en: 'the interactive agent has no --json; use "maru run --json"',
      ko: '대화형 에이전트에는 --json이 없습니다. "maru run --json"을 쓰십시오',
    },
    'screen.no-terminal': {
      en: 'the interactive agent needs a terminal; without one, use "maru run"',
      ko: '대화형 에이전트에는 터미널이 필요합니다. 터미널이 없으면 "maru run"을 쓰십시오',
    },
    'screen.hello': {
      en: '/ commands · @ files · Esc interrupts · Ctrl-D leaves',
      ko: '/ 명령 · @ 파일 · Esc 중단 · Ctrl-D 나가기',
    },
    'screen.placeholder': { en: 'What is to be done?', ko: '할 일을 적으십시오' },
    'screen.starting': { en: 'starting', ko: '시작하는 중' },
    'screen.thinking': { en: 'thinking', ko: '생각하는 중' },
    'screen.answering': { en: 'answering', ko: '답하는 중' },
    'screen.calling': { en: 'working', ko: '작업하는 중' },
    'screen.stopping': { en: 'stopping', ko: '멈추는 중' },
    'screen.esc-interrupts': { en: 'Esc interrupts', ko: 'Esc로 중단' },
    'screen.seconds': { en: '{count} s', ko: '{count}초' },
    'screen.steering': { en: 'goes with the next step', ko: '다음 단계에 전달' },
    'screen.queued': { en: 'waits until it is done', ko: '끝난 뒤에 전달' },
    'screen.draft-kept': { en: 'what you were typing is kept', ko: '쓰던 글은 그대로 있습니다' },
    'screen.pasted': { en: '[pasted {lines} lines #{number}]', ko: '[붙여 넣은 {lines}줄 #{number}]' },
    'screen.once-more': { en: 'Ctrl-C once more to leave', ko: '나가려면 Ctrl-C를 한 번 더 누르십시오' },
    'screen.nothing-to-expand': { en: 'there is no call to show', ko: '보여 줄 호출이 없습니다' },
    'screen.has-ended': { en: 'Maru is done', ko: 'Maru가 일을 마쳤습니다' },
    'screen.waits': { en: 'Maru waits for your answer', ko: 'Maru가 답을 기다립니다' },
    'screen.left-open': {
      en: 'the last run was not finished; say something, and it goes on',
      ko: '지난 실행이 끝나지 않았습니다. 아무 말이나 하면 이어 갑니다',
    },
    'screen.other-session': { en: 'another session from here on', ko: '여기부터 다른 세션입니다' },
    'screen.resume': { en: 'go on with this: maru --resume {id}', ko: '이어 가려면: maru --resume {id}' },
    'screen.mode': { en: 'mode {mode}', ko: '모드 {mode}' },
    'screen.tokens': { en: '{count} tokens', ko: '{count} 토큰' },
    'screen.context': { en: 'context {percent} %', ko: '컨텍스트 {percent}%' },
    'screen.sandbox': { en: 'sandbox', ko: '샌드박스' },
    'screen.no-sandbox': { en: 'no sandbox', ko: '샌드박스 없음' },
    'screen.lines': { en: '{count} {count|line|lines}', ko: '{count}줄' },
    'screen.more-lines': { en: '… {count} more {count|line|lines}', ko: '… {count}줄 더 있음' },
    'screen.big-change': {
      en: '{added} {added|line|lines} added, {removed} removed · Ctrl-O shows them',
      ko: '{added}줄 추가, {removed}줄 삭제 · Ctrl-O로 보기',
    },
    'screen.more-in-log': {
      en: '… the rest: maru replay {session} --verbose',
      ko: '… 나머지는 maru replay {session} --verbose로 볼 수 있습니다',
    },
    'screen.earlier': {
      en: '{count} earlier {count|entry is|entries are} not shown; "maru replay" shows all',
      ko: '이전 항목 {count}개는 생략했습니다. "maru replay"로 모두 볼 수 있습니다',
    },
    'decision.allow': { en: 'allow', ko: '허용' },
    'decision.always': { en: 'always', ko: '항상 허용' },
    'decision.deny': { en: 'deny', ko: '거부' },
    'screen.may': { en: 'May {tool} do this?', ko: '{tool}{tool|을|를} 허용합니까?' },
    'screen.may-it': { en: 'May this be done?', ko: '이 작업을 허용합니까?' },
    'screen.because': { en: 'asked because {reason}', ko: '묻는 까닭: {reason}' },
    'screen.always-writes': { en: 'always = {rule}', ko: '항상 = {rule}' },
    'screen.always-here': { en: 'always here = {rule}', ko: '이 저장소에서 항상 = {rule}' },
    'screen.by-rule': { en: 'rule: {rule}', ko: '규칙: {rule}' },
    'screen.access-run': { en: 'would run: {what}', ko: '실행: {what}' },
    'screen.access-net': { en: 'would reach: {what}', ko: '접속: {what}' },
    'screen.access-read': { en: 'would read: {what}', ko: '읽기: {what}' },
    'screen.access-write': { en: 'would write: {what}', ko: '쓰기: {what}' },
    'screen.access-create': { en: 'would create: {what}', ko: '생성: {what}' },
    'screen.access-delete': { en: 'would delete: {what}', ko: '삭제: {what}' },
    'screen.access-reach': {
      en: 'would change {files} {files|file|files}, {lines} {lines|line|lines}',
      ko: '파일 {files}개, {lines}줄 변경',
    },
    'screen.access-foreign': { en: 'would call a tool of others: {what}', ko: '외부 도구 호출: {what}' },
    'screen.access-privilege': { en: 'would ask for more privilege', ko: '더 높은 권한 요구' },
    'screen.access-other': { en: 'would touch other processes or people', ko: '다른 프로세스나 사람에게 영향' },
    'screen.touches-more': { en: '… and {count} more', ko: '… 그 밖에 {count}개' },
    'screen.approve-keys': {
      en: 'y yes · N no (Enter, Esc) · e edit · w why',
      ko: 'y 예 · N 아니요(Enter, Esc) · e 고쳐서 제안 · w 까닭',
    },
    'screen.approve-keys-always': {
      en: 'y yes · N no (Enter, Esc) · a always · e edit · w why',
      ko: 'y 예 · N 아니요(Enter, Esc) · a 항상 · e 고쳐서 제안 · w 까닭',
    },
    'screen.edit-hint': {
      en: 'Enter proposes this instead · Esc goes back',
      ko: 'Enter 이렇게 하도록 제안 · Esc 돌아가기',
    },
    'screen.instead': { en: 'Do this instead: {words}', ko: '대신 이렇게 하십시오: {words}' },
    'screen.more-preview': {
      en: '… {count} more {count|line|lines} · Ctrl-O shows all',
      ko: '… {count}줄 더 있음 · Ctrl-O로 모두 보기',
    },
    'screen.more-asks': {
      en: '{count} more {count|question waits|questions wait} behind this one',
      ko: '이 뒤에 {count}개가 더 기다립니다',
    },
    'screen.asks': { en: 'Maru asks:', ko: 'Maru의 질문:' },
    'screen.search-hint': {
      en: 'type to search · ↑↓ move · Enter choose · Esc cancel',
      ko: '글자를 치면 찾기 · ↑↓ 이동 · Enter 선택 · Esc 취소',
    },
    'screen.pick-hint': { en: '↑↓ move · Enter choose · Esc cancel', ko: '↑↓ 이동 · Enter 선택 · Esc 취소' },
    'screen.words-hint': { en: 'Enter answer · Esc cancel', ko: 'Enter 답하기 · Esc 취소' },
    'screen.own-words': { en: 'in your own words', ko: '직접 쓰기' },
    'screen.plain-approve': {
      en: 'Allow this? (y/N), w = why, or say why not: ',
      ko: '허용합니까? (y/N), w = 까닭, 또는 거절하는 까닭: ',
    },
    'screen.plain-approve-always': {
      en: 'Allow this? (y/N), a = always, w = why, or say why not: ',
      ko: '허용합니까? (y/N), a = 항상, w = 까닭, 또는 거절하는 까닭: ',
    },
  }),
)
