import { findMasks, type Masker } from '@maru/guard'
import type { Access, Diagnostic, Json, Part, Prepared, Preview, ToolResult } from '@maru/protocol'

/** A result without secrets: its texts and its data, whatever is shown of it. */
export function maskResult(result: ToolResult, masker: Masker | undefined): ToolResult {
  if (!masker) return result
  const { data, stdout, stderr, diagnostics } = result
  return {
    ...result,
    ...(data !== undefined && { data: maskJson(data, masker) }),
    ...(stdout !== undefined && { stdout: maskText(stdout, masker) }),
    ...(stderr !== undefined && { stderr: maskText(stderr, masker) }),
    ...(diagnostics && { diagnostics: diagnostics.map((one) => maskJson(one, masker) as typeof one) }),
  }
}

/** What a call would do, as it may be shown and stored. What is run stays what it is. */
export function maskAsked(
  { access, preview }: Prepared,
  masker: Masker | undefined,
): { access: Access[]; preview?: Preview } {
  const shown = { access, ...(preview && { preview }) }
  return masker ? (maskJson(shown as unknown as Json, masker) as unknown as typeof shown) : shown
}

/**
 * What the model said, without values that are known: it cannot know others. A signed part is kept whole or dropped whole.
 */
export function maskSaid(parts: Part[], masker: Masker | undefined): { parts: Part[]; isMasked: boolean } {
  if (!masker) return { parts, isMasked: false }
  let isMasked = false
  const mask = (text: string) => {
    const masked = masker.maskKnown(text)
    if (masked !== text) isMasked = true
    return masked
  }
  const masked = parts.flatMap((part): Part[] => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return [{ ...part, text: mask(part.text) }]
      case 'call':
        return [{ ...part, args: mapJson(part.args, mask) }]
      case 'opaque': {
        const text = JSON.stringify(part.data)
        return mask(text) === text ? [part] : []
      }
      default:
        return [part]
    }
  })
  return { parts: masked, isMasked }
}

/** Arguments with what the person said in place of its masks: they said it to be used. */
export function resolveSaid(args: Json, masker: Masker | undefined): Json {
  if (!masker) return args
  return mapJson(args, (text) => masker.resolve(text, (_value, origin) => origin === 'person').text)
}

// What leaves the workspace: there, a mask would be used as if it were the value.
const OUTWARD = new Set<Access['kind']>(['run', 'net', 'foreign-tool'])

/** Why a call cannot run because of a masked value in its arguments. */
export function findMisuse({ access }: Prepared, args: Json): Diagnostic | undefined {
  if (!access.some(({ kind }) => OUTWARD.has(kind))) return undefined
  const [found] = findMasks(JSON.stringify(args))
  if (!found) return undefined
  return {
    code: 'masked-value',
    message: `${found.mask} stands for a secret that is not shown, and only files can hold it; nothing was run`,
    hint: 'let the program read the value from its file or its environment by itself, or ask the user',
  }
}

// Twice: a secret that is told by a line of the text may stand in another one that does not tell it.
const maskText = (text: string, masker: Masker) => masker.maskKnown(masker.mask(text))
const maskJson = (value: Json, masker: Masker) => mapJson(value, (text) => maskText(text, masker))

function mapJson(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapJson(item, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapJson(inner, map)]))
}
