import { openai } from './openai.ts'
import type { Vendor } from './vendor.ts'

/** Whatever speaks chat completions. Which model it serves is for the user to say. */
export const openaiChat: Vendor = {
  baseUrl: openai.baseUrl,
  path: '/chat/completions',
  headers: openai.headers,
  wire: async ({ host }) => {
    const { chatWire } = await import('../wire/chat.ts')
    return chatWire(host === 'api.openai.com' ? 'openai' : 'compatible')
  },
  keyName: openai.keyName,
  urlName: openai.urlName,
}
