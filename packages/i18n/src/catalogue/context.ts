import { defineMessages } from '../message.ts'
import { defineSubject } from '../subject.ts'

/** What `maru context` says: what fills the window of a model, what it costs, what was taken out. */
export const context = defineSubject('command context option', () =>
  defineMessages({
    'command.context': {
      en: 'Show what fills the context, what it costs, what was dropped',
      ko: '컨텍스트를 채운 것, 비용, 빠진 것을 보여 줍니다',
    },
    'context.details': {
      en: 'Without SESSION: the latest one of this repository. What is dropped is dropped for the model alone: the log keeps everything, and the model can read it again by its name. Set autoCompact to false in config.json to switch automatic compaction off, and contextLimit for another limit than 100,000 tokens.',
      ko: 'SESSION이 없으면 이 저장소의 최근 세션을 봅니다. 빠진 것은 모델에게만 보이지 않을 뿐, 로그에는 모두 남아 있으며 모델이 이름으로 다시 읽을 수 있습니다. 자동 압축을 끄려면 config.json에서 autoCompact를 false로, 한도(100,000토큰)를 바꾸려면 contextLimit을 설정하십시오.',
    },
    'option.dropped': { en: 'List what was taken out', ko: '빠진 것을 나열합니다' },
    'option.pin': { en: 'Keep this output or fact in the context', ko: '이 출력이나 사실을 컨텍스트에 남깁니다' },
    'option.unpin': { en: 'No longer keep it', ko: '더는 남기지 않습니다' },
    'option.compact': { en: 'Condense the old turns now', ko: '오래된 턴을 지금 압축합니다' },
    'context.title': { en: 'Context', ko: '컨텍스트' },
    'context.filled': {
      en: '{tokens} of {limit} tokens, {percent} %',
      ko: '{limit}토큰 중 {tokens}토큰, {percent}%',
    },
    'context.system': { en: 'system', ko: '시스템' },
    'context.tools': { en: 'tools', ko: '도구' },
    'context.condensed': { en: 'condensed', ko: '압축된 내용' },
    'context.files': { en: 'files', ko: '파일' },
    'context.outputs': { en: 'outputs', ko: '출력' },
    'context.talk': { en: 'talk', ko: '대화' },
    'context.runs': { en: 'run', ko: '실행' },
    'context.turns': { en: 'turns', ko: '턴' },
    'context.input': { en: 'input', ko: '입력' },
    'context.cached': { en: 'cached', ko: '캐시' },
    'context.output': { en: 'output', ko: '출력' },
    'context.cost': { en: 'cost', ko: '비용' },
    'context.total': { en: 'total', ko: '합계' },
    'context.earlier': { en: '… {count} earlier', ko: '… 이전 {count}개' },
    'context.dropped': {
      en: '{pruned} {pruned|output|outputs} taken out, condensed {condensed} {condensed|time|times}; --dropped lists them',
      ko: '출력 {pruned}개를 빼고 {condensed}번 압축했습니다. --dropped로 볼 수 있습니다',
    },
    'context.pins': { en: 'pinned: {pins}', ko: '고정됨: {pins}' },
    'context.nothing-dropped': { en: 'nothing was taken out', ko: '빠진 것이 없습니다' },
    'context.condensed-at': {
      en: 'condensed everything before #{seq}: {from} → {to} tokens',
      ko: '#{seq} 이전을 모두 압축: {from} → {to}토큰',
    },
    'context.how-to-pin': {
      en: '"maru context --pin CALLID" keeps an output from now on; "maru replay --verbose" shows all of them',
      ko: '"maru context --pin CALLID"로 출력을 앞으로 남길 수 있습니다. 전체는 "maru replay --verbose"로 봅니다',
    },
    'context.is-pinned': { en: 'pinned', ko: '고정됨' },
    'context.no-target': {
      en: 'this session has no call and no fact "{name}"; "maru context --dropped" names what was taken out',
      ko: '이 세션에 "{name}"{name|이라는|라는} 호출이나 사실이 없습니다. "maru context --dropped"에서 이름을 찾으십시오',
    },
    'context.pinned': { en: '{name} stays in the context', ko: '{name}{name|을|를} 컨텍스트에 남깁니다' },
    'context.unpinned': { en: '{name} no longer has to stay', ko: '{name}{name|을|를} 더는 남기지 않습니다' },
    'context.compacted': { en: 'condensed: {before} → {after} tokens', ko: '압축함: {before} → {after}토큰' },
    'context.nothing': {
      en: 'nothing was condensed: what is there is short, and there is nothing to gain yet',
      ko: '압축하지 않았습니다. 대화가 아직 짧아 줄여도 얻을 것이 없습니다',
    },
  }),
)
