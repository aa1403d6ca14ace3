import type { Fields } from './json.ts'
import type { ErrorStep, VendorError } from './script.ts'

const anthropicTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  504: 'timeout_error',
  529: 'overloaded_error',
}

/** The error type Anthropic gives a status. */
export function anthropicErrorType(status: number): string {
  return anthropicTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
}

export function anthropicErrorBody(error: VendorError, requestId: string): Fields {
  const { message, type = anthropicErrorType(error.status) } = error
  return { type: 'error', error: { type, message }, request_id: requestId }
}

export function openaiErrorBody(error: VendorError): Fields {
  const { status, message, param = null } = error
  const [type, code] = openaiKind(status)
  return { error: { message, type: error.type ?? type, param, code: error.code ?? code } }
}

/** OpenAI names its rate limit by what was counted, and its server errors by one word. */
function openaiKind(status: number): [type: string, code: string | null] {
  if (status === 429) return ['requests', 'rate_limit_exceeded']
  if (status >= 500) return ['server_error', null]
  return ['invalid_request_error', null]
}

/** The error a step asks for, as a refusal. */
export function errorOfStep({ error }: ErrorStep): VendorError {
  const headers: Record<string, string> = {}
  if (error.retryAfter !== undefined) headers['retry-after'] = String(error.retryAfter)
  if (error.retryAfterMs !== undefined) headers['retry-after-ms'] = String(error.retryAfterMs)
  return {
    status: error.status,
    message: error.message ?? `scripted error ${error.status}`,
    ...(error.type === undefined ? {} : { type: error.type }),
    ...(error.code === undefined ? {} : { code: error.code }),
    headers: { ...headers, ...error.headers },
  }
}

/** A request the vendor would call invalid. */
export function invalid(message: string, about: { param?: string; code?: string } = {}): VendorError {
  return { status: 400, message, ...about }
}
