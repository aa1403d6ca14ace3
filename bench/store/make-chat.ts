const SYLLABLES =
  '가나다라마바사아자차카타파하고노도로모보소오조초구누두루무부수우주추기니디리미비시이지거너더러머버서어저강남동산연정진현호'
const PARTICLES = ['', '', '을', '를', '은', '는', '이', '가', '에서', '으로', '하고', '입니다', '했습니다']
const LETTERS = 'etaoinshrdlucmfwypvbgkqjxz'
const WORDS_IN_MESSAGE = 55

export type Chat = ReturnType<typeof makeChat>

/** Chat as people write it, in Korean and English: few words come often, most come hardly ever. Equal seeds, equal chat. */
export function makeChat(seed: number) {
  const random = randomFrom(seed)
  const pick = <T>(list: ArrayLike<T>) => list[Math.floor(random() * list.length)] as T
  const word = (letters: string, length: number) => Array.from({ length }, () => pick(letters)).join('')
  const korean = Array.from({ length: 20_000 }, () => word(SYLLABLES, 2 + Math.floor(random() * 3)))
  const english = Array.from({ length: 20_000 }, () => word(LETTERS, 3 + Math.floor(random() * 7)))
  // Zipf: the n-th word comes a n-th as often as the first.
  const place = (count: number) => Math.min(count - 1, Math.floor(Math.exp(random() * Math.log(count))) - 1)
  const next = () =>
    Array.from({ length: Math.ceil(random() * WORDS_IN_MESSAGE * 2) }, () =>
      random() < 0.65 ? korean[place(korean.length)] + pick(PARTICLES) : english[place(english.length)],
    ).join(' ')
  const some = (list: string[], from: number, to: number) =>
    Array.from({ length: 8 }, (_, n) => list[Math.floor(from + ((to - from) * n) / 8)] as string)
  const queries = {
    'one syllable': Array.from(SYLLABLES).slice(0, 8),
    'two syllables': korean.filter(({ length }) => length === 2).slice(100, 108),
    'three and more': korean.filter(({ length }) => length > 2).slice(100, 108),
    English: some(english, 50, 500),
    'inside English': some(
      english.filter(({ length }) => length > 6),
      50,
      500,
    ).map((one) => one.slice(1, 5)),
    mixed: some(korean, 10, 100).map((one, n) => one.slice(0, 2) + LETTERS.slice(n, n + 2)),
    rare: some(korean, 10_000, 20_000),
    frequent: some(korean, 0, 8),
    absent: ['없는낱말', 'zzqqzz', '뷁뷁', 'qxqxqx'],
  }
  return {
    next,
    queries,
    rare: [...some(korean, 12_000, 20_000).slice(0, 4), ...some(english, 12_000, 20_000).slice(0, 4)],
  }
}

function randomFrom(seed: number): () => number {
  let state = seed
  // mulberry32
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
