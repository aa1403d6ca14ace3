import { Json } from './json.ts'
import * as s from './shape.ts'

/** Content longer than this, in UTF-8 bytes, leaves the fact and becomes a blob. */
export const BLOB_THRESHOLD = 16 * 1024

/** SHA-256 of the bytes, as 64 hexadecimal digits. */
export const Hash = s.string({ pattern: /^[0-9a-f]{64}$/ })
export type Hash = s.Infer<typeof Hash>

/** Content kept beside the log, named by its hash. */
export const BlobRef = s.object({ hash: Hash, bytes: s.int(0) })
export type BlobRef = s.Infer<typeof BlobRef>

// Where `blob` stands beside a text, the text is only its beginning and the blob is the whole.
const spilled = { blob: s.optional(BlobRef) }

/** The smallest piece of what was said, shown, asked for or returned. */
export const Part = s.union('type', [
  s.object({ type: s.literal('text'), text: s.string(), ...spilled }),
  s.object({ type: s.literal('reasoning'), text: s.string(), ...spilled }),
  // `callId` is ours and unique in the session; `vendorId` is what the vendor called it.
  s.object({
    type: s.literal('call'),
    callId: s.string(),
    vendorId: s.optional(s.string()),
    tool: s.string(),
    args: Json,
    ...spilled,
  }),
  s.object({ type: s.literal('result'), callId: s.string(), ok: s.boolean(), text: s.string(), ...spilled }),
  s.object({ type: s.literal('image'), mediaType: s.string(), blob: BlobRef }),
  s.object({ type: s.literal('file'), name: s.string(), mediaType: s.string(), blob: BlobRef }),
  s.object({ type: s.literal('data'), schema: s.string(), value: Json, ...spilled }),
  // Text from outside the repository and the user: shown as such, never obeyed.
  s.object({ type: s.literal('context'), source: s.string(), text: s.string(), trusted: s.literal(false), ...spilled }),
  // Signed thinking, encrypted reasoning: kept whole or dropped whole, never edited or masked inside.
  s.object({ type: s.literal('opaque'), vendor: s.string(), data: Json, ...spilled }),
])
export type Part = s.Infer<typeof Part>
