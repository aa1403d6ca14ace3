import type { Run } from '../rows.ts'
import type { TextStyle } from '../text-style.ts'
import type { Language, Rule, Token } from './language.ts'
import { languageOf } from './languages.ts'

/** The modes that are open at the end of a line, the innermost last. */
export type Highlighting = readonly string[]

const DEEPEST = 50

/** One line of code in its colours, and what the next line has to know. */
export function highlightLine(
  line: string,
  language: string | undefined,
  { highlighting = [], style }: { highlighting?: Highlighting | undefined; style: TextStyle },
): { runs: Run[]; next: Highlighting } {
  const rules = language === undefined ? undefined : languageOf(language)
  if (!rules) return { runs: [{ text: line }], next: [] }
  const runs: Run[] = []
  const colours = coloursOf(style)
  const modes = [...highlighting]
  let plain = ''
  const add = (text: string, token: Token | undefined) => {
    if (token === undefined) {
      plain += text
      return
    }
    if (plain !== '') runs.push({ text: plain })
    plain = ''
    const last = runs.at(-1)
    if (last && last.paint === colours[token]) runs[runs.length - 1] = { ...last, text: last.text + text }
    else runs.push({ text, paint: colours[token] })
  }
  for (let at = 0; at < line.length; ) {
    const { expression, list } = compiled(rules, modes.at(-1) ?? 'start')
    expression.lastIndex = at
    const match = expression.exec(line)
    const rule = match ? list[match.findIndex((group, index) => index > 0 && group !== undefined) - 1] : undefined
    // A rule that takes nothing would stand here forever.
    const text = match?.[0] || String.fromCodePoint(line.codePointAt(at) ?? 0)
    add(text, rule && tokenOf(rule, text, rules))
    if (rule?.mode === 'back') modes.pop()
    else if (rule?.mode !== undefined && modes.length < DEEPEST) modes.push(rule.mode)
    at += text.length
  }
  if (plain !== '') runs.push({ text: plain })
  return { runs, next: modes }
}

function tokenOf({ token, words }: Rule, text: string, { ignoresCase }: Language): Token | undefined {
  return words ? words.get(ignoresCase ? text.toLowerCase() : text) : token
}

interface Compiled {
  readonly expression: RegExp
  readonly list: readonly Rule[]
}

const cache = new WeakMap<Language, Map<string, Compiled>>()

function compiled(language: Language, mode: string): Compiled {
  const modes = cache.get(language) ?? new Map<string, Compiled>()
  cache.set(language, modes)
  const known = modes.get(mode)
  if (known) return known
  const list = language.modes[mode] ?? []
  const source = list.map(({ match }) => `(${match})`).join('|')
  const made = { expression: new RegExp(source, language.ignoresCase ? 'iuy' : 'uy'), list }
  modes.set(mode, made)
  return made
}

type Colours = Readonly<Record<Token, TextStyle[keyof TextStyle]>>

// Blue is left out: on a dark ground many terminals show it too dark to read.
function coloursOf(style: TextStyle): Colours {
  const known = coloursByStyle.get(style)
  if (known) return known
  const colours: Colours = {
    keyword: style.magenta,
    type: style.cyan,
    constant: style.yellow,
    string: style.green,
    number: style.yellow,
    comment: style.dim,
    name: style.cyan,
    title: style.bold,
    added: style.green,
    removed: style.red,
    place: style.cyan,
  }
  coloursByStyle.set(style, colours)
  return colours
}

const coloursByStyle = new WeakMap<TextStyle, Colours>()
