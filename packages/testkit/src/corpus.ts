import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Rows of a JSONL file of the test corpora, or nothing where `$MARU_CORPORA` does not point at them. */
export function corpus<Row>(file: string): Row[] | undefined {
  const root = process.env['MARU_CORPORA']
  if (!root) return undefined
  const text = readFileSync(join(root, file), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
}
