import { attributeOf, type Element } from './element.ts'
import { literalText, type Rendering } from './inline-text.ts'

/** A code block as it stands, between fences that nothing in it can close. */
export function renderCode(element: Element, rendering: Rendering): string {
  const code = literalText(element.children, rendering)
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
  if (code === '') return ''
  let fence = '```'
  for (const [ticks] of code.matchAll(/`{3,}/g)) if (ticks.length >= fence.length) fence = `${ticks}\``
  return `${fence}${languageOf(element)}\n${code}\n${fence}`
}

function languageOf(element: Element): string {
  const code = element.children.find((node) => typeof node !== 'string' && node.name === 'code')
  const classes = `${attributeOf(element, 'class') ?? ''} ${typeof code === 'object' ? (attributeOf(code, 'class') ?? '') : ''}`
  return /(?:^|\s)(?:language|lang|highlight-source)-([\w+#-]{1,20})/.exec(classes)?.[1] ?? ''
}
