/** A theme: what is behind everything, plain text, dim text, and the sixteen colours in their order. */
export interface Theme {
  readonly ground: string
  readonly edge: string
  readonly text: string
  readonly dim: string
  readonly colours: readonly string[]
}

const BASIC = ['#3b414d', '#f07178', '#8ccf7e', '#e5c76b', '#82aaff', '#d7a0f5', '#67cbe7', '#d7dae0']
const BRIGHT = ['#9aa2b1', '#ff8b92', '#a3e396', '#f2d98a', '#a3c0ff', '#e5bdfa', '#8fdcf2', '#ffffff']

export const DARK: Theme = {
  ground: '#15181e',
  edge: '#2b303b',
  text: '#d7dae0',
  dim: '#98a0ae',
  colours: [...BASIC, ...BRIGHT],
}

export const LIGHT: Theme = {
  ground: '#fbfbfa',
  edge: '#d0d3d9',
  text: '#24292f',
  dim: '#5f6873',
  colours: [
    ...['#24292f', '#b3202c', '#1a6b34', '#7a5500', '#1f56c4', '#7a35a8', '#0b6478', '#57606a'],
    ...['#57606a', '#b3202c', '#1a6b34', '#7a5500', '#1f56c4', '#7a35a8', '#0b6478', '#24292f'],
  ],
}

// Fonts that are there on some system each, those with Hangul at the end; nothing is loaded.
const FONTS = [
  ...['ui-monospace', "'SF Mono'", 'Menlo', 'Consolas', "'DejaVu Sans Mono'", "'Liberation Mono'"],
  ...["'D2Coding'", "'NanumGothicCoding'", "'Noto Sans Mono CJK KR'", "'Apple SD Gothic Neo'", "'Malgun Gothic'"],
  ...["'Noto Sans KR'", 'monospace'],
].join(',')

/** `s` shows something for a while, `h` hides it for a while; both are how it is otherwise without them. */
export const STYLE = [
  `text{font:13.3px ${FONTS};white-space:pre}`,
  // Hangul is as wide as its font is large, so that two cells want more than the height of the line gives to Latin.
  '.w{font-size:15px}.b{font-weight:700}.i{font-style:italic}.u{text-decoration:underline}',
  '.s{visibility:hidden}@keyframes s{from,to{visibility:visible}}@keyframes h{from,to{visibility:hidden}}',
  '.k{opacity:.55}',
  rulesOf(DARK),
  `@media(prefers-color-scheme:light){${rulesOf(LIGHT)}}`,
  '@media(prefers-reduced-motion:reduce){g{animation:none!important}}',
].join('\n')

function rulesOf({ ground, edge, text, dim, colours }: Theme): string {
  return [
    `text,.a,.k{fill:${text}}.d{fill:${dim}}.n{fill:${ground}}.window{fill:${ground};stroke:${edge}}`,
    ...colours.map((colour, at) => `.f${at}{fill:${colour}}`),
  ].join('')
}
