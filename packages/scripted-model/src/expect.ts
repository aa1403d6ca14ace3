import type { Expect, RequestView } from './script.ts'

/** What a request lacks of what its step expects, in words; undefined when nothing. */
export function findMismatch(expect: Expect, view: RequestView): string | undefined {
  const { text, lacks, matches, toolResult, image, tool, model } = expect
  const found: (string | false | undefined)[] = [
    text !== undefined && !view.texts.some((one) => one.includes(text)) && `a text with ${quote(text)}`,
    lacks !== undefined && view.texts.some((one) => one.includes(lacks)) && `no text with ${quote(lacks)}`,
    matches !== undefined && !new RegExp(matches, 'u').test(view.texts.join('\n')) && `texts to match /${matches}/u`,
    toolResult !== undefined &&
      !view.toolResults.some((one) => one.text.includes(toolResult)) &&
      `a tool result with ${quote(toolResult)}`,
    image !== undefined && view.images > 0 !== image && (image ? 'an image' : 'no image'),
    tool !== undefined && !view.tools.includes(tool) && `the tool ${quote(tool)} (offered: ${view.tools.join(', ')})`,
    model !== undefined && view.model !== model && `the model ${quote(model)}, not ${quote(view.model)}`,
  ]
  const missing = found.filter((one) => typeof one === 'string')
  return missing.length === 0 ? undefined : missing.join('; ')
}

function quote(text: string): string {
  return JSON.stringify(text)
}
