import { endOfSequence } from './escape-sequence.ts'
import { trackStyles } from './open-styles.ts'

/**
 * A line that leaves the terminal as it found it: colours and links pass and are closed at its end, any other escape
 * sequence or control character becomes a visible "�". Whoever makes lines has to see to that already; one forgotten
 * movement of the cursor would shift all that is drawn afterwards.
 */
export function safeLine(line: string): string {
  let next = indexOfControl(line, 0)
  if (next === line.length) return line
  const styles = trackStyles()
  let safe = line.slice(0, next)
  while (next < line.length) {
    const end = line.charCodeAt(next) === 0x1b ? endOfSequence(line, next) : next + 1
    const control = line.slice(next, end)
    safe += isStyle(control) ? control : control === '\t' ? ' ' : '�'
    styles.apply(control)
    next = indexOfControl(line, end)
    safe += line.slice(end, next)
  }
  return safe + styles.closing
}

function indexOfControl(line: string, from: number): number {
  for (let i = from; i < line.length; i++) {
    const code = line.charCodeAt(i)
    if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return i
  }
  return line.length
}

function isStyle(sequence: string): boolean {
  return /^\[[\d;:]*m$/.test(sequence.slice(1)) || (sequence.length > 4 && sequence.startsWith('\x1b]8;'))
}
