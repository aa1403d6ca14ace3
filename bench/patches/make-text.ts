import type { Random } from './random.ts'

const WORDS = 'value item list count index name path open close read write state next result error file line'.split(' ')

/** A text that looks like source: blocks in blocks, lines that repeat themselves here and there, comments, blank lines. */
export function makeText(random: Random): string {
  const step = random.pick(['  ', '  ', '    ', '\t'])
  const lines: string[] = []
  let depth = 0
  const size = 5 + random.below(120)
  while (lines.length < size || depth > 0) {
    const indent = step.repeat(depth)
    const roll = random.below(20)
    if (lines.length >= size || (roll < 3 && depth > 0)) lines.push(`${step.repeat(--depth)}}`)
    else if (roll < 6) {
      lines.push(`${indent}${random.pick(['function', 'class', 'if', 'for'])} ${name(random)} {`)
      depth++
    } else if (roll < 8) {
      if (lines.at(-1) !== '') lines.push('')
    } else if (roll < 10)
      lines.push(`${indent}// ${name(random)} \u2013 "${name(random)}" isn\u2019t ${random.below(9)}`)
    else
      lines.push(`${indent}const ${name(random)} = ${random.pick(WORDS)}('${random.pick(WORDS)}', ${random.below(50)})`)
  }
  return `${lines.join('\n')}\n`
}

function name(random: Random): string {
  return random.pick(WORDS) + (random.chance(0.5) ? random.below(30) : '')
}
