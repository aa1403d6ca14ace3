import { allMessages, LANGS, type Lang } from '@maru/i18n'
import { expect, test } from 'vitest'
import { needTmux } from './terminal/tmux.ts'
import { foreignWords } from './walk/foreign-words.ts'
import { takeWalk } from './walk/take-walk.ts'

test('who reads one language only can go from the first run to a finished task and look back at it', {
  timeout: 360_000,
}, async (context) => {
  needTmux(context)
  const foreign = await Promise.all(LANGS.map(walkIn))
  expect(foreign.flat()).toEqual([])
})

/** What is in another language, with where it stood. */
async function walkIn(lang: Lang): Promise<string[]> {
  const seen = await takeWalk(lang)
  expect(seen.length).toBeGreaterThan(20)
  const foreign = seen.flatMap(({ after, text }) => {
    const words = [...new Set(foreignWords(text, lang))]
    return words.map((word) => `${word} (${lang}, ${after}): ${rowWith(word, text)}`)
  })
  return [...new Set(foreign)]
}

test('every English sentence of ours would be found on a Korean screen', () => {
  const sentences = Object.entries(allMessages()).filter(([, { en }]) => plainWords(en) >= 4 && /[a-z]/.test(en))
  expect(sentences.length).toBeGreaterThan(300)
  expect(sentences.filter(([, { en }]) => foreignWords(en, 'ko').length === 0).map(([key]) => key)).toEqual([])
})

test('names, paths, commands and values belong to every language', () => {
  const rows = [
    '[tool] RunCommand command=echo the end · 성공 · 종료 코드 0 · 12 ms',
    'ANTHROPIC_API_KEY를 설정하거나 "maru config set keys.anthropic -"를 쓰십시오',
    'claude-opus-5-5 · 모드 ask · 1.9k 토큰 · 샌드박스 · ~/of/the/user',
    '  --repo PATH   저장소 경로 (기본값: 현재 위치의 git 루트)',
    '  not-found: 찾을 수 없습니다',
  ]
  expect(rows.flatMap((row) => foreignWords(row, 'ko'))).toEqual([])
  expect(foreignWords('모델 오류: the key was refused', 'ko')).toEqual(['the', 'key', 'was', 'refused'])
  expect(foreignWords('Which model? 모델', 'en')).toEqual(['모델'])
})

function plainWords(text: string): number {
  const words = text.replaceAll(/\{[^}]*\}/g, '').split(/\s+/)
  return words.filter((word) => /^[A-Za-z]{2,}$/.test(word)).length
}

function rowWith(word: string, text: string): string {
  return text.split('\n').find((row) => row.toLowerCase().includes(word.toLowerCase())) ?? ''
}
