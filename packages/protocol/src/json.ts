import * as z from 'zod/mini'

/** Any value that survives JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

// Only presence is checked: what is read was parsed as JSON and what is written is printed as JSON, so a recursive
// schema would walk every argument twice for nothing.
export const Json = z.custom<Json>(
  (value) => value !== undefined && typeof value !== 'function' && typeof value !== 'symbol',
)
