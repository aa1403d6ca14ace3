import { cLikeLanguages } from './c-like.ts'
import { formatLanguages } from './formats.ts'
import type { Language } from './language.ts'
import { scriptLanguages } from './scripts.ts'

const { javascript, go, rust, java, c } = cLikeLanguages
const { python, shell, sql } = scriptLanguages
const { json, yaml, toml, html, css, markdown, diff } = formatLanguages

// By every name that is written behind a fence.
const BY_NAME: readonly (readonly [names: string, language: Language])[] = [
  ['ts tsx js jsx mjs cjs mts cts typescript javascript typescriptreact javascriptreact node', javascript],
  ['json jsonc json5 jsonl ndjson', json],
  ['py python python3 py3 pyi', python],
  ['go golang', go],
  ['rs rust', rust],
  ['java kt kts kotlin scala groovy gradle', java],
  ['c h cc cpp cxx hpp hxx c++ objc cuda proto', c],
  ['sh bash zsh shell console shellscript fish dockerfile docker makefile make env', shell],
  ['sql postgres postgresql mysql sqlite plpgsql', sql],
  ['yml yaml', yaml],
  ['toml ini cfg conf properties', toml],
  ['html htm xml svg xhtml vue svelte', html],
  ['css scss less sass', css],
  ['md markdown mdx', markdown],
  ['diff patch udiff', diff],
]

const LANGUAGES: ReadonlyMap<string, Language> = new Map(
  BY_NAME.flatMap(([names, language]) => names.split(' ').map((name) => [name, language] as const)),
)

/** The rules of a language by any of its names. */
export function languageOf(name: string): Language | undefined {
  return LANGUAGES.get(name.toLowerCase())
}
