import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** The rows of the policy's table, as reasons. */
export const policyRows = defineSubject('policy', () =>
  defineMessages({
    'policy.nothing': { en: 'it touches nothing', ko: '아무것에도 닿지 않습니다' },
    'policy.question': { en: 'it asks you something', ko: '질문을 합니다' },
    'policy.read': { en: 'it reads inside the workspace', ko: '작업 폴더 안에서 읽습니다' },
    'policy.secret': { en: 'it reads a file that holds secrets', ko: '비밀 값이 든 파일을 읽습니다' },
    'policy.read-only-command': { en: 'it only reads', ko: '읽기만 합니다' },
    'policy.edit': { en: 'it makes a small edit', ko: '조금 고칩니다' },
    'policy.test-command': { en: 'it runs a test or check script', ko: '테스트나 검사 스크립트를 실행합니다' },
    'policy.create': { en: 'it creates a file', ko: '파일을 새로 만듭니다' },
    'policy.delete': { en: 'it deletes a file', ko: '파일을 지웁니다' },
    'policy.reach': { en: 'it changes many files or lines', ko: '많은 파일이나 줄을 바꿉니다' },
    'policy.command': { en: 'it may change something', ko: '무언가 바꿀 수 있습니다' },
    'policy.secret-command': { en: 'a command would read a secret file', ko: '명령이 비밀 파일을 읽게 됩니다' },
    'policy.irreversible': { en: 'it destroys what undo cannot restore', ko: '되돌릴 수 없는 것을 없앱니다' },
    'policy.network': { en: 'it reaches into the network', ko: '네트워크에 접속합니다' },
    'policy.foreign-tool': { en: 'it uses a tool from outside', ko: '외부 도구를 씁니다' },
    'policy.other': { en: 'no rule knows what it does', ko: '무엇을 하는지 아는 규칙이 없습니다' },
    'policy.protected': {
      en: 'it writes a file that says what runs or what may run',
      ko: '무엇이 실행되는지 정하는 파일을 씁니다',
    },
    'policy.git': { en: 'it writes into .git with a file tool', ko: '파일 도구로 .git 안에 씁니다' },
    'policy.outside': { en: 'it leaves the workspace', ko: '작업 폴더를 벗어납니다' },
    'policy.hostile': { en: 'it works as attacks do', ko: '공격에 쓰이는 방식입니다' },
    'policy.privilege': { en: 'it asks for more privilege', ko: '더 큰 권한을 얻으려 합니다' },
    'policy.catastrophe': { en: 'it could destroy the machine', ko: '컴퓨터를 망가뜨릴 수 있습니다' },
  }),
)
