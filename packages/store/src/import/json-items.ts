/** One value of a JSON text, as it stands there; or why it cannot be given. `line` is where it begins. */
export type JsonItem = { index: number; line: number; text: string } | { index: number; line: number; problem: string }

/** A value longer than this, in UTF-16 units, is described, not held in memory. */
export const MAX_ITEM = 64 * 1024 * 1024

const [QUOTE, BACKSLASH, COMMA, LF] = [34, 92, 44, 10]
const OPENING = new Set([91, 123])
const CLOSING = new Set([93, 125])
const BLANK = new Set([32, 9, 10, 13, 0xfeff])

/**
 * Cuts a JSON text that comes in pieces into its values: the elements of an array if it is one, else the values that
 * stand one behind the other. It knows strings and brackets and nothing else: whether a value is sound is for its reader
 * to say, and one that is not does not hide the next.
 */
export class JsonSplitter {
  readonly #limit: number
  #held: string[] = []
  #heldLength = 0
  #isTooLong = false
  #isArray: boolean | undefined
  #isOver = false
  #depth = 0
  #isString = false
  #isEscaped = false
  #isInItem = false
  #line = 1
  #itemLine = 1
  #index = 0

  constructor(limit = MAX_ITEM) {
    this.#limit = limit
  }

  push(text: string): JsonItem[] {
    const items: JsonItem[] = []
    // Where the part of this piece begins that belongs to the value under way.
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === LF) this.#line++
      if (this.#isString) {
        if (this.#isEscaped) this.#isEscaped = false
        else if (code === BACKSLASH) this.#isEscaped = true
        else if (code === QUOTE) this.#isString = false
        continue
      }
      if (this.#isInItem && this.#depth === 0 && this.#endsScalar(code)) {
        this.#take(text, from, at)
        items.push(this.#finish())
      }
      if (!this.#isInItem) {
        if (this.#isBetween(code)) continue
        this.#isInItem = true
        this.#itemLine = this.#line
        from = at
      }
      if (code === QUOTE) this.#isString = true
      else if (OPENING.has(code)) this.#depth++
      else if (CLOSING.has(code) && this.#depth > 0 && --this.#depth === 0) {
        this.#take(text, from, at + 1)
        items.push(this.#finish())
        from = at + 1
      }
    }
    if (this.#isInItem) this.#take(text, from, text.length)
    return items
  }

  /** What was still open when the text ended. */
  end(): JsonItem[] {
    const items: JsonItem[] = []
    const isCut = this.#depth > 0 || this.#isString
    if (this.#isInItem) {
      const item = this.#finish()
      items.push(isCut && 'text' in item ? { index: item.index, line: item.line, problem: 'it is cut off' } : item)
    }
    if (this.#isArray && !this.#isOver && !isCut) {
      items.push({ index: this.#index + 1, line: this.#line, problem: 'the list has no end' })
    }
    return items
  }

  // Blanks, and in an array what separates and ends it; the bracket that opens it was seen first of all.
  #isBetween(code: number): boolean {
    if (BLANK.has(code)) return true
    if (this.#isArray === undefined) {
      this.#isArray = code === 91
      return this.#isArray
    }
    if (!this.#isArray) return false
    if (code === 93) this.#isOver = true
    return code === COMMA || code === 93
  }

  #endsScalar(code: number): boolean {
    return BLANK.has(code) || (this.#isArray === true && (code === COMMA || code === 93))
  }

  #take(text: string, from: number, to: number): void {
    this.#heldLength += to - from
    if (this.#heldLength > this.#limit) {
      this.#isTooLong = true
      this.#held = []
    } else this.#held.push(text.slice(from, to))
  }

  #finish(): JsonItem {
    const place = { index: ++this.#index, line: this.#itemLine }
    const item = this.#isTooLong
      ? { ...place, problem: `it is longer than ${this.#limit} characters` }
      : { ...place, text: this.#held.join('') }
    this.#held = []
    this.#heldLength = 0
    this.#isTooLong = false
    this.#isInItem = false
    this.#depth = 0
    this.#isString = false
    return item
  }
}

/** The values of a JSON text that comes in pieces. */
export async function* jsonItems(chunks: AsyncIterable<string>, limit?: number): AsyncGenerator<JsonItem, void> {
  const splitter = new JsonSplitter(limit)
  for await (const chunk of chunks) yield* splitter.push(chunk)
  yield* splitter.end()
}

/** The lines of a text that comes in pieces, as values. LF only: other line ends are legal inside JSON strings. */
export async function* lineItems(
  chunks: AsyncIterable<string>,
  limit: number = MAX_ITEM,
): AsyncGenerator<JsonItem, void> {
  let held: string[] = []
  let length = 0
  let line = 1
  const give = (): JsonItem => {
    const place = { index: line, line }
    const item =
      length > limit
        ? { ...place, problem: `it is longer than ${limit} characters` }
        : { ...place, text: held.join('').replace(/\r$/, '') }
    held = []
    length = 0
    line++
    return item
  }
  const take = (text: string) => {
    length += text.length
    if (length <= limit) held.push(text)
    else held = []
  }
  for await (const chunk of chunks) {
    let from = 0
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', from)) {
      take(chunk.slice(from, at))
      yield give()
      from = at + 1
    }
    take(chunk.slice(from))
  }
  if (length > 0) yield give()
}
