import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** What is said about commands: why one is more than reading, and what was decided. */
export const policy = defineSubject('command option policy why', () =>
  defineMessages({
    'command.policy': {
      en: 'Say why a command is allowed, asked about or denied',
      ko: '명령을 허용하거나 묻거나 거부하는 이유를 보여 줍니다',
    },
    'policy.details': {
      en: '"explain" shows how a line is understood, what it would touch and which rule decides. "check" reads lines of JSON with "cmd", and "cwd" and "shell" if you like, and writes a line with "cmd", "decision", "rule" and "reason" for each, in order. Nothing is run. Where a directory does not exist, paths are judged by their words alone.',
      ko: '"explain"은 명령을 어떻게 이해했는지, 무엇에 닿는지, 어떤 규칙이 정하는지 보여 줍니다. "check"는 "cmd"와 선택적인 "cwd", "shell"이 든 JSON 줄을 읽어, 각각 "cmd", "decision", "rule", "reason"이 든 줄을 순서대로 씁니다. 아무것도 실행하지 않습니다. 디렉터리가 없으면 경로를 글자로만 판단합니다.',
    },
    'option.sandbox': { en: 'As if commands were held: full, none (none)', ko: '샌드박스 가정: full, none (none)' },
    'policy.verdict.allow': { en: 'allowed', ko: '허용' },
    'policy.verdict.ask': { en: 'asked first', ko: '먼저 물음' },
    'policy.verdict.deny': { en: 'denied', ko: '거부' },
    'policy.tree': { en: 'What it is', ko: '명령의 구조' },
    'policy.touches': { en: 'What it touches', ko: '닿는 것' },
    'policy.decided': {
      en: 'Decided by {rule} in mode {mode}, sandbox {sandbox}',
      ko: '모드 {mode}, 샌드박스 {sandbox}에서 {rule}{rule|이|가} 정함',
    },
    'policy.only-reads': { en: 'it only reads', ko: '읽기만 합니다' },
    'policy.bad-line': {
      en: 'line {line} is no object with a "cmd": {reason}',
      ko: '{line}번째 줄이 "cmd"가 있는 객체가 아닙니다: {reason}',
    },
    'why.unknown-program': {
      en: '{program} is not a program that is known to change nothing',
      ko: '{program}{program|은|는} 아무것도 바꾸지 않는다고 알려진 프로그램이 아닙니다',
    },
    'why.option': {
      en: 'nothing is known of {what} in a call of {program}',
      ko: '{program} 호출의 {what}{what|이|가} 무엇을 하는지 알 수 없습니다',
    },
    'why.project-script': {
      en: '{program} runs code of the project: {what}',
      ko: '{program}{program|이|가} 프로젝트의 코드를 실행합니다: {what}',
    },
    'why.runs-code': { en: '{program} runs code: {what}', ko: '{program}{program|이|가} 코드를 실행합니다: {what}' },
    'why.changes': { en: '{program} changes {what}', ko: '{program}{program|이|가} {what}{what|을|를} 바꿉니다' },
    'why.writes': { en: '{program} writes {what}', ko: '{program}{program|이|가} {what}{what|을|를} 씁니다' },
    'why.redirection': { en: 'output goes to {what}', ko: '출력을 {what}에 씁니다' },
    'why.destroys': {
      en: '{program} destroys what cannot be brought back: {what}',
      ko: '{program}{program|이|가} 되돌릴 수 없는 것을 없앱니다: {what}',
    },
    'why.publishes': {
      en: '{program} changes what others see: {what}',
      ko: '{program}{program|이|가} 다른 사람이 보는 것을 바꿉니다: {what}',
    },
    'why.database': {
      en: '{program} speaks to a database: {what}',
      ko: '{program}{program|이|가} 데이터베이스에 접속합니다: {what}',
    },
    'why.network': {
      en: '{program} reaches into the network: {what}',
      ko: '{program}{program|이|가} 네트워크에 접속합니다: {what}',
    },
    'why.process': {
      en: '{program} touches other processes: {what}',
      ko: '{program}{program|이|가} 다른 프로세스에 손을 댑니다: {what}',
    },
    'why.desktop': {
      en: '{program} opens or changes something beside the terminal: {what}',
      ko: '{program}{program|이|가} 터미널 밖의 것을 열거나 바꿉니다: {what}',
    },
    'why.dynamic': { en: '{what} is known only when it runs', ko: '{what}{what|은|는} 실행해야 알 수 있습니다' },
    'why.environment': {
      en: '{program} prints variables of the environment: {what}',
      ko: '{program}{program|이|가} 환경 변수를 출력합니다: {what}',
    },
    'why.secret': {
      en: '{program} reads {what}, which may hold secrets',
      ko: '{program}{program|이|가} 비밀 값이 있을 수 있는 {what}{what|을|를} 읽습니다',
    },
    'why.secret-file': { en: '{what} may hold secrets', ko: '{what}에 비밀 값이 있을 수 있습니다' },
    'why.outside': { en: '{what} is outside the workspace', ko: '{what}{what|은|는} 작업 공간 밖에 있습니다' },
    'why.elsewhere': {
      en: '{program} works in another directory: {what}',
      ko: '{program}{program|이|가} 다른 디렉터리에서 일합니다: {what}',
    },
    'why.variable': {
      en: 'the variable {what} may change what programs do',
      ko: '변수 {what}{what|이|가} 프로그램의 동작을 바꿀 수 있습니다',
    },
    'why.syntax': { en: 'the line cannot be parsed: {what}', ko: '명령을 해석할 수 없습니다: {what}' },
    'why.odd-characters': {
      en: 'the line holds characters that do not show: {what}',
      ko: '명령에 보이지 않는 문자가 있습니다: {what}',
    },
    'why.limit': { en: 'the line is too {what} to be understood', ko: '명령을 이해하기에 한도를 넘었습니다: {what}' },
    'why.construct': { en: 'nothing is known of {what}', ko: '{what}{what|이|가} 무엇을 하는지 알 수 없습니다' },
    'why.shell': {
      en: 'the line is written for {what}; only bash is understood',
      ko: '{what}용 명령입니다. bash만 이해할 수 있습니다',
    },
    'why.hostile-variable': {
      en: 'the variable {what} makes programs run other code',
      ko: '변수 {what}{what|은|는} 프로그램이 다른 코드를 실행하게 합니다',
    },
    'why.runs-program': {
      en: '{what} makes {program} run another program; run that one openly instead',
      ko: '{what} 때문에 {program}{program|이|가} 다른 프로그램을 실행합니다. 그 프로그램을 직접 실행하십시오',
    },
    'why.hidden': {
      en: '{program} hides what is run: {what}; write it openly instead',
      ko: '{program}{program|이|가} 실행할 것을 숨깁니다: {what}. 드러나게 쓰십시오',
    },
    'why.remote-code': {
      en: '{program} runs code that comes from elsewhere: {what}',
      ko: '{program}{program|이|가} 다른 곳에서 온 코드를 실행합니다: {what}',
    },
    'why.exfiltration': { en: '{program} sends away {what}', ko: '{program}{program|이|가} 밖으로 내보냅니다: {what}' },
    'why.credentials': {
      en: '{program} prints credentials: {what}',
      ko: '{program}{program|이|가} 자격 증명을 출력합니다: {what}',
    },
    'why.persistence': {
      en: '{program} makes code run later: {what}',
      ko: '{program}{program|이|가} 나중에 코드가 실행되게 합니다: {what}',
    },
    'why.protected': {
      en: '{what} says what runs or what may run; change it with a file tool, which shows the change',
      ko: '{what}{what|은|는} 무엇이 실행되는지 정하는 파일입니다. 변경 내용을 보여 주는 파일 도구로 바꾸십시오',
    },
    'why.privilege': {
      en: '{program} asks for more privilege: {what}',
      ko: '{program}{program|이|가} 더 큰 권한을 요구합니다: {what}',
    },
    'why.catastrophe': {
      en: '{program} could destroy {what}',
      ko: '{program}{program|이|가} {what}{what|을|를} 없앨 수 있습니다',
    },
  }),
)
