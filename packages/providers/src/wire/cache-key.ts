import type { ModelRequest } from '@maru/protocol'

/**
 * A key that sends requests with the same beginning to the same cache: one for all requests of a conversation, and
 * another for the next conversation. It is made of what they share: model, system text, tools and first message.
 */
export function cacheKeyOf({ model, system, tools, messages }: ModelRequest): string {
  const first = messages[0]?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  const names = tools.map((tool) => tool.name)
  return `maru-${hashText(JSON.stringify([model, system, names, first ?? []]))}`
}

/** Two rounds of FNV-1a side by side: quick, stable, and no secret depends on it. */
function hashText(text: string): string {
  let a = 0x811c9dc5
  let b = 0x01000193
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
  }
  return hex(a) + hex(b ^ (b >>> 15))
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0')
}
