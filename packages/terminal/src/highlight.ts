import { type Highlighting, highlightLine } from './highlight/highlight-line.ts'
import { languageOf } from './highlight/languages.ts'
import type { TextStyle } from './text-style.ts'
import { cutPoint, escapeControls } from './visible.ts'

/** A longer line is looked at in stretches, so that no expression can take long on one. */
export const LONGEST_LINE = 2_000

/** The same text in the colours of its language; unchanged where the language is not known. */
export function highlight(code: string, language: string | undefined, style: TextStyle): string {
  const text = escapeControls(code)
  if (language === undefined || !languageOf(language)) return text
  let highlighting: Highlighting | undefined
  let painted = ''
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) painted += '\n'
    let rest = line
    do {
      const end = cutPoint(rest, LONGEST_LINE)
      const { runs, next } = highlightLine(rest.slice(0, end), language, { highlighting, style })
      for (const run of runs) painted += run.paint ? run.paint(run.text) : run.text
      highlighting = next
      rest = rest.slice(end)
    } while (rest !== '')
  }
  return painted
}
