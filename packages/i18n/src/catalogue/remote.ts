import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** This program as one door of a running server: attaching, working under its log, asking it instead of the database. */
export const remote = defineSubject('command option remote', () =>
  defineMessages({
    'command.attach': {
      en: 'Take part in a session that a server runs',
      ko: '서버가 실행하는 세션에 참여합니다',
    },
    'remote.details': {
      en: 'Shows what was said, then what happens; Enter speaks to it, Esc interrupts it, approvals and questions can be answered here or at any other door. Leaving does not end it. Without an ID, one is chosen from a list. Without --url, the server of this machine is used; a token for another comes from --token-file or MARU_TOKEN. With --json every fact and live event is a line. Where stdin is no terminal, its lines are said or answer what is asked, and the command ends when stdin has ended and nothing is under way.',
      ko: '지금까지의 대화를 보여 주고 이어지는 일을 실시간으로 보여 줍니다. Enter로 말을 전하고 Esc로 중단합니다. 승인과 질문에는 여기서도, 다른 곳에서도 답할 수 있습니다. 나가도 작업은 계속됩니다. ID가 없으면 목록에서 고릅니다. --url이 없으면 이 컴퓨터의 서버를 쓰며, 다른 서버의 토큰은 --token-file이나 MARU_TOKEN에서 읽습니다. --json을 쓰면 사실과 실시간 이벤트를 한 줄씩 씁니다. 표준 입력이 터미널이 아니면 그 줄을 말로 전하거나 답으로 쓰고, 입력이 끝나고 진행 중인 일이 없으면 마칩니다.',
    },
    'option.url': { en: 'The server, as http://HOST:PORT', ko: '서버 주소 (http://HOST:PORT)' },
    'option.token-file': {
      en: 'A file that holds the token (else MARU_TOKEN)',
      ko: '토큰이 든 파일 (없으면 MARU_TOKEN)',
    },
    'option.local': {
      en: 'Keep the session in a file, also where a server runs',
      ko: '서버가 있어도 세션을 파일에 둡니다',
    },
    'remote.no-server': {
      en: 'no server runs for {home}; start one with "maru serve", or name one with --url',
      ko: '{home}에서 실행 중인 서버가 없습니다. "maru serve"로 시작하거나 --url로 지정하십시오',
    },
    'remote.bad-url': {
      en: '--url "{url}" is no address of a server; write it like http://127.0.0.1:4280',
      ko: '--url "{url}"{url|은|는} 서버 주소가 아닙니다. http://127.0.0.1:4280처럼 쓰십시오',
    },
    'remote.no-token': {
      en: 'a token is needed for {url}; make one there with "maru token create" and give it by --token-file or MARU_TOKEN',
      ko: '{url}에 쓸 토큰이 필요합니다. 그곳에서 "maru token create"로 만들고 --token-file이나 MARU_TOKEN으로 주십시오',
    },
    'remote.bad-token-file': {
      en: 'the token file {file} cannot be read: {reason}',
      ko: '토큰 파일 {file}{file|을|를} 읽을 수 없습니다: {reason}',
    },
    'remote.unreachable': {
      en: 'the server at {url} does not answer; check that it runs and can be reached',
      ko: '{url}의 서버가 응답하지 않습니다. 실행 중인지, 접속할 수 있는지 확인하십시오',
    },
    'remote.refused': {
      en: 'the server at {url} does not accept this token; make another with "maru token create"',
      ko: '{url}의 서버가 이 토큰을 받아들이지 않습니다. "maru token create"로 새로 만드십시오',
    },
    'remote.problem': { en: 'the server said no: {problem}', ko: '서버가 거절했습니다: {problem}' },
    'remote.no-session': {
      en: 'the server at {url} has no session {id}; "maru attach" lists them',
      ko: '{url}의 서버에 세션 {id}{id|이|가} 없습니다. "maru attach"로 목록을 볼 수 있습니다',
    },
    'remote.many-sessions': {
      en: '{count} sessions begin with {id}; write more of it, as in {example}',
      ko: '{id}{id|으로|로} 시작하는 세션이 {count}개 있습니다. {example}처럼 더 길게 쓰십시오',
    },
    'remote.no-sessions': {
      en: 'the server at {url} has no sessions yet',
      ko: '{url}의 서버에 아직 세션이 없습니다',
    },
    'remote.need-id': {
      en: 'which session? Without a terminal there is nobody to choose: write its ID',
      ko: '세션을 고를 사람이 없습니다. ID를 쓰십시오',
    },
    'remote.pick': { en: 'Which session?', ko: '어느 세션입니까?' },
    'remote.state-idle': { en: 'at rest', ko: '쉬는 중' },
    'remote.state-running': { en: 'at work', ko: '작업 중' },
    'remote.state-waiting': { en: 'waits for an answer', ko: '답을 기다리는 중' },
    'remote.state-elsewhere': { en: 'open in a terminal', ko: '터미널에서 열려 있음' },
    'remote.row': { en: '{state} · {time}', ko: '{state} · {time}' },
    'remote.attached': { en: 'attached to {url}', ko: '{url}에 연결했습니다' },
    'remote.again': { en: 'come back to it: maru attach {id}', ko: '다시 보려면: maru attach {id}' },
    'remote.cut': {
      en: 'the connection to {url} is cut; trying again',
      ko: '{url} 연결이 끊겨 다시 연결하는 중입니다',
    },
    'remote.back': { en: 'connected again', ko: '다시 연결했습니다' },
    'remote.gone': { en: 'session {id} was erased', ko: '세션 {id}{id|이|가} 지워졌습니다' },
    'remote.not-here': {
      en: '{what} is for whoever runs the session; it cannot be asked of a server yet',
      ko: '{what}{what|은|는} 세션을 실행하는 쪽에서만 할 수 있으며, 아직 서버에 부탁할 수 없습니다',
    },
    'remote.somebody': { en: 'a program', ko: '프로그램' },
    'remote.who-at': { en: '{name} ({door})', ko: '{name} ({door})' },
    'remote.door-terminal': { en: 'terminal', ko: '터미널' },
    'remote.door-web': { en: 'web', ko: '웹' },
    'remote.door-widget': { en: 'widget', ko: '위젯' },
    'remote.door-editor': { en: 'editor', ko: '편집기' },
    'remote.door-api': { en: 'API', ko: 'API 호출' },
    'remote.door-import': { en: 'import', ko: '가져오기' },
    'remote.allowed-by': { en: 'allowed by {who}', ko: '{who}에서 허락했습니다' },
    'remote.denied-by': { en: 'declined by {who}', ko: '{who}에서 거절했습니다' },
    'remote.answered-by': { en: 'answered by {who}', ko: '{who}에서 답했습니다' },
    'remote.said-by': { en: '{who}: {words}', ko: '{who}: {words}' },
    'remote.under': {
      en: 'kept by the server at {url}: other doors can watch, steer and approve',
      ko: '{url}의 서버에 기록합니다. 다른 곳에서 보고, 지시하고, 승인할 수 있습니다',
    },
    'remote.not-under': {
      en: 'the server at {url} could not be used ({reason}); the session is kept in a file',
      ko: '{url}의 서버를 쓸 수 없어({reason}) 세션을 파일에 둡니다',
    },
    'remote.stays-file': {
      en: 'this session is kept in a file, so other doors cannot steer it; a new one would be kept by the server',
      ko: '이 세션은 파일에 있어 다른 곳에서 지시할 수 없습니다. 새 세션은 서버에 기록됩니다',
    },
    'remote.waiting': {
      en: 'the server went away; waiting for it for {seconds} s',
      ko: '서버가 사라졌습니다. {seconds}초 동안 기다립니다',
    },
    'remote.forked': {
      en: 'the server is gone; everything goes on here, in a file, as session {id}',
      ko: '서버가 없어 여기서 파일에 이어 갑니다. 새 세션은 {id}입니다',
    },
    'remote.runs-there': {
      en: 'session {id} is being worked on elsewhere; take part in it with "maru attach {id}"',
      ko: '세션 {id}{id|은|는} 다른 곳에서 작업 중입니다. "maru attach {id}"로 참여하십시오',
    },
    'remote.held': {
      en: 'the history is held by the server at {url} (process {pid}), through which "{command}" is not possible; end the server first',
      ko: '기록을 {url}의 서버(프로세스 {pid})가 열고 있어 "{command}"{command|을|를} 할 수 없습니다. 서버를 먼저 끝내십시오',
    },
    'remote.no-dry-run': {
      en: 'the server at {url} holds the history and cannot try an import without doing it; end it first, or leave --dry-run out',
      ko: '기록을 연 {url}의 서버는 가져오기를 시험만 할 수 없습니다. 서버를 먼저 끝내거나 --dry-run을 빼십시오',
    },
    'remote.imported': {
      en: '{file}: {added} new, {grown} longer, {same} unchanged; {messages} {messages|message|messages} added',
      ko: '{file}: 새 대화 {added}개, 길어진 대화 {grown}개, 그대로 {same}개, 더한 메시지 {messages}개',
    },
    'remote.status': {
      en: '{place}\nheld by the server at {url} (process {pid})\n{conversations} {conversations|conversation|conversations}, {messages} {messages|message|messages}, {size}',
      ko: '{place}\n{url}의 서버(프로세스 {pid})가 열고 있습니다\n대화 {conversations}개, 메시지 {messages}개, {size}',
    },
  }),
)
