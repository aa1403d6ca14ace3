import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** What is said while an agent works, and when its log cannot be used. */
export const session = defineSubject('apply chat command diff log option run session tools undo', () =>
  defineMessages({
    'command.run': { en: 'Do one task with tools, then exit', ko: '도구를 써서 작업 하나를 하고 끝냅니다' },
    'command.ask': { en: 'Answer one question, without tools', ko: '도구 없이 질문 하나에 답합니다' },
    'command.chat': { en: 'Talk, without tools', ko: '도구 없이 대화합니다' },
    'command.tools': { en: 'List the tools, or run one by hand', ko: '도구를 나열하거나 하나를 직접 실행합니다' },
    'run.details': {
      en: 'The task may also come from standard input ("-"). Text goes to stdout, what the tools do to stderr. Exit codes: 0 done, 1 failed, 3 something was denied, 4 a limit, 130 interrupted.',
      ko: '작업은 표준 입력("-")으로도 줄 수 있습니다. 글은 stdout에, 도구가 하는 일은 stderr에 씁니다. 종료 코드: 0 완료, 1 실패, 3 거부된 일이 있음, 4 한도 도달, 130 중단.',
    },
    'option.provider': {
      en: 'The vendor: anthropic, openai, openai-chat',
      ko: '공급자: anthropic, openai, openai-chat',
    },
    'option.model': { en: 'The model', ko: '모델' },
    'option.base-url': { en: 'Where the vendor is reached', ko: '공급자 주소' },
    'option.session': {
      en: 'Continue this log; made if it is not there',
      ko: '이 로그에 이어 씁니다 (없으면 만듭니다)',
    },
    'option.of-session': {
      en: 'Of this session (default: the latest here)',
      ko: '이 세션에서 (기본값: 이 저장소의 최근 세션)',
    },
    'option.continue': {
      en: 'Go on with the latest session of this repository',
      ko: '이 저장소의 최근 세션을 이어 갑니다',
    },
    'option.resume': { en: 'Go on with a session', ko: '지정한 세션을 이어 갑니다' },
    'option.max-turns': { en: 'Model requests a run may make (20)', ko: '한 실행의 최대 모델 요청 수 (20)' },
    'option.effort': { en: 'How hard the model thinks', ko: '모델이 생각하는 정도' },
    'option.output-schema': { en: 'The answer must be JSON of this schema', ko: '이 스키마에 맞는 JSON으로 답합니다' },
    'option.mode': { en: 'Approvals: ask, auto, read-only, yes', ko: '승인 방식: ask, auto, read-only, yes' },
    'option.yes': { en: 'Approve by itself (= --mode yes)', ko: '자동으로 승인합니다 (= --mode yes)' },
    'option.dry-run': { en: 'Say what would be done, change nothing', ko: '무엇을 할지만 알리고 바꾸지 않습니다' },
    'session.no-task': {
      en: 'there is no task; write it behind "maru {command}", or pipe it in and write "-"',
      ko: '할 일이 없습니다. "maru {command}" 뒤에 쓰거나, 표준 입력으로 주고 "-"를 쓰십시오',
    },
    'session.no-key': {
      en: 'there is no key for {provider}; set {variable}, or run "maru config set keys.{provider} -"; "maru doctor" says more',
      ko: '{provider}의 키가 없습니다. {variable}{variable|을|를} 설정하거나 "maru config set keys.{provider} -"를 쓰십시오. 자세한 것은 "maru doctor"가 알려 줍니다',
    },
    'session.key-command': {
      en: 'the command for the key of {provider} failed: {reason}',
      ko: '{provider}의 키를 얻는 명령이 실패했습니다: {reason}',
    },
    'session.no-price': {
      en: 'a limit on money needs the price of {model}; set it under "models" in config.json, or take the limit away',
      ko: '비용 한도를 쓰려면 {model}의 가격이 필요합니다. config.json의 "models"에 적거나 한도를 없애십시오',
    },
    'session.open-calls': {
      en: 'session {id} still has calls to run; finish it first with "maru run --session {id}"',
      ko: '세션 {id}에 아직 실행할 호출이 남아 있습니다. 먼저 "maru run --session {id}"로 마치십시오',
    },
    'session.no-latest': {
      en: 'there is no earlier session of {path}; start one without --continue',
      ko: '{path}의 이전 세션이 없습니다. --continue 없이 시작하십시오',
    },
    'session.moved': {
      en: 'session {id} goes on in the history, no longer in its file; start "maru serve", then go on with "maru attach {id}"',
      ko: '세션 {id}{id|은|는} 파일이 아니라 기록에서 이어집니다. "maru serve"를 시작한 뒤 "maru attach {id}"로 이어 가십시오',
    },
    'session.repaired': {
      en: 'the log ended in an unfinished write; {cut} bytes that were never acknowledged were cut off',
      ko: '로그 끝에 끝나지 않은 쓰기가 있어, 저장이 확인되지 않은 {cut}바이트를 잘라 냈습니다',
    },
    'session.retry': { en: '{reason}; trying again in {seconds} s', ko: '{reason}. {seconds}초 뒤에 다시 시도합니다' },
    'session.context-level': {
      en: 'the context is {percent} % full ({tokens} of {limit} tokens); "maru context" shows what fills it',
      ko: '컨텍스트가 {percent}% 찼습니다({limit}토큰 중 {tokens}토큰). "maru context"로 무엇이 차지하는지 볼 수 있습니다',
    },
    'session.ended': { en: 'ended: {reason}', ko: '끝남: {reason}' },
    'session.approve': { en: 'Allow this? (y/N) ', ko: '허용합니까? (y/N) ' },
    'session.approve-always': {
      en: 'Allow this? (y/N), a = always, or say why not: ',
      ko: '허용합니까? (y/N), a = 항상, 또는 거절하는 까닭: ',
    },
    'session.no-sandbox': {
      en: 'commands are not held by a sandbox on this machine, so you are asked more often; see "maru doctor"',
      ko: '이 컴퓨터에는 명령을 가둘 샌드박스가 없어서 더 자주 묻습니다. "maru doctor"를 보십시오',
    },
    'session.moved-away': {
      en: 'a command made files that say what may run; they were moved to {place}: {paths}',
      ko: '명령이 실행을 정하는 파일을 만들어서 {place}로 옮겼습니다: {paths}',
    },
    'session.always': { en: '  always = {rule}', ko: '  항상 = {rule}' },
    'session.answer': { en: 'Your answer (empty to cancel): ', ko: '답 (비우면 취소): ' },
    'session.choose': {
      en: 'A number from 1 to {count} (empty to cancel): ',
      ko: '1에서 {count}까지의 번호 (비우면 취소): ',
    },
    'session.schema': {
      en: '{path} is no JSON Schema: it must hold one JSON object',
      ko: '{path}{path|은|는} JSON 스키마가 아닙니다. JSON 객체 하나가 있어야 합니다',
    },
    'session.not-json': {
      en: 'the answer is not JSON, as --output-schema asks for; "maru replay {session}" shows it',
      ko: '답이 --output-schema가 요구하는 JSON이 아닙니다. "maru replay {session}"로 볼 수 있습니다',
    },
    'session.misfit': {
      en: 'the answer does not fit --output-schema: {place} breaks "{keyword}"; "maru replay {session}" shows it',
      ko: '답이 --output-schema에 맞지 않습니다. {place}에서 "{keyword}"{keyword|을|를} 어겼습니다. "maru replay {session}"로 볼 수 있습니다',
    },
    'chat.hello': {
      en: 'Write and press Enter; an empty line or Ctrl-D ends.',
      ko: '글을 쓰고 Enter를 누르십시오. 빈 줄이나 Ctrl-D로 끝냅니다.',
    },
    'apply.details': {
      en: 'Takes what models write: unified diffs with wrong numbers or prose around them, "*** Begin Patch", search/replace blocks. All files are changed or none, and never by a guess: where a change could go to two places, or matches nowhere, it says so and changes nothing.',
      ko: '모델이 쓰는 형식을 그대로 받습니다: 줄 번호가 틀리거나 설명이 섞인 통합 diff, "*** Begin Patch", 검색/바꾸기 블록. 모든 파일을 바꾸거나 하나도 바꾸지 않으며, 추측하지 않습니다. 바꿀 곳이 둘이거나 없으면 이유를 알리고 아무것도 바꾸지 않습니다.',
    },
    'undo.details': {
      en: 'Without RUN: the last run in this repository that changed files and was not taken back. Files that were created, changed, deleted or renamed by patches and by commands are brought back byte for byte. What somebody else has changed since is left alone and named; --force PATH overwrites it. While somebody works in the session, nothing is taken back.',
      ko: 'RUN이 없으면 이 저장소에서 파일을 바꾼 마지막 실행을 되돌립니다. 패치와 명령이 만들고 바꾸고 지우고 이름을 바꾼 파일이 바이트까지 그대로 돌아옵니다. 그 뒤에 다른 사람이 바꾼 파일은 그대로 두고 알려 주며, --force PATH를 붙이면 덮어씁니다. 세션에서 작업 중일 때는 되돌리지 않습니다.',
    },
    'session.no-snapshot': {
      en: 'commands of this run cannot be taken back: {reason}',
      ko: '이 실행의 명령은 되돌릴 수 없습니다: {reason}',
    },
    'undo.run': { en: 'run {run}: {task}', ko: '실행 {run}: {task}' },
    'undo.left': {
      en: '{count} {count|file was|files were} left as found; --force PATH overwrites one',
      ko: '파일 {count}개를 그대로 두었습니다. --force PATH로 덮어쓸 수 있습니다',
    },
    'undo.changed-since': { en: 'changed since, left alone', ko: '그 뒤에 바뀌어 그대로 두었습니다' },
    'undo.not-kept': { en: 'could not be brought back', ko: '되돌릴 수 없습니다' },
    'undo.held': {
      en: 'session {id} is in use elsewhere, and nothing was taken back; wait until it has ended, or stop it there first',
      ko: '세션 {id}{id|을|를} 다른 곳에서 쓰고 있어 아무것도 되돌리지 않았습니다. 끝나기를 기다리거나 그쪽을 먼저 멈추십시오',
    },
    'undo.no-run': {
      en: 'no run {run} of this session changed any file',
      ko: '이 세션에 파일을 바꾼 실행 {run}{run|이|가} 없습니다',
    },
    'undo.nothing': { en: 'there is nothing to take back here', ko: '되돌릴 것이 없습니다' },
    'diff.details': {
      en: 'From before the last run that changed files, or before RUN, to now; of the files that the agent changed.',
      ko: '파일을 바꾼 마지막 실행 또는 RUN 이전부터 지금까지, 에이전트가 바꾼 파일의 차이를 보여 줍니다.',
    },
    'option.force': { en: 'Overwrite this path even if it changed', ko: '그 뒤에 바뀐 이 경로도 덮어씁니다' },
    'option.since-run': { en: 'From before this run', ko: '이 실행 이전부터' },
    'apply.unreadable': {
      en: '{path} cannot be read: {reason}',
      ko: '{path}{path|을|를} 읽을 수 없습니다: {reason}',
    },
    'option.check': { en: 'Only show what would change', ko: '바뀔 내용만 보여 줍니다' },
    'tools.unknown': {
      en: 'there is no tool "{name}"; there are {names}',
      ko: '"{name}"{name|이라는|라는} 도구는 없습니다. 있는 도구: {names}',
    },
    'tools.not-json': {
      en: 'the arguments are not JSON; write them as one object in quotes',
      ko: '인수가 JSON이 아닙니다. 따옴표 안에 객체 하나로 쓰십시오',
    },
    'log.missing': { en: 'there is no such session ({message})', ko: '그런 세션이 없습니다 ({message})' },
    'log.exists': { en: 'there is such a session already ({message})', ko: '그런 세션이 이미 있습니다 ({message})' },
    'log.conflict': {
      en: 'somebody else took the session over ({message})',
      ko: '다른 실행이 세션을 넘겨받았습니다 ({message})',
    },
    'log.held': {
      en: 'the session is in use elsewhere; read it with "maru replay", or end the other one first ({message})',
      ko: '세션을 다른 곳에서 쓰고 있습니다. "maru replay"로 읽거나 그쪽을 먼저 끝내십시오 ({message})',
    },
    'log.damaged': {
      en: 'the log is damaged and was not touched; "maru replay" shows what is readable ({message})',
      ko: '로그가 손상되어 건드리지 않았습니다. "maru replay"로 읽을 수 있는 부분을 보십시오 ({message})',
    },
    'log.rejected': { en: 'this cannot be stored ({message})', ko: '저장할 수 없는 내용입니다 ({message})' },
    'log.moved': {
      en: 'this session goes on in the history, which only a running server reaches; start "maru serve" ({message})',
      ko: '이 세션은 기록에서 이어지며 서버가 실행 중일 때만 다룰 수 있습니다. "maru serve"를 시작하십시오 ({message})',
    },
    'log.newer': {
      en: 'a newer Maru wrote this session: update to run it, "maru replay" shows it ({message})',
      ko: '더 새로운 Maru가 쓴 세션입니다. 실행하려면 업데이트하십시오. 보는 것은 "maru replay"로 됩니다 ({message})',
    },
    'log.full': {
      en: 'the disk is full: free some space and go on; nothing acknowledged was lost ({message})',
      ko: '디스크가 가득 찼습니다. 공간을 비우고 이어 가십시오. 저장이 확인된 것은 잃지 않았습니다 ({message})',
    },
    'log.failed': { en: 'the log cannot be written ({message})', ko: '로그를 쓸 수 없습니다 ({message})' },
    'log.closed': { en: 'the log was closed ({message})', ko: '로그가 닫혔습니다 ({message})' },
  }),
)
