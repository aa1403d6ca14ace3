import { cutMiddle } from '@maru/agent'

// A fact has a hard limit; a preview near it would be one nobody reads.
const PREVIEW_LIMIT = 100_000

/** A preview as it is stored with the question. */
export function limitPreview(text: string): string {
  return cutMiddle(text, PREVIEW_LIMIT)
}
