import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** The history: opening it, searching it, bringing things in, looking after its database. */
export const history = defineSubject('command db history import option search', () =>
  defineMessages({
    'command.search': {
      en: 'Find words in everything that was said',
      ko: '모든 대화에서 말을 찾습니다',
    },
    'search.details': {
      en: 'Finds messages and titles that hold every word, also inside longer words, in Korean and English. The newest that fit best come first; with the id of a hit, "maru sessions" shows the whole conversation, writes it out or erases it. A time is a day (2026-11-16), a day and a time (2026-11-16T09:30), or how long ago (12h, 7d, 2w).',
      ko: '모든 단어가 들어 있는 메시지와 제목을 찾습니다. 한국어와 영어 모두 더 긴 낱말 속에 있어도 찾으며, 최근의 잘 맞는 것부터 보여 줍니다. 찾은 대화의 ID를 "maru sessions"에 주면 전체를 보거나 내보내거나 지울 수 있습니다. 시각은 날짜(2026-11-16), 날짜와 시각(2026-11-16T09:30), 지난 시간(12h, 7d, 2w)으로 씁니다.',
    },
    'option.limit': { en: 'Hits at most (20)', ko: '보여 줄 최대 개수 (20)' },
    'option.project': { en: 'Only of this repository or project', ko: '이 저장소나 프로젝트만' },
    'option.role': { en: 'Only what this one said', ko: '말한 쪽으로 좁힙니다' },
    'option.since': { en: 'Only what was said since then', ko: '이때부터' },
    'option.until': { en: 'Only what was said until then', ko: '이때까지' },
    'option.tag': { en: 'Only of conversations with this tag', ko: '이 태그가 붙은 대화만' },
    'search.no-words': {
      en: 'there is nothing to look for; see "maru search -h"',
      ko: '찾을 말이 없습니다. "maru search -h"를 보십시오',
    },
    'search.nothing': { en: 'nothing found for "{query}"', ko: '"{query}"{query|을|를} 찾지 못했습니다' },
    'search.bad-limit': {
      en: '"{value}" is no number of hits; write 1 to {most}',
      ko: '"{value}"{value|은|는} 개수가 아닙니다. 1에서 {most} 사이로 쓰십시오',
    },
    'search.bad-time': {
      en: '{option} "{value}" is no time; write 2026-11-16, 2026-11-16T09:30 or 7d',
      ko: '{option}의 "{value}"{value|은|는} 시각이 아닙니다. 2026-11-16, 2026-11-16T09:30, 7d처럼 쓰십시오',
    },
    'search.untitled': { en: 'untitled', ko: '제목 없음' },
    'search.role.user': { en: 'person', ko: '사용자' },
    'search.role.assistant': { en: 'assistant', ko: '어시스턴트' },
    'search.role.system': { en: 'system', ko: '시스템' },
    'search.role.title': { en: 'title', ko: '제목' },
    'search.role.note': { en: 'note', ko: '알림' },
    'history.mirroring': {
      en: 'bringing sessions into the history: {done} of {total}',
      ko: '세션을 기록에 옮겨 담는 중입니다: {total}개 중 {done}개',
    },
    'history.not-mirrored': {
      en: 'session {id} is in the history only as far as it can be read: {problem}',
      ko: '세션 {id}{id|은|는} 읽을 수 있는 곳까지만 기록에 담겼습니다: {problem}',
    },
    'history.held': {
      en: 'the history in {path} is open in another process; wait for it or end it, and try again',
      ko: '{path}의 기록을 다른 프로세스가 열고 있습니다. 끝나기를 기다리거나 끝낸 뒤 다시 하십시오',
    },
    'history.held-by': {
      en: 'the history in {path} is open in process {pid}; wait for it or end it, and try again',
      ko: '{path}의 기록을 프로세스 {pid}{pid|이|가} 열고 있습니다. 끝나기를 기다리거나 끝낸 뒤 다시 하십시오',
    },
    'history.other-engine': {
      en: '{path} was written by PostgreSQL {version}, which this Maru does not read; dump it with the Maru that wrote it ("maru db dump FILE"), move the directory away, and restore it ("maru db restore FILE")',
      ko: '{path}{path|은|는} PostgreSQL {version}{version|으로|로} 만들어져 이 Maru가 읽지 못합니다. 만든 버전의 Maru에서 "maru db dump FILE"로 내보내고, 디렉터리를 옮긴 뒤 "maru db restore FILE"로 되살리십시오',
    },
    'history.newer': {
      en: 'the history was written by a newer Maru; update this one',
      ko: '더 새로운 Maru가 만든 기록입니다. 이 Maru를 업데이트하십시오',
    },
    'history.unopened': {
      en: 'the history in {path} cannot be opened: {reason}; "maru db doctor" says more',
      ko: '{path}의 기록을 열 수 없습니다: {reason}. "maru db doctor"로 더 알아볼 수 있습니다',
    },
    'history.unreachable': {
      en: 'the database {url} cannot be used: {reason}; check DATABASE_URL, or unset it to use the embedded one',
      ko: '데이터베이스 {url}{url|을|를} 쓸 수 없습니다: {reason}. DATABASE_URL을 확인하거나, 내장 데이터베이스를 쓰려면 지우십시오',
    },
    'history.moved': {
      en: 'the history was moved to {url}; set DATABASE_URL to it, or remove {mark} to go on with the old one',
      ko: '기록을 {url}{url|으로|로} 옮겼습니다. DATABASE_URL을 그 주소로 설정하거나, 예전 것을 계속 쓰려면 {mark}{mark|을|를} 지우십시오',
    },
    'command.db': { en: 'Look after the database of the history', ko: '기록 데이터베이스를 관리합니다' },
    'db.details': {
      en: 'status says what is in it; migrate brings its schema up to date; dump writes everything to a file of JSON lines ("-": stdout) and restore reads one; move takes the embedded history to the server in DATABASE_URL; doctor looks for what does not hold.',
      ko: 'status는 들어 있는 것을 알리고, migrate는 스키마를 최신으로 맞춥니다. dump는 모든 것을 JSON 줄로 된 파일("-": 표준 출력)에 쓰고 restore는 그것을 읽습니다. move는 내장 기록을 DATABASE_URL의 서버로 옮기며, doctor는 잘못된 곳을 찾습니다.',
    },
    'option.repair': { en: 'doctor: mend what can be made anew', ko: 'doctor: 다시 만들 수 있는 것을 고칩니다' },
    'db.place.embedded': { en: 'embedded, in {path}', ko: '내장, {path}' },
    'db.status': {
      en: '{place}\nPostgreSQL {version}, schema {schema} of {latest}, {size}\n{conversations} {conversations|conversation|conversations}, {messages} {messages|message|messages}, {facts} {facts|fact|facts}, {blobs} {blobs|blob|blobs} ({blobSize}), {accounts} {accounts|owner|owners}',
      ko: '{place}\nPostgreSQL {version}, 스키마 {schema}/{latest}, {size}\n대화 {conversations}개, 메시지 {messages}개, 사실 {facts}개, 블롭 {blobs}개({blobSize}), 소유자 {accounts}명',
    },
    'db.migrated': {
      en: 'the schema was brought from {from} to {to}',
      ko: '스키마를 {from}에서 {to}{to|으로|로} 올렸습니다',
    },
    'db.current': { en: 'the schema is up to date ({version})', ko: '스키마가 최신입니다 ({version})' },
    'db.file-exists': {
      en: '{file} is there already; name another file',
      ko: '{file}{file|이|가} 이미 있습니다. 다른 파일을 지정하십시오',
    },
    'db.no-file': { en: '{file} cannot be read: {reason}', ko: '{file}{file|을|를} 읽을 수 없습니다: {reason}' },
    'db.not-written': { en: '{file} cannot be written: {reason}', ko: '{file}에 쓸 수 없습니다: {reason}' },
    'db.dumping': { en: 'dumping: {n} lines', ko: '내보내는 중입니다: {n}줄' },
    'db.dumped': { en: '{n} {n|line|lines} written to {file}', ko: '{file}에 {n}줄을 썼습니다' },
    'db.restoring': {
      en: 'restoring: {sessions} sessions, {facts} facts',
      ko: '되살리는 중입니다: 세션 {sessions}개, 사실 {facts}개',
    },
    'db.restored': {
      en: '{sessions} {sessions|session|sessions} with {facts} {facts|fact|facts} and {blobs} {blobs|blob|blobs} came in; {kept} {kept|was|were} there already',
      ko: '세션 {sessions}개, 사실 {facts}개, 블롭 {blobs}개를 되살렸습니다. {kept}개는 이미 있었습니다',
    },
    'db.damaged': {
      en: '{file} cannot be restored to its end: {reason}; what came before is kept',
      ko: '{file}{file|을|를} 끝까지 되살릴 수 없습니다: {reason}. 그 앞까지는 담았습니다',
    },
    'db.no-url': {
      en: 'where should it go? set DATABASE_URL to the server, as postgresql://USER@HOST/DATABASE',
      ko: '옮길 곳이 없습니다. DATABASE_URL을 postgresql://USER@HOST/DATABASE 꼴로 설정하십시오',
    },
    'db.moved': {
      en: '{sessions} {sessions|session|sessions} moved to {url}, checked one by one; the old directory {path} is kept and no longer used',
      ko: '세션 {sessions}개를 {url}{url|으로|로} 옮기고 하나씩 확인했습니다. 예전 디렉터리 {path}{path|은|는} 남겨 두며 더는 쓰지 않습니다',
    },
    'db.differs': {
      en: '{n} {n|session|sessions} did not arrive whole, the first is {first}; nothing was marked as moved, try again',
      ko: '세션 {n}개가 온전히 옮겨지지 않았습니다. 첫째는 {first}입니다. 옮긴 것으로 표시하지 않았으니 다시 하십시오',
    },
    'db.doctor.place': { en: 'History: {place}', ko: '기록: {place}' },
    'db.doctor.none': {
      en: 'No history yet in {path}; it is made when it is first needed',
      ko: '{path}에 아직 기록이 없습니다. 처음 필요할 때 만듭니다',
    },
    'db.doctor.open-to-others': {
      en: 'Others on this machine can look into {path}',
      ko: '이 컴퓨터의 다른 사용자가 {path}{path|을|를} 볼 수 있습니다',
    },
    'db.doctor.schema': { en: 'Schema {version}, up to date', ko: '스키마 {version}, 최신' },
    'db.doctor.facts.ok': { en: 'Facts follow each other without a gap', ko: '사실이 빠짐없이 이어집니다' },
    'db.doctor.facts.wrong': {
      en: '{n} {n|session has|sessions have} gaps: {list}',
      ko: '사실이 빠진 세션이 {n}개 있습니다: {list}',
    },
    'db.doctor.counts.ok': { en: 'Statistics agree with the facts', ko: '통계가 사실과 맞습니다' },
    'db.doctor.counts.wrong': {
      en: 'The statistics of {n} {n|session|sessions} are wrong: {list}',
      ko: '통계가 틀린 세션이 {n}개 있습니다: {list}',
    },
    'db.doctor.index.ok': { en: 'Indexes agree with their tables', ko: '색인이 표와 맞습니다' },
    'db.doctor.index.wrong': { en: 'Indexes miss {n} {n|row|rows}', ko: '색인에서 행 {n}개가 빠졌습니다' },
    'db.doctor.content.ok': { en: 'Content is what its hashes say', ko: '내용이 해시와 맞습니다' },
    'db.doctor.content.wrong': {
      en: '{n} {n|blob is|blobs are} not what the hash says',
      ko: '해시와 다른 블롭이 {n}개 있습니다',
    },
    'db.doctor.upkeep.ok': { en: 'Nothing is left to tidy', ko: '정리할 것이 없습니다' },
    'db.doctor.upkeep.due': {
      en: 'Much has changed since it was last tidied; that is done now',
      ko: '지난 정리 뒤로 많이 바뀌어 지금 정리합니다',
    },
    'db.doctor.upkeep.erased': {
      en: 'What was erased cannot be read or found any more, but its bytes may still lie in free places of the files',
      ko: '지운 내용은 더 읽거나 찾을 수 없지만, 파일의 빈 자리에 그 바이트가 남아 있을 수 있습니다',
    },
    'db.doctor.hint.repair': { en: 'Run: maru db doctor --repair', ko: '다음을 실행하십시오: maru db doctor --repair' },
    'db.doctor.hint.restore': {
      en: 'Restore from a dump ("maru db restore FILE"); before that, dump what is there',
      ko: '내보낸 파일에서 되살리십시오("maru db restore FILE"). 그 전에 지금 있는 것을 내보내 두십시오',
    },
    'command.import': {
      en: 'Bring in what was said elsewhere',
      ko: '다른 곳에서 나눈 대화를 가져옵니다',
    },
    'import.details': {
      en: 'Reads exports of ChatGPT and Claude (zip or conversations.json), session files of Claude Code and Codex, what Maru exported (JSONL, JSON), and tables of questions and answers (CSV, SQL with INSERT). A directory is looked through. The same file twice adds nothing; a longer one adds the rest. Secrets are masked. Exit code 1 says that something could not be read; the rest is kept.',
      ko: 'ChatGPT와 Claude의 내보내기(zip 또는 conversations.json), Claude Code와 Codex의 세션 파일, Maru가 내보낸 파일(JSONL, JSON), 질문과 답의 표(CSV, INSERT로 된 SQL)를 읽습니다. 디렉터리는 그 안을 살펴봅니다. 같은 파일을 두 번 가져와도 더해지지 않고, 길어진 파일은 나머지만 더합니다. 비밀 값은 가립니다. 종료 코드 1은 읽지 못한 것이 있다는 뜻이며, 나머지는 담습니다.',
    },
    'import.no-file': { en: 'there is no {file}', ko: '{file}{file|이|가} 없습니다' },
    'import.problem': { en: '{file}: {place}: {reason}', ko: '{file}: {place}: {reason}' },
    'import.done': {
      en: '{file} ({format}): {added} new, {grown} longer, {same} unchanged; {messages} {messages|message|messages} added',
      ko: '{file} ({format}): 새 대화 {added}개, 길어진 대화 {grown}개, 그대로 {same}개, 더한 메시지 {messages}개',
    },
    'import.would': {
      en: '{file} ({format}): would be {added} new, {grown} longer, {same} unchanged; {messages} {messages|message|messages}',
      ko: '{file} ({format}): 가져오면 새 대화 {added}개, 길어진 대화 {grown}개, 그대로 {same}개, 메시지 {messages}개',
    },
    'import.indexing': { en: 'making the index of the search', ko: '검색 색인을 만드는 중입니다' },
    'import.sensitive': {
      en: '{n} {n|message holds|messages hold} secrets or personal numbers; they are masked and marked',
      ko: '비밀 값이나 개인 번호가 든 메시지가 {n}개 있습니다. 가리고 표시해 두었습니다',
    },
    'import.problems': {
      en: '{n} {n|thing|things} could not be read, as listed above; the rest is kept',
      ko: '위와 같이 {n}개를 읽지 못했습니다. 나머지는 담았습니다',
    },
  }),
)
