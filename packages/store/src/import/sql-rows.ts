import type { Row } from './csv-rows.ts'

/** A row that an INSERT brings, with the names of its columns where it says them. */
export interface InsertRow extends Row {
  table: string
  columns: string[]
}

type Token = { kind: 'word' | 'string' | 'sign'; text: string; line: number }

/**
 * The rows of the INSERT statements in a SQL text that comes in pieces; all other statements are passed over. Strings
 * are taken as PostgreSQL, MySQL and SQLite write them.
 */
export async function* sqlRows(chunks: AsyncIterable<string>): AsyncGenerator<InsertRow, void> {
  const reader = new InsertReader()
  const lexer = new SqlLexer()
  for await (const chunk of chunks) for (const token of lexer.push(chunk)) yield* reader.take(token)
  for (const token of lexer.end()) yield* reader.take(token)
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '0': '\0', b: '\b', Z: '\x1a' }

/** Cuts SQL into words, strings and signs. Comments are dropped. */
class SqlLexer {
  #rest = ''
  #line = 1
  /** MySQL writes \' inside strings, others do not: known from the names in back quotes that only it uses. */
  #hasBackslashes = false

  push(chunk: string): Token[] {
    this.#rest += chunk
    return [...this.#cut(false)]
  }

  end(): Token[] {
    return [...this.#cut(true)]
  }

  *#cut(isEnd: boolean): Generator<Token, void> {
    let at = 0
    for (;;) {
      const token = this.#next(at, isEnd)
      if (!token) break
      const { end, ...found } = token
      for (
        let feed = this.#rest.indexOf('\n', at);
        feed >= 0 && feed < end;
        feed = this.#rest.indexOf('\n', feed + 1)
      ) {
        this.#line++
      }
      at = end
      if (found.kind !== 'blank') yield { ...found, kind: found.kind }
    }
    this.#rest = this.#rest.slice(at)
  }

  #next(
    at: number,
    isEnd: boolean,
  ): { kind: Token['kind'] | 'blank'; text: string; line: number; end: number } | undefined {
    const text = this.#rest
    const line = this.#line
    const found = (kind: Token['kind'] | 'blank', end: number, value = '') => ({ kind, text: value, line, end })
    const sign = text[at]
    if (sign === undefined) return undefined
    if (/\s/.test(sign)) return found('blank', at + 1)
    const two = text.slice(at, at + 2)
    if (two.length < 2 && !isEnd) return undefined
    if (two === '--' || sign === '#') return this.#until(at, '\n', isEnd)
    if (two === '/*') return this.#until(at + 2, '*/', isEnd)
    if (sign === "'") return this.#quoted(at, { quote: "'", isEscaped: this.#hasBackslashes, isEnd })
    if (/^e'/i.test(two)) return this.#quoted(at + 1, { quote: "'", isEscaped: true, isEnd })
    if (sign === '"' || sign === '`') {
      if (sign === '`') this.#hasBackslashes = true
      const name = this.#quoted(at, { quote: sign, isEscaped: false, isEnd })
      return name && { ...name, kind: 'word' }
    }
    const word = /[^\s'"`(),;]+/y
    word.lastIndex = at
    const match = word.exec(text)?.[0]
    if (match === undefined) return found('sign', at + 1, sign)
    if (at + match.length === text.length && !isEnd) return undefined
    return found('word', at + match.length, match)
  }

  #until(at: number, mark: string, isEnd: boolean) {
    const end = this.#rest.indexOf(mark, at)
    if (end < 0 && !isEnd) return undefined
    const behind = end < 0 ? this.#rest.length : end + mark.length
    return { kind: 'blank' as const, text: '', line: this.#line, end: behind }
  }

  #quoted(at: number, { quote, isEscaped, isEnd }: { quote: string; isEscaped: boolean; isEnd: boolean }) {
    const text = this.#rest
    let value = ''
    let from = at + 1
    for (let n = from; n < text.length; n++) {
      const sign = text[n] as string
      if (isEscaped && sign === '\\') {
        const next = text[n + 1]
        if (next === undefined) break
        value += text.slice(from, n) + (ESCAPES[next] ?? next)
        from = ++n + 1
      } else if (sign === quote) {
        if (text[n + 1] === undefined && !isEnd) return undefined
        if (text[n + 1] !== quote) {
          return { kind: 'string' as const, text: value + text.slice(from, n), line: this.#line, end: n + 1 }
        }
        value += text.slice(from, n + 1)
        from = ++n + 1
      }
    }
    return undefined
  }
}

/** Follows tokens and gives the rows of what is inserted. */
class InsertReader {
  #state: 'outside' | 'insert' | 'table' | 'columns' | 'values' | 'row' | 'other' = 'outside'
  #table = ''
  #columns: string[] = []
  #cells: (string | null)[] = []
  #line = 1
  #depth = 0
  #hasValue = false

  take(token: Token): InsertRow[] {
    const word = token.kind === 'word' ? token.text.toLowerCase() : ''
    if (token.kind === 'sign' && token.text === ';' && this.#state !== 'row') {
      this.#state = 'outside'
      return []
    }
    switch (this.#state) {
      case 'outside':
        this.#state = word === 'insert' || word === 'replace' ? 'insert' : 'other'
        return []
      case 'insert':
        if (word === 'into') this.#state = 'table'
        return []
      case 'table':
        this.#table = token.text.split('.').at(-1) ?? token.text
        this.#columns = []
        this.#state = 'columns'
        return []
      case 'columns':
        // `schema`.`table` comes in pieces.
        if (word.startsWith('.')) this.#table = token.text.slice(1) || this.#table
        else if (word === 'values') this.#state = 'values'
        else if (word === 'select') this.#state = 'other'
        else if (token.kind === 'word') this.#columns.push(token.text)
        return []
      case 'values':
        if (token.text !== '(' || token.kind !== 'sign') return []
        this.#cells = []
        this.#line = token.line
        this.#depth = 1
        this.#hasValue = false
        this.#state = 'row'
        return []
      case 'row':
        return this.#inRow(token)
      case 'other':
        return []
      default:
        return this.#state satisfies never
    }
  }

  #inRow(token: Token): InsertRow[] {
    if (token.kind === 'sign' && token.text === '(') this.#depth++
    else if (token.kind === 'sign' && token.text === ')' && --this.#depth === 0) {
      if (!this.#hasValue) this.#cells.push(null)
      this.#state = 'values'
      return [{ table: this.#table, columns: this.#columns, cells: this.#cells, line: this.#line }]
    } else if (token.kind === 'sign' && token.text === ',' && this.#depth === 1) {
      if (!this.#hasValue) this.#cells.push(null)
      this.#hasValue = false
    } else if (!this.#hasValue) {
      this.#hasValue = true
      const isNull = token.kind === 'word' && token.text.toLowerCase() === 'null'
      this.#cells.push(isNull ? null : token.text)
    }
    return []
  }
}
