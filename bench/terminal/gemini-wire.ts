import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ReplyPart, Step } from '@maru/scripted-model'

/** What of a request decides the answer, in whatever wire it came. */
export interface Asked {
  readonly texts: readonly string[]
  readonly tools: readonly string[]
  readonly toolResults: readonly unknown[]
}

interface GeminiPart {
  text?: string
  functionResponse?: unknown
}

interface GeminiBody {
  contents?: { parts?: GeminiPart[] }[]
  tools?: { functionDeclarations?: { name: string }[] }[]
}

/** Speaks as much of the `generateContent` wire as one peer needs, with the answers of the same script. */
export async function startGeminiWire(answer: (asked: Asked) => Step): Promise<string> {
  const server = createServer((request, response) => {
    serve(request, response, answer).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function serve(request: IncomingMessage, response: ServerResponse, answer: (asked: Asked) => Step) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const url = request.url ?? ''
  if (url.includes(':countTokens')) {
    response.writeHead(200, JSON_TYPE).end('{"totalTokens":10}')
    return
  }
  if (!url.includes('enerateContent')) {
    response.writeHead(404, JSON_TYPE).end('{"error":{"code":404,"message":"not here","status":"NOT_FOUND"}}')
    return
  }
  const step = answer(read(JSON.parse(Buffer.concat(chunks).toString()) as GeminiBody))
  if (!('reply' in step)) throw new Error('only replies can be told in this wire')
  const { reply, delivery } = step
  const isStream = url.includes(':streamGenerateContent')
  const size = isStream ? (delivery?.deltaSize ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY
  const parts = [...partsOf(reply, size)]
  const bodyOf = (some: object[], isLast: boolean) => ({
    candidates: [{ index: 0, content: { role: 'model', parts: some }, ...(isLast && { finishReason: 'STOP' }) }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 },
    modelVersion: 'scripted',
  })
  if (!isStream) {
    response.writeHead(200, JSON_TYPE).end(JSON.stringify(bodyOf(parts, true)))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const [at, part] of parts.entries()) {
    const isRoom = response.write(`data: ${JSON.stringify(bodyOf([part], at === parts.length - 1))}\n\n`)
    if (!isRoom) await new Promise((resolve) => response.once('drain', resolve))
  }
  response.end()
}

const JSON_TYPE = { 'content-type': 'application/json' }

function read({ contents = [], tools = [] }: GeminiBody): Asked {
  const parts = contents.flatMap((content) => content.parts ?? [])
  return {
    texts: parts.flatMap(({ text }) => (text === undefined ? [] : [text])),
    tools: tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations.map(({ name }) => name)),
    toolResults: parts.flatMap(({ functionResponse }) => (functionResponse === undefined ? [] : [functionResponse])),
  }
}

function* partsOf(reply: readonly ReplyPart[], size: number): Generator<object> {
  for (const part of reply) {
    if ('call' in part && 'args' in part) yield { functionCall: { name: part.call, args: part.args } }
    else if ('text' in part) {
      for (let at = 0; at < part.text.length; at += size) yield { text: part.text.slice(at, at + size) }
    } else throw new Error('only texts and calls can be told in this wire')
  }
}
