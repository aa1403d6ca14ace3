import type { Fields } from './json.ts'

/** What was sent, as far as a vendor holds a client to it. */
export type Ledger = {
  /** Anthropic: the thinking that came ahead of a tool_use, by its id. */
  readonly thinkingBefore: Map<string, readonly Fields[]>
  /** Responses: the reasoning item that came right ahead of an item, by the item's id. */
  readonly reasoningBefore: Map<string, string>
  /** Responses: the item that came right after a reasoning item, by the reasoning item's id. */
  readonly itemAfter: Map<string, Fields>
  /** Responses: items of stored responses, by id. */
  readonly storedItems: Map<string, Fields>
  /** Responses: input and output of stored responses, by response id. */
  readonly storedResponses: Map<string, readonly unknown[]>
}

export function createLedger(): Ledger {
  return {
    thinkingBefore: new Map(),
    reasoningBefore: new Map(),
    itemAfter: new Map(),
    storedItems: new Map(),
    storedResponses: new Map(),
  }
}
