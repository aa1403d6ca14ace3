const scale = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/**
 * The level of a model that is nearest to the one asked for, the weaker of two. A word we do not know, or a model whose
 * levels we do not know, is left to the vendor to judge.
 */
export function nearestEffort(asked: string, offered: readonly string[]): string {
  const wanted = scale.indexOf(asked)
  if (wanted === -1 || offered.length === 0) return asked
  let best = asked
  let bestDistance = Number.POSITIVE_INFINITY
  for (const level of offered) {
    const distance = Math.abs(scale.indexOf(level) - wanted)
    if (distance < bestDistance) {
      best = level
      bestDistance = distance
    }
  }
  return best
}

/** Whether a level asks for more than `high`. */
export function isAboveHigh(level: string): boolean {
  return scale.indexOf(level) > scale.indexOf('high')
}
