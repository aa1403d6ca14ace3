import type { Vendor } from './vendor.ts'

/** OpenAI by its Responses wire. */
export const openai: Vendor = {
  baseUrl: 'https://api.openai.com',
  path: '/responses',
  headers: (key): { [name: string]: string } => (key === '' ? {} : { authorization: `Bearer ${key}` }),
  wire: async () => (await import('../wire/responses.ts')).responsesWire,
  keyName: 'OPENAI_API_KEY',
  urlName: 'OPENAI_BASE_URL',
  defaultModel: 'gpt-6.1-sol',
}
