import { knownKindOf } from '../text/known-kind.ts'
import { readText } from '../text/read-text.ts'
import { cleanText } from './clean-text.ts'
import { charsetOf, decodeBody } from './decode-body.ts'
import { htmlToText } from './html/html-to-text.ts'
import { indentJson } from './indent-json.ts'

/** What a body is to a reader: text, or something that is only described. */
export type Content = { kind: 'text'; text: string } | { kind: 'other'; name: string }

/** The media type of an answer, in a spelling that can be shown. */
export function mediaTypeOf(contentType: string | undefined): string | undefined {
  return /^\s*([\w.+-]{1,80}\/[\w.+-]{1,80})\s*(?:;|,|$)/.exec(contentType ?? '')?.[1]?.toLowerCase()
}

type Family = 'html' | 'json' | 'text' | 'unknown' | 'other'

/** Whether a body of this type can be text, and is worth reading. */
export function canBeText(contentType: string | undefined): boolean {
  return familyOf(mediaTypeOf(contentType)) !== 'other'
}

/** Reads a body by its type, or by its looks where the server does not say. */
export function readBody(
  bytes: Uint8Array,
  { contentType, url }: { contentType: string | undefined; url: URL },
): Content {
  const type = mediaTypeOf(contentType)
  const family = familyOf(type)
  if (family === 'other') return { kind: 'other', name: type ?? 'unknown' }
  const hidden = hiddenKind(bytes, { isSaidToBeText: family !== 'unknown' })
  if (hidden !== undefined) return { kind: 'other', name: hidden }
  const text = decodeBody(bytes, charsetOf(contentType))
  if (family === 'html' || (family === 'unknown' && /^\s*<(!doctype html|html|head|body)[\s>]/i.test(text))) {
    return { kind: 'text', text: htmlToText(text, url) }
  }
  return { kind: 'text', text: cleanText(family === 'json' ? indentJson(text) : text) }
}

function familyOf(type: string | undefined): Family {
  if (type === undefined || type === 'application/octet-stream') return 'unknown'
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (/^(application|text)\/([\w.-]+\+)?json$/.test(type)) return 'json'
  if (type.startsWith('text/') || /[+/](xml|yaml|toml)$/.test(type)) return 'text'
  return /^application\/(x-)?(javascript|ecmascript|typescript|sh|shellscript|yaml|toml|sql|ndjson|jsonl|graphql)$/.test(
    type,
  )
    ? 'text'
    : 'other'
}

// Servers call many things text that are none.
function hiddenKind(bytes: Uint8Array, { isSaidToBeText }: { isSaidToBeText: boolean }): string | undefined {
  const known = knownKindOf(bytes)
  if (known !== undefined) return known.mediaType
  if (isSaidToBeText && !bytes.subarray(0, 8000).includes(0)) return undefined
  return readText(bytes).kind === 'binary' ? 'application/octet-stream' : undefined
}
