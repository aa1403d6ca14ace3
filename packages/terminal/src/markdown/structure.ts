import type { BlockState } from './block-state.ts'
import type { Line } from './blocks.ts'

// Fences, hashes, bullets, numbers, underlines and bars, with nothing behind them yet.
const BARE = /^[\s>]*(?:[`~]+|#{1,6}|[-*+_=|: ]+|\d{1,3}[.)]?|[-*+] \[[ xX]?\]?) *$/
const LONGEST = 100
const FENCE_END = /^\s*(?:`+|~+)\s*$/

/**
 * Whether a line under way consists of signs alone. What they mean shows with the next letter; drawn at once, a dash
 * would make a heading of the paragraph above it until it turns out to be a list.
 */
export function isStructure({ text, isContinuation }: Line, { leaf }: BlockState): boolean {
  if (isContinuation || text.length > LONGEST) return false
  const isFenced = leaf?.kind === 'code' && leaf.fence !== ''
  return isFenced ? FENCE_END.test(text) : BARE.test(text)
}
