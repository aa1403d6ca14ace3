/** A row of a table: its cells, and the line it begins on. */
export interface Row {
  line: number
  cells: (string | null)[]
}

const DELIMITERS = [',', ';', '\t', '|'] as const

/**
 * The rows of a CSV text that comes in pieces, quoted as RFC 4180 has it: a quoted cell may hold delimiters, line ends and
 * doubled quotes. What delimits is what the first line holds most of.
 */
export async function* csvRows(chunks: AsyncIterable<string>): AsyncGenerator<Row, void> {
  const reader = new CsvReader()
  for await (const chunk of chunks) yield* reader.push(chunk)
  yield* reader.end()
}

class CsvReader {
  #delimiter: string | undefined
  #first = ''
  #cell: string[] = []
  #cells: string[] = []
  #isQuoted = false
  /** A quote inside quotes ends them, unless another follows. */
  #isAfterQuote = false
  #line = 1
  #rowLine = 1

  push(chunk: string): Row[] {
    if (this.#delimiter !== undefined) return this.#read(chunk)
    this.#first += chunk
    if (!this.#first.includes('\n')) return []
    return this.#begin()
  }

  end(): Row[] {
    const rows = this.#delimiter === undefined ? this.#begin() : []
    if (this.#cell.length > 0 || this.#cells.length > 0) rows.push(...this.#endRow())
    return rows
  }

  #begin(): Row[] {
    const text = this.#first.replace(/^\ufeff/, '')
    const [line = ''] = text.split('\n', 1)
    const counts = DELIMITERS.map((sign) => line.split(sign).length)
    this.#delimiter = DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ','
    this.#first = ''
    return this.#read(text)
  }

  #read(text: string): Row[] {
    const rows: Row[] = []
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const sign = text[at] as string
      if (this.#isQuoted) {
        if (sign === '\n') this.#line++
        if (sign !== '"') continue
        this.#cell.push(text.slice(from, at))
        from = at + 1
        this.#isQuoted = false
        this.#isAfterQuote = true
        continue
      }
      if (sign === '"') {
        this.#cell.push(text.slice(from, at), this.#isAfterQuote ? '"' : '')
        from = at + 1
        this.#isQuoted = true
      } else if (sign === this.#delimiter || sign === '\n') {
        this.#cell.push(text.slice(from, at))
        this.#endCell()
        if (sign === '\n') {
          this.#line++
          rows.push(...this.#endRow())
        }
        from = at + 1
      }
      this.#isAfterQuote = false
    }
    if (from < text.length) this.#cell.push(text.slice(from))
    return rows
  }

  #endCell(): void {
    this.#cells.push(this.#cell.join(''))
    this.#cell = []
  }

  #endRow(): Row[] {
    if (this.#cell.length > 0) this.#endCell()
    const cells = this.#cells
    const last = cells.length - 1
    cells[last] = (cells[last] ?? '').replace(/\r$/, '')
    const line = this.#rowLine
    this.#cells = []
    this.#rowLine = this.#line
    return cells.length === 1 && cells[0] === '' ? [] : [{ line, cells }]
  }
}
