// Hangul, kana, CJK, full-width forms and emoji take two columns; combining marks and joiners none. Made when they are
// needed: that takes longer than to use them, and most text is plain.
const wide = () =>
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u
const none = () => /\p{Mark}|\u200c|\u200d/u

/** Columns that a text without escape sequences takes in a terminal. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length
  const [isNone, isWide] = [none(), wide()]
  let width = 0
  for (const sign of text) width += isNone.test(sign) ? 0 : isWide.test(sign) ? 2 : 1
  return width
}

/** The text and as many blanks as it needs to fill the columns. */
export function padTo(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)))
}

/** Lines of at most so many columns, broken at blanks; line breaks in the text stay. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((paragraph) => {
    const lines = ['']
    for (const word of paragraph.split(' ')) {
      const line = lines.at(-1) ?? ''
      const longer = line === '' ? word : `${line} ${word}`
      if (line === '' || displayWidth(longer) <= columns) lines[lines.length - 1] = longer
      else lines.push(word)
    }
    return lines
  })
}
