import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** What is said when nobody has told Maru yet which model to talk to. */
export const firstRun = defineSubject('first', () =>
  defineMessages({
    'first.title': {
      en: 'Maru needs a model to work with. What would you like to do?',
      ko: 'Maru가 일하려면 모델이 필요합니다. 어떻게 하시겠습니까?',
    },
    'first.option.key': {
      en: 'Paste an API key of Anthropic or OpenAI. It is kept in {file}, which only you can read.',
      ko: 'Anthropic이나 OpenAI의 API 키를 붙여 넣습니다. 키는 나만 읽을 수 있는 {file}에 저장됩니다.',
    },
    'first.option.key-of': {
      en: 'Paste an API key for {provider}. It is kept in {file}, which only you can read.',
      ko: '{provider}의 API 키를 붙여 넣습니다. 키는 나만 읽을 수 있는 {file}에 저장됩니다.',
    },
    'first.option.local': {
      en: 'Use a model on this machine: {name} at {url} ({models})',
      ko: '이 컴퓨터의 모델을 씁니다: {url}의 {name} ({models})',
    },
    'first.option.demo': {
      en: 'See the demo first, without key and network',
      ko: '먼저 데모를 봅니다. 키도 네트워크도 필요 없습니다',
    },
    'first.no-local': {
      en: 'No model server answered on this machine; asked were {list}.',
      ko: '이 컴퓨터에서 응답하는 모델 서버가 없습니다. 확인한 곳: {list}.',
    },
    'first.own': { en: 'Or leave, and set it up yourself:', ko: '또는 나가서 직접 설정할 수 있습니다:' },
    'first.own.variable': { en: 'as an environment variable', ko: '환경 변수로 설정합니다' },
    'first.own.config': { en: 'reads the key from standard input', ko: '키를 표준 입력에서 읽습니다' },
    'first.own.doctor': { en: 'says what holds and what is missing', ko: '되어 있는 것과 빠진 것을 알려 줍니다' },
    'first.choose': {
      en: 'A number from 1 to {count} (Enter leaves): ',
      ko: '1에서 {count}까지의 번호 (Enter는 나가기): ',
    },
    'first.wrong-number': {
      en: 'Please type a number from 1 to {count}, or Enter alone to leave.',
      ko: '1에서 {count}까지의 번호를 입력하거나, 나가려면 Enter만 누르십시오.',
    },
    'first.paste': {
      en: 'Paste the key and press Enter; it is not shown (Enter alone goes back): ',
      ko: '키를 붙여 넣고 Enter를 누르십시오. 화면에 보이지 않습니다 (Enter만 누르면 돌아갑니다): ',
    },
    'first.key-odd': {
      en: 'That is no key: it has blanks or characters that no key has. Nothing was kept.',
      ko: '키가 아닙니다. 키에 쓰이지 않는 문자나 공백이 있습니다. 저장하지 않았습니다.',
    },
    'first.key-short': {
      en: 'That is too short for a key. Nothing was kept.',
      ko: '키라고 하기에는 너무 짧습니다. 저장하지 않았습니다.',
    },
    'first.key-other': {
      en: 'That is a key of Anthropic, but {provider} was asked for. Nothing was kept.',
      ko: 'Anthropic의 키인데, 지정된 공급자는 {provider}입니다. 저장하지 않았습니다.',
    },
    'first.whose': { en: 'Whose key is it?', ko: '어느 공급자의 키입니까?' },
    'first.key-kept': {
      en: 'The key for {provider} is kept in {file}.',
      ko: '{provider}의 키를 {file}에 저장했습니다.',
    },
    'first.model-kept': {
      en: 'From now on: {model} at {url}. It is kept in {file}.',
      ko: '이제부터 {url}의 {model}{model|을|를} 씁니다. {file}에 저장했습니다.',
    },
  }),
)
