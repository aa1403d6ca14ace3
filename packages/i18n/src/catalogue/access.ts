import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** Who may come in: people of the history, and keys to the server. */
export const access = defineSubject('command did option token user', () =>
  defineMessages({
    'command.user': {
      en: 'Add, list or remove people of this history',
      ko: '이 기록을 쓰는 사람을 추가, 나열, 제거합니다',
    },
    'user.details': {
      en: 'Each person sees only what is theirs. With a password they can sign in to the server; without one only tokens, links and pairing codes open it. "add" and "password" ask for it twice; --password-stdin reads one line instead. "remove" erases everything of theirs: conversations, files in them, tokens. "log" shows who signed in lately, what was done with keys, and who approved what.',
      ko: '각자는 자기 것만 봅니다. 비밀번호가 있으면 서버에 로그인할 수 있고, 없으면 토큰, 링크, 페어링 코드로만 들어갈 수 있습니다. "add"와 "password"는 비밀번호를 두 번 물으며, --password-stdin을 쓰면 표준 입력에서 한 줄을 읽습니다. "remove"는 그 사람의 대화, 그 안의 파일, 토큰을 모두 지웁니다. "log"는 최근 누가 로그인했고 키로 무엇을 했으며 누가 무엇을 승인했는지 보여 줍니다.',
    },
    'option.password-stdin': { en: 'Read the password from stdin', ko: '비밀번호를 표준 입력에서 읽습니다' },
    'user.password': { en: 'Password for {name} (empty for none): ', ko: '{name}의 비밀번호 (없으면 빈 줄): ' },
    'user.new-password': { en: 'New password for {name}: ', ko: '{name}의 새 비밀번호: ' },
    'user.password-again': { en: 'Once more: ', ko: '한 번 더: ' },
    'user.password-differs': {
      en: 'the two passwords differ; nothing was changed, try again',
      ko: '두 비밀번호가 다릅니다. 바뀐 것이 없으니 다시 하십시오',
    },
    'user.interrupted': { en: 'interrupted; nothing was changed', ko: '중단했습니다. 바뀐 것이 없습니다' },
    'user.no-password': {
      en: 'there is no password on stdin; write it as one line',
      ko: '표준 입력에 비밀번호가 없습니다. 한 줄로 쓰십시오',
    },
    'user.password-short': {
      en: 'this password has fewer than {least} letters: it is easy to guess',
      ko: '비밀번호가 {least}자보다 짧아 쉽게 알아낼 수 있습니다',
    },
    'user.password-needed': {
      en: 'a password is needed; add --password-stdin where nobody can be asked',
      ko: '비밀번호가 필요합니다. 물어볼 사람이 없으면 --password-stdin을 붙이십시오',
    },
    'user.added': { en: '{name} was added, with a password', ko: '{name}{name|을|를} 비밀번호와 함께 추가했습니다' },
    'user.added-without': {
      en: '{name} was added without a password; "maru token create --user NAME" makes a token for them',
      ko: '{name}{name|을|를} 비밀번호 없이 추가했습니다. "maru token create --user NAME"으로 토큰을 만들 수 있습니다',
    },
    'user.password-set': {
      en: '{name} has a new password; whoever is signed in as {name} has to sign in again',
      ko: '{name}의 비밀번호를 바꿨습니다. 이미 로그인한 브라우저에서는 다시 로그인해야 합니다',
    },
    'did.sign-in': { en: 'signed in', ko: '로그인' },
    'did.sign-in-failed': { en: 'tried to sign in', ko: '로그인 실패' },
    'did.sign-out': { en: 'signed out', ko: '로그아웃' },
    'did.key-made': { en: 'made a token', ko: '토큰 생성' },
    'did.key-revoked': { en: 'revoked a token', ko: '토큰 취소' },
    'did.user-add': { en: 'added a person', ko: '사람 추가' },
    'did.user-password': { en: 'set a password', ko: '비밀번호 변경' },
    'did.user-remove': { en: 'removed a person', ko: '사람 제거' },
    'did.approval-answered': { en: 'answered an approval', ko: '승인에 답함' },
    'user.exists': {
      en: '{name} is there already; "maru user password NAME" gives them another password',
      ko: '{name}{name|은|는} 이미 있습니다. 비밀번호는 "maru user password NAME"으로 바꿉니다',
    },
    'user.bad-name': {
      en: '"{name}" cannot be a name; write 1 to 100 letters without spaces around them',
      ko: '"{name}"{name|은|는} 이름으로 쓸 수 없습니다. 앞뒤 빈칸 없이 1–100자로 쓰십시오',
    },
    'user.unknown': {
      en: 'there is nobody called {name}; "maru user list" names those there are',
      ko: '{name}{name|이라는|라는} 사람이 없습니다. "maru user list"로 확인하십시오',
    },
    'user.self': {
      en: '{name} is whoever works at this terminal and cannot be removed here; "maru sessions delete" erases sessions',
      ko: '{name}{name|은|는} 이 터미널을 쓰는 사람이라 여기서 제거할 수 없습니다. 세션은 "maru sessions delete"로 지웁니다',
    },
    'user.remove-this': {
      en: 'Remove {name} with {count} {count|conversation|conversations} and all tokens? This cannot be taken back.',
      ko: '{name}{name|을|를} 대화 {count}개, 모든 토큰과 함께 제거합니까? 되돌릴 수 없습니다.',
    },
    'user.removed': { en: '{name} was removed', ko: '{name}{name|을|를} 제거했습니다' },
    'user.has-password': { en: 'password', ko: '비밀번호 있음' },
    'user.has-none': { en: 'no password', ko: '비밀번호 없음' },
    'user.you': { en: 'you', ko: '나' },
    'user.since': { en: 'since {time}', ko: '{time}부터' },

    'command.token': {
      en: 'Make, list or revoke tokens for the server',
      ko: '서버용 토큰을 만들고 나열하고 폐기합니다',
    },
    'token.details': {
      en: 'A token is shown once, when it is made; only a hash of it is stored. Scopes: read sees, write changes conversations, run runs agents and answers them, admin does all; without --scope it is read, write and run. "list" also names signed-in browsers, which "revoke" signs out. An age is 12h, 30d, 8w or 1y.',
      ko: '토큰은 만들 때 한 번만 보여 주며 해시만 저장합니다. 범위: read는 보기, write는 대화 바꾸기, run은 에이전트 실행과 응답, admin은 전부입니다. --scope가 없으면 read, write, run입니다. "list"에는 로그인한 브라우저도 나오며 "revoke"로 로그아웃시킬 수 있습니다. 기간은 12h, 30d, 8w, 1y처럼 씁니다.',
    },
    'option.token-user': { en: 'Whose (default: yours)', ko: '누구의 것인지 (기본값: 나)' },
    'option.label': { en: 'What it is called in lists', ko: '목록에 보일 이름' },
    'option.scope': { en: 'What it is good for; may be repeated', ko: '쓸 수 있는 범위 (여러 번 쓸 수 있음)' },
    'option.expires': { en: 'For how long it is good: 30d', ko: '유효 기간: 30d' },
    'token.made': {
      en: 'this token is shown once; whoever has it is {name} (id {id})',
      ko: '이 토큰은 한 번만 보여 줍니다. 가진 사람은 {name}{name|으로|로} 들어올 수 있습니다 (ID {id})',
    },
    'token.bad-age': {
      en: '--expires "{age}" is no time; write 12h, 30d, 8w or 1y',
      ko: '--expires의 "{age}"{age|은|는} 기간이 아닙니다. 12h, 30d, 8w, 1y처럼 쓰십시오',
    },
    'token.none': { en: 'there are no tokens yet', ko: '아직 토큰이 없습니다' },
    'token.browser': { en: 'browser', ko: '브라우저' },
    'token.token': { en: 'token', ko: '토큰' },
    'token.until': { en: 'until {time}', ko: '{time}까지' },
    'token.over': { en: 'over since {time}', ko: '{time}에 끝남' },
    'token.forever': { en: 'without end', ko: '기한 없음' },
    'token.used': { en: 'used {time}', ko: '{time}에 사용' },
    'token.unused': { en: 'never used', ko: '사용 안 함' },
    'token.revoked': { en: 'token {id} was revoked', ko: '토큰 {id}{id|을|를} 폐기했습니다' },
    'token.unknown': {
      en: 'there is no token "{id}", or more than one begins so; "maru token list" names them',
      ko: '토큰 "{id}"{id|이|가} 없거나 그렇게 시작하는 것이 여럿입니다. "maru token list"로 확인하십시오',
    },
    'token.not-for': {
      en: '{option} means nothing to "{action}"; see "{help}"',
      ko: '{option}{option|은|는} "{action}"에 쓸 수 없습니다. "{help}"를 보십시오',
    },
  }),
)
