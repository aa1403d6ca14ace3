import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** What is said when a call cannot be understood. */
export const cli = defineSubject('cli', () =>
  defineMessages({
    'cli.unknown-command': {
      en: 'unknown command "{command}"; run "maru -h" to see all commands',
      ko: '"{command}"{command|이라는|라는} 명령은 없습니다. "maru -h"로 전체 명령을 확인하십시오',
    },
    'cli.unknown-command-meant': {
      en: 'unknown command "{command}"; did you mean "{meant}"? Run "maru -h" to see all commands',
      ko: '"{command}"{command|이라는|라는} 명령은 없습니다. 혹시 "{meant}"입니까? 전체 명령은 "maru -h"에 있습니다',
    },
    'cli.unknown-option': {
      en: 'unknown option "{option}"; see "{help}"',
      ko: '"{option}" 옵션은 없습니다. "{help}"{help|을|를} 참고하십시오',
    },
    'cli.unknown-option-meant': {
      en: 'unknown option "{option}"; did you mean "{meant}"? See "{help}"',
      ko: '"{option}" 옵션은 없습니다. 혹시 "{meant}"입니까? "{help}"{help|을|를} 참고하십시오',
    },
    'cli.value-missing': {
      en: 'option "{option}" needs a value; see "{help}"',
      ko: '"{option}" 옵션에는 값이 필요합니다. "{help}"{help|을|를} 참고하십시오',
    },
    'cli.value-unwanted': {
      en: 'option "{option}" takes no value; see "{help}"',
      ko: '"{option}" 옵션에는 값을 줄 수 없습니다. "{help}"{help|을|를} 참고하십시오',
    },
    'cli.wrong-choice': {
      en: '"{value}" is not one of: {choices}; see "{help}"',
      ko: '"{value}"{value|은|는} 쓸 수 없는 값입니다. 쓸 수 있는 값: {choices}. "{help}"{help|을|를} 참고하십시오',
    },
    'cli.wrong-choice-meant': {
      en: '"{value}" is not one of: {choices}; did you mean "{meant}"? See "{help}"',
      ko: '"{value}"{value|은|는} 쓸 수 없는 값입니다. 혹시 "{meant}"입니까? 쓸 수 있는 값: {choices}. "{help}"{help|을|를} 참고하십시오',
    },
    'cli.missing': {
      en: '{argument} is missing; see "{help}"',
      ko: '인수가 빠졌습니다: {argument}. "{help}"{help|을|를} 참고하십시오',
    },
    'cli.too-many': {
      en: '"{argument}" is one argument too many; see "{help}"',
      ko: '"{argument}"{argument|은|는} 필요 없는 인수입니다. "{help}"{help|을|를} 참고하십시오',
    },
    'cli.no-repo': {
      en: '{path} is not a directory; name one with --repo',
      ko: '{path}{path|은|는} 디렉터리가 아닙니다. --repo로 디렉터리를 지정하십시오',
    },
    'cli.unusable': {
      en: '{path} cannot be used: {reason}; look at that place and who may use it (Maru keeps its own files below MARU_HOME)',
      ko: '{path}{path|을|를} 쓸 수 없습니다: {reason}. 그 위치와 권한을 확인하십시오 (Maru의 파일은 MARU_HOME 아래에 있습니다)',
    },
    'cli.not-there': { en: 'there is no such file', ko: '그런 파일이 없습니다' },
    'cli.is-a-directory': { en: 'it is a directory', ko: '디렉터리입니다' },
    'cli.not-a-directory': {
      en: 'part of the path is not a directory',
      ko: '경로의 일부가 디렉터리가 아닙니다',
    },
    'cli.no-permission': {
      en: 'there is no permission for it',
      ko: '권한이 없습니다',
    },
    'cli.read-only': {
      en: 'the file system is read-only',
      ko: '읽기 전용 파일 시스템입니다',
    },
    'cli.no-space': {
      en: 'no space is left',
      ko: '남은 공간이 없습니다',
    },
    'cli.too-many-files': {
      en: 'too many files are open',
      ko: '열린 파일이 너무 많습니다',
    },
    'cli.disk-fault': {
      en: 'the disk does not read or write it',
      ko: '디스크가 읽거나 쓰지 못합니다',
    },
    'cli.internal': {
      en: 'internal error: {message}; run it again with --verbose to see where',
      ko: '내부 오류: {message}. 어디서 났는지 보려면 --verbose를 붙여 다시 실행하십시오',
    },
  }),
)
