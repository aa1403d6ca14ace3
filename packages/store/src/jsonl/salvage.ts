import { OpenFile } from './open-file.ts'
import { type Scanned, scan, scanTail } from './scan.ts'

/**
 * Everything readable in a log file, and everything that is not, in the order of the file and in batches. Takes no
 * lock and changes nothing: this is for looking, also at what another process is writing.
 */
export async function* salvage(path: string): AsyncGenerator<Scanned[], void> {
  const file = new OpenFile(path, 'r')
  try {
    const cursor = { offset: 0, number: 1 }
    const sequence = { last: 0, missing: new Set<number>() }
    yield* scan(file, cursor, sequence)
    const tail = await scanTail(file, cursor, sequence)
    if (tail) yield [tail]
  } finally {
    file.close()
  }
}
