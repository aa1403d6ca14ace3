export { isRetriable } from './failure.ts'
export { costOf, findModel, MODELS, type ModelInfo, type ModelOverrides, type Price } from './models.ts'
export { createNodeTransport, type NodeTransportOptions } from './node-transport.ts'
export {
  createProvider,
  DEFAULT_LIMITS,
  defaultModelOf,
  type Limits,
  type ProviderOptions,
} from './provider.ts'
export { readRecorded } from './read-recorded.ts'
export type { Timers } from './timers.ts'
export type { Transport, TransportRequest, TransportResponse } from './transport.ts'
export type { VendorName } from './vendor/vendors.ts'
