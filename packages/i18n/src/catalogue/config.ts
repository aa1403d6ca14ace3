import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** Settings and what is wrong with them. */
export const config = defineSubject('config', () =>
  defineMessages({
    'config.details': {
      en: `Settings come from options, then the environment, then config.json in MARU_HOME (default ~/.maru), then maru.json in the repository. "set" changes config.json; comments stay. A KEY is written like limits.tokens or models."gpt-4.1".window.
With "-" as VALUE it is read from stdin, so that a key stays out of your shell's history: maru config set keys.anthropic - < key.txt`,
      ko: `설정은 옵션, 환경 변수, MARU_HOME(기본값 ~/.maru)의 config.json, 저장소의 maru.json 순으로 앞의 것이 우선합니다. "set"은 config.json을 고치며 주석은 그대로 둡니다. KEY는 limits.tokens나 models."gpt-4.1".window처럼 씁니다.
VALUE 자리에 "-"를 쓰면 값을 표준 입력에서 읽으므로 API 키가 셸 기록에 남지 않습니다: maru config set keys.anthropic - < key.txt`,
    },
    'config.source.flag': { en: 'option', ko: '옵션' },
    'config.source.environment': { en: 'environment', ko: '환경 변수' },
    'config.source.default': { en: 'default', ko: '기본값' },
    'config.not-set': {
      en: '"{key}" is not set; set it with: maru config set {key} VALUE',
      ko: '"{key}"{key|은|는} 설정되어 있지 않습니다. 설정하려면: maru config set {key} VALUE',
    },
    'config.bad-path': {
      en: '"{key}" is not a key; write it like limits.tokens or models."gpt-4.1".window',
      ko: '"{key}"{key|은|는} 올바른 키가 아닙니다. limits.tokens나 models."gpt-4.1".window처럼 쓰십시오',
    },
    'config.written': { en: '{key} is set in {file}', ko: '{file}에 {key}{key|을|를} 설정했습니다' },
    'config.not-written': {
      en: '{file} could not be written ({reason}); the old file is unchanged',
      ko: '{file}{file|을|를} 쓰지 못했습니다({reason}). 기존 파일은 그대로입니다',
    },
    'config.exposed': {
      en: 'warning: others on this machine can read the keys in {file}; run: chmod 600 {file}',
      ko: '주의: 이 컴퓨터의 다른 사용자가 {file}의 키를 읽을 수 있습니다. 다음을 실행하십시오: chmod 600 {file}',
    },
    'config.and-more': {
      en: '{first} (and {n} more {n|problem|problems}; see "maru doctor")',
      ko: '{first} (그 밖의 문제 {n}개는 "maru doctor"에서 볼 수 있습니다)',
    },
    'config.unreadable': {
      en: 'cannot be read ({reason}); check what it is and who may read it',
      ko: '파일을 읽을 수 없습니다({reason}). 파일의 종류와 권한을 확인하십시오',
    },
    'config.unknown-key': {
      en: 'unknown key "{key}"; known here: {known}',
      ko: '"{key}"{key|은|는} 알 수 없는 키입니다. 여기에 쓸 수 있는 키: {known}',
    },
    'config.unknown-key-meant': {
      en: 'unknown key "{key}"; did you mean "{meant}"?',
      ko: '"{key}"{key|은|는} 알 수 없는 키입니다. 혹시 "{meant}"입니까?',
    },
    'config.user-only': {
      en: '"{key}" belongs into your own config.json; a repository may not choose it',
      ko: '"{key}"{key|은|는} 내 config.json에만 쓸 수 있습니다. 저장소가 정할 수 없는 설정입니다',
    },
    'config.project-only': {
      en: '"{key}" belongs into the maru.json of a repository',
      ko: '"{key}"{key|은|는} 저장소의 maru.json에 쓰는 키입니다',
    },
    'config.duplicate-key': {
      en: '"{key}" stands here a second time; keep one of them',
      ko: '"{key}"{key|이|가} 두 번 나옵니다. 하나만 남기십시오',
    },
    'config.wrong-choice': {
      en: '"{key}" must be one of: {choices}',
      ko: '"{key}"에 쓸 수 있는 값: {choices}',
    },
    'config.wrong-choice-meant': {
      en: '"{key}" must be one of: {choices}; did you mean "{meant}"?',
      ko: '"{key}"에 쓸 수 있는 값: {choices}. 혹시 "{meant}"입니까?',
    },
    'config.must.text': {
      en: '"{key}" must be a text in quotes, and not empty',
      ko: '"{key}"{key|은|는} 따옴표로 묶은, 비어 있지 않은 문자열이어야 합니다',
    },
    'config.must.count': {
      en: '"{key}" must be a whole number above 0',
      ko: '"{key}"{key|은|는} 1 이상의 정수여야 합니다',
    },
    'config.must.amount': {
      en: '"{key}" must be a number, 0 or more',
      ko: '"{key}"{key|은|는} 0 이상의 숫자여야 합니다',
    },
    'config.must.flag': { en: '"{key}" must be true or false', ko: '"{key}"{key|은|는} true 또는 false여야 합니다' },
    'config.must.object': {
      en: '"{key}" must be an object in braces',
      ko: '"{key}"{key|은|는} 중괄호로 묶은 객체여야 합니다',
    },
    'config.must.list': {
      en: '"{key}" must be a list of texts in brackets',
      ko: '"{key}"{key|은|는} 대괄호로 묶은 문자열 목록이어야 합니다',
    },
    'config.must.rules': {
      en: '"{key}" must be a list of rules in brackets',
      ko: '"{key}"{key|은|는} 대괄호로 묶은 규칙 목록이어야 합니다',
    },
    'config.rule.no-subject': {
      en: '"{key}" names nothing it is about; add "tool", "program", "path" or "host"',
      ko: '"{key}"에 대상이 없습니다. "tool", "program", "path", "host" 중 하나를 쓰십시오',
    },
    'config.rule.two-subjects': {
      en: '"{key}" is about two things; make one rule of each',
      ko: '"{key}"의 대상이 둘입니다. 규칙을 둘로 나누십시오',
    },
    'config.rule.loosens': {
      en: '"{key}" allows something; a repository may only ask or deny',
      ko: '"{key}"{key|은|는} 허용 규칙입니다. 저장소는 묻거나 거부하는 규칙만 쓸 수 있습니다',
    },
    'config.rule.not-matched': {
      en: '"{key}" does not match its own example: {example}',
      ko: '"{key}"{key|이|가} 자기 예시와 맞지 않습니다: {example}',
    },
    'config.rule.matched': {
      en: '"{key}" matches what it must not: {example}',
      ko: '"{key}"{key|이|가} 맞지 않아야 할 예시와 맞습니다: {example}',
    },
    'config.must.url': {
      en: '"{key}" must be an http or https address without a password in it',
      ko: '"{key}"{key|은|는} 비밀번호가 들어 있지 않은 http 또는 https 주소여야 합니다',
    },
    'config.must.search': {
      en: '"{key}" must be an http or https address with the word query in braces where the search goes',
      ko: '"{key}"{key|은|는} 검색어 자리에 중괄호로 묶은 query가 있는 http 또는 https 주소여야 합니다',
    },
    'config.must.header': {
      en: '"{key}" must be a header like "Name: value"',
      ko: '"{key}"{key|은|는} "이름: 값" 꼴의 헤더여야 합니다',
    },
    'config.must.price': {
      en: '"{key}" must be an object with "input" and "output", in dollars per million tokens',
      ko: '"{key}"{key|은|는} "input"과 "output"(토큰 백만 개당 달러)이 있는 객체여야 합니다',
    },
    'config.must.key': {
      en: '"{key}" must be the key in quotes, or an object with the "command" that prints it',
      ko: '"{key}"{key|은|는} 따옴표로 묶은 키이거나, 키를 출력하는 "command"가 있는 객체여야 합니다',
    },
    'config.must.test': {
      en: '"{key}" must be a command in quotes, or an object with "command" and, if need be, "cwd"',
      ko: '"{key}"{key|은|는} 따옴표로 묶은 명령이거나, "command"와 필요하면 "cwd"가 있는 객체여야 합니다',
    },
    'config.must.have-provider': {
      en: '"{key}" needs "provider" beside it, so that no other vendor\'s key is sent there',
      ko: '"{key}"{key|을|를} 쓰려면 "provider"도 함께 적으십시오. 다른 업체의 키가 그 주소로 가지 않게 하기 위해서입니다',
    },
    'config.must.other-name': {
      en: '"{key}" cannot be a key; choose another name',
      ko: '"{key}"{key|은|는} 키로 쓸 수 없습니다. 다른 이름을 쓰십시오',
    },
    'config.syntax.too-long': {
      en: 'is longer than 256 KB; this is no config file',
      ko: '파일이 256 KB를 넘습니다. 설정 파일이 아닌 것 같습니다',
    },
    'config.syntax.too-deep': { en: 'too many brackets inside each other', ko: '괄호가 너무 깊이 겹쳐 있습니다' },
    'config.syntax.not-utf8': {
      en: 'is not UTF-8 from here on; save the file as UTF-8',
      ko: '여기부터 UTF-8이 아닙니다. 파일을 UTF-8로 저장하십시오',
    },
    'config.syntax.InvalidSymbol': {
      en: 'a word that JSON does not know; texts need double quotes',
      ko: 'JSON에 없는 단어입니다. 문자열은 큰따옴표로 묶으십시오',
    },
    'config.syntax.InvalidNumberFormat': { en: 'not a number as JSON writes it', ko: 'JSON 형식의 숫자가 아닙니다' },
    'config.syntax.PropertyNameExpected': {
      en: 'a key in double quotes is expected here',
      ko: '여기에는 큰따옴표로 묶은 키가 있어야 합니다',
    },
    'config.syntax.ValueExpected': { en: 'a value is expected here', ko: '여기에는 값이 있어야 합니다' },
    'config.syntax.ColonExpected': { en: 'a colon is missing here', ko: '여기에 콜론이 빠졌습니다' },
    'config.syntax.CommaExpected': { en: 'a comma is missing here', ko: '여기에 쉼표가 빠졌습니다' },
    'config.syntax.CloseBraceExpected': {
      en: 'a closing brace is missing here',
      ko: '여기에 닫는 중괄호가 빠졌습니다',
    },
    'config.syntax.CloseBracketExpected': {
      en: 'a closing bracket is missing here',
      ko: '여기에 닫는 대괄호가 빠졌습니다',
    },
    'config.syntax.EndOfFileExpected': {
      en: 'the config ended before this; remove what follows',
      ko: '설정은 이 앞에서 끝났습니다. 뒤에 남은 내용을 지우십시오',
    },
    'config.syntax.UnexpectedEndOfComment': { en: 'this comment has no end', ko: '주석이 닫히지 않았습니다' },
    'config.syntax.UnexpectedEndOfString': {
      en: 'the closing quote of this text is missing',
      ko: '문자열을 닫는 따옴표가 빠졌습니다',
    },
    'config.syntax.InvalidEscapeCharacter': {
      en: 'an escape that JSON does not know; a backslash is written twice',
      ko: 'JSON에 없는 이스케이프입니다. 역슬래시는 두 번 쓰십시오',
    },
    'config.syntax.InvalidCharacter': {
      en: 'a control character inside a text; write it as an escape',
      ko: '문자열 안에 제어 문자가 있습니다. 이스케이프로 쓰십시오',
    },
  }),
)
