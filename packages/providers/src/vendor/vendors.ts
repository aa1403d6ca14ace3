import { anthropic } from './anthropic.ts'
import { openai } from './openai.ts'
import { openaiChat } from './openai-chat.ts'
import type { Vendor } from './vendor.ts'

/** The vendors there are. */
export type VendorName = 'anthropic' | 'openai' | 'openai-chat'

const vendors: Readonly<Record<VendorName, Vendor>> = { anthropic, openai, 'openai-chat': openaiChat }

export function vendorOf(name: VendorName): Vendor {
  return vendors[name]
}
