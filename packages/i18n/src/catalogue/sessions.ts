import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** The life of sessions: lists, portraits, exports, forks, erasure; and letting the model forget. */
export const sessions = defineSubject('command export option reset sessions', () =>
  defineMessages({
    'command.sessions': {
      en: 'List sessions; show, export, fork, summarise or delete them',
      ko: '세션을 나열하고 보거나 내보내거나 갈라내거나 요약하거나 지웁니다',
    },
    'command.reset': {
      en: 'Let the model forget the conversation; the log keeps it',
      ko: '모델이 대화를 잊게 합니다 (로그는 그대로 남습니다)',
    },
    'sessions.details': {
      en: 'Without ID, "show", "export", "fork" and "summarise" mean the latest session of this repository. A fork begins with the facts of its parent up to --at: a fact’s number (show names them), or a turn or run by its id, to its end; what was under way there is laid aside. --files brings the files back as they were then, after asking, and "maru undo" takes that back; --worktree puts them into a directory of their own (a git work tree, or a plain copy without git). "summarise" asks the model for main points, decisions and next actions, and keeps them in the session. "delete" and "prune" erase for good: logs, contents, vendor events, and snapshots of files that no other session holds. An age is 12h, 30d, 8w or 1y.',
      ko: 'ID가 없으면 "show", "export", "fork", "summarise"는 이 저장소의 최근 세션을 뜻합니다. 갈라낸 세션은 원본의 사실을 --at까지 이어받습니다. --at에는 사실 번호(show에 나옵니다)나, 턴 또는 실행의 ID를 쓰며 ID는 그 끝까지를 뜻합니다. 그때 진행 중이던 일은 접어 둡니다. --files는 물어본 뒤 파일을 그때 상태로 되돌리며 "maru undo"로 취소할 수 있고, --worktree는 따로 둔 디렉터리(git 작업 트리, git이 없으면 복사본)에 둡니다. "summarise"는 모델에게 요점, 결정, 다음 할 일을 물어 세션에 남깁니다. "delete"와 "prune"은 로그, 내용, 공급자 이벤트, 다른 세션이 쓰지 않는 파일 스냅숏까지 완전히 지웁니다. 기간은 12h, 30d, 8w, 1y처럼 씁니다.',
    },
    'reset.details': {
      en: 'The next request of the session begins with nothing but what you say then; nothing is erased, and a fork from before it knows everything. What was under way is laid aside. Without SESSION it is the latest one of this repository, which --continue goes on with.',
      ko: '세션의 다음 요청은 그때 하는 말만으로 시작합니다. 지워지는 것은 없으며, 그 이전에서 갈라낸 세션은 모든 것을 압니다. 진행 중이던 일은 접어 둡니다. SESSION이 없으면 --continue가 이어 갈 이 저장소의 최근 세션을 뜻합니다.',
    },
    'option.reset-all': { en: 'Every session of this repository', ko: '이 저장소의 모든 세션' },
    'option.all': { en: 'Of every directory', ko: '모든 디렉터리의 세션' },
    'option.most': { en: 'Sessions to list (20)', ko: '보여 줄 세션 수 (20)' },
    'option.search': { en: 'Only where all these words were said', ko: '이 말이 모두 나오는 세션만' },
    'option.format': { en: 'md (default), json, txt, jsonl or html', ko: 'md(기본값), json, txt, jsonl, html' },
    'option.metadata': {
      en: 'With models, tokens, times and tool calls',
      ko: '모델, 토큰, 시각, 도구 호출도 넣습니다',
    },
    'option.output': { en: 'Write into this new file', ko: '이 새 파일에 씁니다' },
    'option.at': { en: 'Where the fork begins (the end)', ko: '갈라낼 곳 (기본값: 끝)' },
    'option.title': { en: 'A title for the fork', ko: '갈라낸 세션의 제목' },
    'option.files': { en: 'Bring the files back as they were then', ko: '파일을 그때 상태로 되돌립니다' },
    'option.worktree': { en: 'Put them into a directory of their own', ko: '파일을 따로 둔 디렉터리에 놓습니다' },
    'option.older-than': { en: 'Those not changed for so long: 30d', ko: '이만큼 바뀌지 않은 세션: 30d' },
    'option.keep': { en: 'All but the newest N', ko: '최근 N개를 뺀 나머지' },
    'option.words': { en: 'Words of the summary, at most (500)', ko: '요약의 최대 단어 수 (500)' },
    'option.sure': { en: 'Do not ask', ko: '묻지 않습니다' },
    'sessions.none': {
      en: 'there is no session of {path} yet; --all lists those of other directories',
      ko: '{path}의 세션이 아직 없습니다. --all을 쓰면 다른 디렉터리의 세션도 보여 줍니다',
    },
    'sessions.none-at-all': { en: 'there are no sessions yet', ko: '아직 세션이 없습니다' },
    'sessions.not-found': {
      en: 'no session begins with anything like "{words}"; "maru search" looks into everything that was said',
      ko: '"{words}"에 맞는 세션이 없습니다. "maru search"는 모든 대화 내용에서 찾습니다',
    },
    'sessions.more': {
      en: 'the newest {count} are shown; --limit N shows more',
      ko: '최근 {count}개를 보였습니다. --limit N으로 더 볼 수 있습니다',
    },
    'sessions.nothing-said': {
      en: 'nothing was said in session {id} yet: there is nothing to summarise',
      ko: '세션 {id}에는 아직 대화가 없어 요약할 것이 없습니다',
    },
    'sessions.bad-words': {
      en: '--words {value} is not a number of words from 1 to {most}',
      ko: '--words {value}: 1에서 {most} 사이의 단어 수가 아닙니다',
    },
    'sessions.nameless': { en: '(nothing was said)', ko: '(대화 없음)' },
    'sessions.turns': { en: '{count} turns', ko: '{count}턴' },
    'sessions.tokens': { en: '{count} tokens', ko: '{count}토큰' },
    'sessions.fork-of': { en: 'fork of {id} #{seq}', ko: '{id} #{seq}에서 갈라짐' },
    'sessions.running': { en: 'running', ko: '실행 중' },
    'sessions.open': { en: 'not finished', ko: '끝나지 않음' },
    'sessions.damaged': { en: 'damaged', ko: '손상됨' },
    'sessions.moved': { en: 'moved into the history', ko: '기록으로 옮겨짐' },
    'sessions.bad-count': { en: '{option} takes a whole number', ko: '{option}에는 정수를 씁니다' },
    'sessions.not-for': {
      en: '{option} does not go with "{action}"; see "{help}"',
      ko: '{option}{option|은|는} "{action}"에 쓸 수 없습니다. "{help}"를 보십시오',
    },
    'sessions.settings': { en: 'Settings', ko: '설정' },
    'sessions.calls': { en: 'Tool calls', ko: '도구 호출' },
    'sessions.size': { en: 'Size', ko: '크기' },
    'sessions.size-of': { en: '{facts} facts, {kilobytes} KB', ko: '사실 {facts}개, {kilobytes} KB' },
    'sessions.file': { en: 'Log', ko: '로그' },
    'sessions.damage': { en: 'State', ko: '상태' },
    'sessions.said': { en: 'What was said', ko: '사용자가 한 말' },
    'sessions.files': { en: 'Files that it changed', ko: '바꾼 파일' },
    'sessions.forks': { en: 'Forks', ko: '갈라진 세션' },
    'sessions.cut-beyond': {
      en: 'the session has {last} facts: it cannot be forked at "{at}"',
      ko: '세션의 사실은 {last}개이므로 "{at}"에서 갈라낼 수 없습니다',
    },
    'sessions.cut-none': {
      en: 'there is no turn or run "{at}"; write a number up to {last}, or an id from "maru replay --json"',
      ko: '"{at}"라는 턴이나 실행이 없습니다. {last} 이하의 번호나 "maru replay --json"에 나오는 ID를 쓰십시오',
    },
    'sessions.cut-many': {
      en: '"{at}" begins several ids; write more of it, for example {example}',
      ko: '"{at}"{at|으로|로} 시작하는 ID가 여럿입니다. 더 길게 쓰십시오. 예: {example}',
    },
    'sessions.no-directory': {
      en: 'the directory of the session is gone ({path}); fork it without --files and --worktree',
      ko: '세션의 디렉터리가 없습니다({path}). --files와 --worktree 없이 갈라내십시오',
    },
    'sessions.exists': {
      en: '{path} is there already; name a directory that is not',
      ko: '{path}{path|이|가} 이미 있습니다. 없는 디렉터리를 지정하십시오',
    },
    'sessions.would-change': {
      en: 'the files as they were then differ in {count} {count|place|places}:',
      ko: '그때의 파일과 다른 곳이 {count}군데 있습니다:',
    },
    'sessions.change-files': { en: 'Change them back?', ko: '되돌리시겠습니까?' },
    'sessions.yes-no': { en: '(y/N)', ko: '(y/N)' },
    'sessions.needs-yes': {
      en: 'nobody is here to be asked; add --yes if that is what you want',
      ko: '물어볼 사람이 없습니다. 정말 하려면 --yes를 붙이십시오',
    },
    'sessions.forked': {
      en: '{id} is a fork of {parent} at #{seq}',
      ko: '{parent}의 #{seq}에서 {id}{id|을|를} 갈라냈습니다',
    },
    'sessions.in-worktree': {
      en: 'its files are in a git work tree of their own: {path}',
      ko: '파일은 따로 만든 git 작업 트리에 있습니다: {path}',
    },
    'sessions.in-copy': { en: 'its files are in {path}', ko: '파일은 {path}에 있습니다' },
    'sessions.restored': {
      en: '{count} {count|file is|files are} as then',
      ko: '파일 {count}개를 그때 상태로 되돌렸습니다',
    },
    'sessions.undo-files': {
      en: '"maru undo --session {id}" brings them back as they were a moment ago',
      ko: '"maru undo --session {id}"로 조금 전 상태로 돌아갈 수 있습니다',
    },
    'sessions.go-on': {
      en: 'go on with it: maru run --resume {id} "…"',
      ko: '이어 가려면: maru run --resume {id} "…"',
    },
    'sessions.lost-files': {
      en: '{count} {count|file|files} could not be brought back as then, such as {first}: too large, or not kept',
      ko: '그때 상태로 되돌리지 못한 파일이 {count}개 있습니다(예: {first}). 너무 크거나 보관되지 않았습니다',
    },
    'sessions.delete-these': {
      en: 'Erase {count} {count|session|sessions} for good?',
      ko: '세션 {count}개를 완전히 지우시겠습니까?',
    },
    'sessions.deleted': { en: '{count} {count|session|sessions} erased', ko: '세션 {count}개를 지웠습니다' },
    'sessions.kept': { en: '{id} is left as it is: {reason}', ko: '{id}{id|은|는} 그대로 두었습니다: {reason}' },
    'sessions.busy': {
      en: 'another session is running: snapshots that are no longer needed are erased with the next deletion',
      ko: '다른 세션이 실행 중이어서, 필요 없어진 스냅숏은 다음에 지울 때 함께 지웁니다',
    },
    'sessions.not-history': {
      en: 'sessions that the history keeps were not looked at, because no server runs; start "maru serve" and do this again for them',
      ko: '실행 중인 서버가 없어 기록에 있는 세션은 살펴보지 않았습니다. 그 세션까지 하려면 "maru serve"를 시작한 뒤 다시 실행하십시오',
    },
    'sessions.prune-what': {
      en: 'say what is to go: --older-than 30d, --keep 50, or both',
      ko: '무엇을 지울지 쓰십시오: --older-than 30d, --keep 50, 또는 둘 다',
    },
    'sessions.bad-age': {
      en: '"{age}" is no age; write 12h, 30d, 8w or 1y',
      ko: '"{age}"{age|은|는} 기간이 아닙니다. 12h, 30d, 8w, 1y처럼 쓰십시오',
    },
    'reset.both': {
      en: 'name a session or write --all, not both',
      ko: '세션을 지정하거나 --all을 쓰되, 함께 쓰지 마십시오',
    },
    'reset.done': {
      en: 'the model has forgotten {count} {count|session|sessions}; the {count|log keeps|logs keep} everything',
      ko: '모델이 세션 {count}개의 대화를 잊었습니다. 로그에는 모두 남아 있습니다',
    },
    'reset.nothing': { en: 'there is nothing to forget', ko: '잊을 대화가 없습니다' },
    'export.user': { en: 'You', ko: '사용자' },
    'export.assistant': { en: 'Maru', ko: '마루' },
    'export.system': { en: 'System', ko: '시스템' },
    'export.untitled': { en: 'A session', ko: '세션' },
    'export.session': { en: 'Session', ko: '세션' },
    'export.started': { en: 'Started', ko: '시작' },
    'export.changed': { en: 'Last changed', ko: '마지막 변경' },
    'export.turns': { en: 'Turns', ko: '턴' },
    'export.tokens': { en: 'Tokens', ko: '토큰' },
    'export.models': { en: 'Models', ko: '모델' },
    'export.directory': { en: 'Directory', ko: '디렉터리' },
    'export.fork-of': { en: 'Fork of', ko: '원본' },
    'export.usage': { en: '{input} in, {output} out', ko: '입력 {input}, 출력 {output}' },
    'export.cut': { en: '[cut; {bytes} bytes in all]', ko: '[잘림. 모두 {bytes}바이트]' },
    'export.exists': { en: 'it is there already', ko: '이미 있습니다' },
    'export.not-written': {
      en: '{path} could not be written: {reason}',
      ko: '{path}{path|을|를} 쓰지 못했습니다: {reason}',
    },
    'export.written': { en: 'written to {path}', ko: '{path}에 썼습니다' },
    'export.no-json': {
      en: '--json goes with --format json or jsonl, or with --output; {format} is not JSON',
      ko: '--json은 --format json이나 jsonl, 또는 --output과 함께 씁니다. {format}{format|은|는} JSON이 아닙니다',
    },
  }),
)
