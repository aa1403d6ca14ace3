// Escape sequences and other controls; marks that turn the direction of text around; letters of the tag block, which
// nobody sees but a model reads.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/gu

/** A text without what cannot be seen in it, with LF at the end of its lines. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(UNSEEN, '')
}
