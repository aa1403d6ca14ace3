import * as z from 'zod/mini'
import { Json } from './json.ts'

/** Content longer than this, in UTF-8 bytes, leaves the fact and becomes a blob. */
export const BLOB_THRESHOLD = 16 * 1024

/** SHA-256 of the bytes, as 64 hexadecimal digits. */
export const Hash = z.string().check(z.regex(/^[0-9a-f]{64}$/))
export type Hash = z.infer<typeof Hash>

/** Content kept beside the log, named by its hash. */
export const BlobRef = z.object({ hash: Hash, bytes: z.int().check(z.nonnegative()) })
export type BlobRef = z.infer<typeof BlobRef>

// Where `blob` stands beside a text, the text is only its beginning and the blob is the whole.
const spilled = { blob: z.exactOptional(BlobRef) }

/** The smallest piece of what was said, shown, asked for or returned. */
export const Part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), ...spilled }),
  z.object({ type: z.literal('reasoning'), text: z.string(), ...spilled }),
  // `callId` is ours and unique in the session; `vendorId` is what the vendor called it.
  z.object({
    type: z.literal('call'),
    callId: z.string(),
    vendorId: z.exactOptional(z.string()),
    tool: z.string(),
    args: Json,
    ...spilled,
  }),
  z.object({ type: z.literal('result'), callId: z.string(), ok: z.boolean(), text: z.string(), ...spilled }),
  z.object({ type: z.literal('image'), mediaType: z.string(), blob: BlobRef }),
  z.object({ type: z.literal('file'), name: z.string(), mediaType: z.string(), blob: BlobRef }),
  z.object({ type: z.literal('data'), schema: z.string(), value: Json, ...spilled }),
  // Text from outside the repository and the user: shown as such, never obeyed.
  z.object({ type: z.literal('context'), source: z.string(), text: z.string(), trusted: z.literal(false), ...spilled }),
  // Signed thinking, encrypted reasoning: kept whole or dropped whole, never edited or masked inside.
  z.object({ type: z.literal('opaque'), vendor: z.string(), data: Json, ...spilled }),
])
export type Part = z.infer<typeof Part>
