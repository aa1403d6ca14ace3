import { tryParse } from './json.ts'
import type { Delivery, ReplyPart, ReplyStep, Stop, StreamFailure, Usage } from './script.ts'

/** A part of a reply, arguments as JSON text. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'refusal'; readonly text: string }
  | { readonly kind: 'thinking'; readonly texts: readonly string[] }
  | { readonly kind: 'redacted'; readonly text: string }
  | CallBlock

export type CallBlock = {
  readonly kind: 'call'
  readonly id: string | undefined
  readonly name: string
  readonly json: string
}

/** A reply step with every default filled in. */
export type Reply = {
  readonly blocks: readonly Block[]
  readonly usage: Required<Usage>
  readonly stop: Stop
  readonly deltaSize: number
  readonly interleaveCalls: boolean
  readonly failure: StreamFailure | undefined
}

/** Fills in what a step leaves out: stop follows the parts, usage the sizes at four bytes a token. */
export function prepareReply(step: ReplyStep, delivery: Delivery, requestBytes: number): Reply {
  const blocks = step.reply.map(toBlock)
  const usage = step.usage ?? { input: Math.ceil(requestBytes / 4), output: Math.ceil(sizeOf(blocks) / 4) }
  return {
    blocks,
    usage: { cacheRead: 0, cacheWrite: 0, reasoning: 0, ...usage },
    stop: step.stop ?? stopOf(blocks),
    deltaSize: delivery.deltaSize ?? 16,
    interleaveCalls: delivery.interleaveCalls ?? false,
    failure: step.failure,
  }
}

function toBlock(part: ReplyPart): Block {
  if ('text' in part) return { kind: 'text', text: part.text }
  if ('refusal' in part) return { kind: 'refusal', text: part.refusal }
  if ('redacted' in part) return { kind: 'redacted', text: part.redacted }
  if ('thinking' in part) {
    return { kind: 'thinking', texts: typeof part.thinking === 'string' ? [part.thinking] : part.thinking }
  }
  const json = 'rawArgs' in part ? part.rawArgs : JSON.stringify(part.args)
  return { kind: 'call', id: part.id, name: part.call, json }
}

function sizeOf(blocks: readonly Block[]): number {
  return blocks.reduce((size, block) => size + Buffer.byteLength(textOfBlock(block)), 0)
}

function textOfBlock(block: Block): string {
  if (block.kind === 'call') return block.name + block.json
  return block.kind === 'thinking' ? block.texts.join('') : block.text
}

function stopOf(blocks: readonly Block[]): Stop {
  if (blocks.some((block) => block.kind === 'refusal')) return 'refusal'
  return blocks.some((block) => block.kind === 'call') ? 'calls' : 'end'
}

/** Whether a reply stops before the model was done. */
export function isCutShort(stop: Stop): boolean {
  return typeof stop === 'object' || stop === 'length' || stop === 'context-full' || stop === 'filter'
}

/** The arguments as a value; an empty object when the JSON is broken. */
export function parseArgs(json: string): unknown {
  return tryParse(json) ?? {}
}
