import type { Usage } from '@maru/protocol'
import { countOf, fieldsOf } from '../json.ts'

/** What a request took, as OpenAI's two dialects tell it: they call only the two sides otherwise. */
export function readUsage(value: unknown, [asked, said]: readonly [string, string]): Usage | undefined {
  const usage = fieldsOf(value)
  const input = countOf(usage[`${asked}_tokens`])
  const output = countOf(usage[`${said}_tokens`])
  if (input === undefined && output === undefined) return undefined
  const given = fieldsOf(usage[`${asked}_tokens_details`])
  const cacheRead = countOf(given['cached_tokens'])
  const cacheWrite = countOf(given['cache_write_tokens'])
  const reasoning = countOf(fieldsOf(usage[`${said}_tokens_details`])['reasoning_tokens'])
  return {
    input: input ?? 0,
    output: output ?? 0,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    ...(reasoning === undefined ? {} : { reasoning }),
  }
}
