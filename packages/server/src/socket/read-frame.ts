import { ClientFrame, misfit, type Problem } from '@maru/protocol'
import { refusal } from '../http/problem.ts'

/** Deeper than anything that is meant; what prints and stores JSON goes down by its own stack. */
const DEEPEST = 64

/** Reads what a client sent. What cannot be understood is described, with the name of the request if it has one. */
export function readFrame(text: string): { frame: ClientFrame } | { problem: Problem; request?: string } {
  if (isDeep(text)) {
    return { problem: refusal('bad-json', `values may be nested ${DEEPEST} times`).problem }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { problem: refusal('bad-json', 'a frame is one JSON object').problem }
  }
  const wrong = misfit(ClientFrame, value)
  if (!wrong) return { frame: value as ClientFrame }
  const request = requestOf(value)
  return {
    problem: refusal('bad-request', 'it does not have the shape of a frame', { at: wrong.join('.') }).problem,
    ...(request !== undefined && { request }),
  }
}

function requestOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('request' in value)) return undefined
  const { request } = value
  return typeof request === 'string' && request.length > 0 && request.length <= 64 ? request : undefined
}

function isDeep(text: string): boolean {
  if (text.length <= 2 * DEEPEST) return false
  let depth = 0
  let isInside = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isInside) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) isInside = false
    } else if (code === QUOTE) isInside = true
    else if (code === BRACE || code === BRACKET) {
      if (++depth > DEEPEST) return true
    } else if (code === END_BRACE || code === END_BRACKET) depth--
  }
  return false
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACKET = 0x5b
const END_BRACKET = 0x5d
const BRACE = 0x7b
const END_BRACE = 0x7d
