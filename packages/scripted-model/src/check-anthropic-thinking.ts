import { type Fields, fieldsOf, listOf, textOf } from './json.ts'
import type { Ledger } from './ledger.ts'
import type { VendorError } from './script.ts'
import { isSealed } from './seal.ts'
import { invalid } from './vendor-error.ts'

/**
 * Thinking sent back must be as it was sent; in the turn still going on it may not be missing either.
 *
 * Earlier turns may go without theirs: the vendor would only strip it.
 */
export function* checkThinkingReturned(body: Fields, ledger: Ledger): Generator<VendorError> {
  const messages = listOf(body['messages']).map(fieldsOf)
  const isOff = fieldsOf(body['thinking'])['type'] === 'disabled'
  const openTurn = messages.findLastIndex((message) => message['role'] === 'user' && !isOnlyResults(message))
  for (const [at, message] of messages.entries()) {
    if (message['role'] !== 'assistant') continue
    const content = listOf(message['content']).map(fieldsOf)
    for (const [place, block] of content.entries()) {
      if (!isGenuine(block))
        yield invalid(`messages.${at}.content.${place}: Invalid signature in ${textOf(block['type'])} block`)
    }
    if (!isOff && at > openTurn) yield* checkComplete(content, ledger, `messages.${at}`)
  }
}

function isOnlyResults(message: Fields): boolean {
  const content = listOf(message['content'])
  return content.length > 0 && content.every((block) => fieldsOf(block)['type'] === 'tool_result')
}

function isThinking(block: Fields): boolean {
  return block['type'] === 'thinking' || block['type'] === 'redacted_thinking'
}

function isGenuine(block: Fields): boolean {
  if (block['type'] === 'thinking') {
    return isSealed(textOf(block['signature']), 'signature', { content: textOf(block['thinking']) })
  }
  return block['type'] !== 'redacted_thinking' || isSealed(textOf(block['data']), 'redacted')
}

function* checkComplete(content: readonly Fields[], ledger: Ledger, path: string): Generator<VendorError> {
  for (const [place, block] of content.entries()) {
    const sent = block['type'] === 'tool_use' ? ledger.thinkingBefore.get(String(block['id'])) : undefined
    if (sent === undefined) continue
    const returned = content.slice(0, place).filter(isThinking)
    if (sent.length > 0 && returned.length === 0) {
      yield invalid(
        `${path}.content.0.type: Expected thinking or redacted_thinking ahead of tool_use ${String(block['id'])}`,
      )
    }
    if (!isSame(sent, returned)) {
      yield invalid(`${path}: thinking or redacted_thinking blocks in the latest assistant message cannot be modified`)
    }
  }
}

function isSame(sent: readonly Fields[], returned: readonly Fields[]): boolean {
  return sent.length === returned.length && sent.every((block, at) => proofOf(block) === proofOf(returned[at]))
}

/** A block whose seal is genuine is known by it. */
function proofOf(block: Fields | undefined): unknown {
  return block?.['signature'] ?? block?.['data']
}
