import { isFields, textOf } from './json.ts'
import type { ScriptedModelOptions } from './options.ts'
import type { ReceivedRequest, VendorError } from './script.ts'
import { invalid } from './vendor-error.ts'

/** Anthropic's limit for a Messages request, used for all wires. */
export const maxBodyBytes = 32 * 1024 * 1024

export function isModelList({ method, path }: ReceivedRequest): boolean {
  return method === 'GET' && path.split('?')[0] === '/v1/models'
}

/** What any vendor refuses before it reads a request: key, path, size, JSON, model. */
export function* refuseEntry(request: ReceivedRequest, options: ScriptedModelOptions): Generator<VendorError> {
  yield* checkKey(request, options.key)
  if (isModelList(request)) return
  const { method, path, body } = request
  if (request.wire === undefined || method !== 'POST') {
    yield { status: 404, message: `Unknown request URL: ${method} ${path}`, code: 'unknown_url' }
  }
  if (request.rawBody.length > maxBodyBytes) {
    yield { status: 413, message: `Request exceeds the maximum of ${maxBodyBytes} bytes` }
  }
  if (body === undefined) yield invalid('The request body is not valid JSON')
  if (!isFields(body)) return yield invalid('The request body must be a JSON object')
  const model = textOf(body['model'])
  if (options.models !== undefined && model !== '' && !options.models.includes(model)) {
    yield { status: 404, message: `model: ${model}`, code: 'model_not_found' }
  }
}

function* checkKey({ wire, headers }: ReceivedRequest, key: string | undefined): Generator<VendorError> {
  const bearer = /^Bearer +(\S.*)$/.exec(headers['authorization'] ?? '')?.[1]
  const isAnthropic = wire === 'anthropic' || (wire === undefined && headers['anthropic-version'] !== undefined)
  const given = isAnthropic ? headers['x-api-key'] || bearer : bearer
  const where = isAnthropic ? 'x-api-key header' : 'Authorization header with Bearer'
  if (given === undefined || given === '') yield { status: 401, message: `No API key: an ${where} is required` }
  if (key !== undefined && given !== key)
    yield { status: 401, message: `Invalid API key in the ${where}`, code: 'invalid_api_key' }
}
