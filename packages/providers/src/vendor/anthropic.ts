import type { Vendor } from './vendor.ts'

/** Anthropic, and servers that speak its Messages wire. */
export const anthropic: Vendor = {
  baseUrl: 'https://api.anthropic.com',
  path: '/messages',
  headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key === '' ? {} : { 'x-api-key': key }) }),
  wire: async () => (await import('../wire/anthropic.ts')).anthropicWire,
  keyName: 'ANTHROPIC_API_KEY',
  urlName: 'ANTHROPIC_BASE_URL',
  defaultModel: 'claude-opus-5-5',
}
