import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** What each tool is for. The model is told more, in English; who reads another language is told this. */
export const tool = defineSubject('tool', () =>
  defineMessages({
    'tool.ListFiles': { en: 'Lists files and folders', ko: '파일과 폴더를 나열합니다' },
    'tool.ReadFile': { en: 'Reads a file, or some of its lines', ko: '파일 전체나 일부 줄을 읽습니다' },
    'tool.SearchText': { en: 'Searches for text in files', ko: '파일에서 텍스트를 찾습니다' },
    'tool.ApplyPatch': { en: 'Changes files by a patch', ko: '패치로 파일을 바꿉니다' },
    'tool.WriteFile': { en: 'Writes a whole file', ko: '파일 하나를 통째로 씁니다' },
    'tool.RunCommand': { en: 'Runs a command', ko: '명령을 실행합니다' },
    'tool.CommandOutput': {
      en: 'Reads the output of a command in the background, or ends it',
      ko: '백그라운드 명령의 출력을 읽거나 명령을 끝냅니다',
    },
    'tool.RunTests': { en: 'Runs the tests of the project', ko: '프로젝트의 테스트를 실행합니다' },
    'tool.GitStatus': { en: 'Shows what git sees as changed', ko: 'git이 본 변경 상태를 보여 줍니다' },
    'tool.GitDiff': { en: 'Shows what was changed', ko: '바뀐 내용을 보여 줍니다' },
    'tool.GitLog': { en: 'Shows the commits', ko: '커밋 기록을 보여 줍니다' },
    'tool.AskUser': { en: 'Asks the person', ko: '사용자에게 묻습니다' },
    'tool.TodoList': { en: 'Keeps a list of what is to be done', ko: '할 일 목록을 관리합니다' },
    'tool.WebFetch': { en: 'Reads a page', ko: '웹 페이지를 읽습니다' },
    'tool.WebSearch': { en: 'Searches the web', ko: '웹에서 검색합니다' },
  }),
)
