/** How a mask looks: what it hides and a name for this very value. Nothing that anybody uses as a value looks so. */
export function formatMask(kind: string, id: string): string {
  return `[secret:${kind}:${id}]`
}

const MASK = /\[secret:[a-z0-9-]{1,40}:([0-9a-f]{8,12})\]/g

/** The masks in a text, in order. */
export function findMasks(text: string): { start: number; end: number; id: string; mask: string }[] {
  if (!text.includes('[secret:')) return []
  return [...text.matchAll(MASK)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    id: match[1] ?? '',
    mask: match[0],
  }))
}
