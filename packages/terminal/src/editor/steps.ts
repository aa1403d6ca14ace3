import { spellOut } from '../printable.ts'
import { graphemesOf, widthOf } from '../width.ts'
import { isUnsafe, UNSAFE_OR_FLAG } from './unsafe-signs.ts'

/** One step of the cursor: a grapheme, a chip, or a control character spelt out. */
export interface Step {
  /** Where it begins and ends in the text of its line. */
  readonly at: number
  readonly end: number
  readonly kind: 'letter' | 'blank' | 'tab' | 'chip' | 'control'
  readonly shown: string
  /** At least 1; of a tab, the most it can take. */
  readonly width: number
}

export const TAB_WIDTH = 4

const PLAIN = /^[ -~]*$/
// Alone, at the beginning of a line or behind a chip, it would be drawn into whatever stands before it.
const JOINS_BACKWARDS = /^(?:\p{M}|\p{Emoji_Modifier}|\u200c|\u200d)/u
// Anything that graphemes must not be looked for in.
const SPECIAL = new RegExp(String.raw`\uFDD0(?<chip>\d+)\uFDD1|${UNSAFE_OR_FLAG.source}`, 'gu')

/** Splits the text of a line; `labelOf` says how a chip looks. */
export function stepsOf(text: string, labelOf: (chip: number) => string): Step[] {
  const steps: Step[] = []
  if (PLAIN.test(text)) {
    for (let at = 0; at < text.length; at += 1) {
      const shown = text.charAt(at)
      steps.push({ at, end: at + 1, kind: shown === ' ' ? 'blank' : 'letter', shown, width: 1 })
    }
    return steps
  }
  const addGraphemes = (from: number, to: number) => {
    let at = from
    for (const grapheme of graphemesOf(text.slice(from, to))) {
      steps.push(stepOf(grapheme, at))
      at += grapheme.length
    }
  }
  let done = 0
  for (const match of text.matchAll(SPECIAL)) {
    const [found] = match
    const chip = match.groups?.['chip']
    // A flag stays with its neighbours: they belong to the same stretch of graphemes.
    if (chip === undefined && !isUnsafe(found)) continue
    addGraphemes(done, match.index)
    done = match.index + found.length
    if (chip === undefined) steps.push(stepOf(found, match.index))
    else {
      const shown = labelOf(Number(chip))
      steps.push({ at: match.index, end: done, kind: 'chip', shown, width: Math.max(1, widthOf(shown)) })
    }
  }
  addGraphemes(done, text.length)
  return steps
}

function stepOf(sign: string, at: number): Step {
  const end = at + sign.length
  if (sign === ' ') return { at, end, kind: 'blank', shown: ' ', width: 1 }
  if (sign === '\t') return { at, end, kind: 'tab', shown: '', width: TAB_WIDTH }
  const width = isUnsafe(sign) || JOINS_BACKWARDS.test(sign) ? 0 : widthOf(sign)
  if (width > 0) return { at, end, kind: 'letter', shown: sign, width }
  const shown = spellOut(sign)
  return { at, end, kind: 'control', shown, width: shown.length }
}
