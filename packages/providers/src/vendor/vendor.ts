import type { Headers } from '../retry.ts'
import type { Wire } from '../wire/wire.ts'

/** Where a vendor is found, how it knows us, and what it speaks. */
export interface Vendor {
  baseUrl: string
  /** Below the version: `/messages`. */
  path: string
  headers(key: string): Headers
  /** Loaded when it is first spoken: one of them is enough for most. */
  wire(url: URL): Promise<Wire>
  /** Where people set the key and the address: named when one of them is wrong. */
  keyName: string
  urlName: string
  defaultModel?: string
}

/** The address of a vendor's endpoint; its base may be given with or without a version. */
export function joinUrl(base: string, path: string): URL {
  const url = new URL(base)
  const folder = url.pathname.replace(/\/+$/, '')
  const hasVersion = folder.split('/').some((part) => /^v\d/.test(part))
  url.pathname = `${folder}${hasVersion ? '' : '/v1'}${path}`
  return url
}
