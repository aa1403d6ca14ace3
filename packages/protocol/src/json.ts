import * as s from './shape.ts'

/** Any value that survives JSON. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

// Only presence is checked: what is read was parsed as JSON and what is written is printed as JSON, so looking further
// would walk every argument twice for nothing.
export const Json = s.json<Json>()
