import { detect, NOTHING_OPEN } from './detect.ts'
import { SHORTEST_KNOWN } from './known-values.ts'
import { isHex, isRandom } from './randomness.ts'
import { strengthOf } from './secret-names.ts'

/** The user's own secrets: what the environment holds under a name that says so, passwords in addresses, given keys. */
export function findOwnValues(
  environment: Readonly<Record<string, string | undefined>>,
  values: readonly string[],
): string[] {
  const own = values.filter((value) => isTelling(value.trim()))
  for (const [name, value = ''] of Object.entries(environment)) {
    if (value.length < SHORTEST_KNOWN) continue
    const strength = strengthOf(name)
    if (strength === 'weak' ? isRandom(value) || (isHex(value) && value.length >= 16) : strength && isTelling(value)) {
      own.push(value)
      continue
    }
    const { spans } = detect(value, { state: NOTHING_OPEN, isContactSecret: false })
    for (const { start, end } of spans) own.push(value.slice(start, end))
  }
  return own
}

// What is made of words alone, or is a place or a reference to one, stands in other texts for other reasons.
function isTelling(value: string): boolean {
  if (value.length < SHORTEST_KNOWN || /^(?:[~./]|[A-Za-z]:\\|\$)/.test(value)) return false
  return /\d/.test(value) || value.length >= 16 || /[^\w\s./:-]/.test(value)
}
