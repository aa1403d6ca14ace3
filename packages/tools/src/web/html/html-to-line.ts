import { beginning } from '@maru/agent'
import { cleanText } from '../clean-text.ts'
import { decodeEntities } from './entities.ts'

/** A short piece of text that may hold a few tags, as one line of at most `limit` characters. */
export function htmlToLine(html: string, limit: number): string {
  // Many times the limit is enough, whatever the tags take; the rest is not looked at.
  const text = decodeEntities(html.slice(0, limit * 20).replace(/<\/?[a-z][^<>]*>/gi, ''))
  const line = cleanText(text).replace(/\s+/g, ' ').trim()
  return line.length <= limit ? line : `${beginning(line, limit - 1)}…`
}
