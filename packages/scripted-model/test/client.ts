import { type IncomingMessage, request } from 'node:http'
import { onTestFinished } from 'vitest'
import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel, type WireName } from '../src/index.ts'

/** A model that is closed after its test. */
export async function start(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const model = await startScriptedModel(options)
  onTestFinished(() => model.close())
  return model
}

/** A response to its end, or to where it broke. */
export type Received = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  readonly pieces: readonly Buffer[]
  /** `end` when the body ended well, else the error: `aborted` for a FIN, `read ECONNRESET` for a RST. */
  readonly outcome: string
}

export type Sent = {
  readonly method?: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** Called with what was received so far; true hangs up. */
  readonly hangUp?: (text: string) => boolean
}

export function send(model: ScriptedModel, sent: Sent): Promise<Received> {
  return new Promise((resolve, reject) => {
    const outgoing = request(model.url + sent.path, {
      method: sent.method ?? 'POST',
      headers: sent.headers ?? {},
      agent: false,
    })
    outgoing.once('error', reject)
    outgoing.once('response', (incoming) => {
      const pieces: Buffer[] = []
      const text = () => Buffer.concat(pieces).toString()
      const done = (outcome: string) =>
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text: text(), pieces, outcome })
      incoming.on('data', (piece: Buffer) => {
        pieces.push(piece)
        if (sent.hangUp?.(text()) === true) {
          done('hung-up')
          outgoing.destroy()
        }
      })
      incoming.once('end', () => done('end'))
      incoming.once('error', (error) => done(error.message))
      // A reset is told to the request first.
      outgoing.off('error', reject)
      outgoing.once('error', (error) => done(error.message))
    })
    outgoing.end(typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body))
  })
}

const user = { role: 'user', content: 'hi' }

/** The smallest request each vendor takes; `more` wins. */
export function ask(wire: WireName, more: Record<string, unknown> = {}): Sent {
  if (wire === 'anthropic') {
    const headers = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' }
    return {
      path: '/v1/messages',
      headers,
      body: { model: 'm', max_tokens: 9000, stream: true, messages: [user], ...more },
    }
  }
  const headers = { authorization: 'Bearer k' }
  if (wire === 'responses')
    return { path: '/v1/responses', headers, body: { model: 'm', stream: true, input: [user], ...more } }
  return { path: '/v1/chat/completions', headers, body: { model: 'm', stream: true, messages: [user], ...more } }
}

export type Event = { readonly event: string | undefined; readonly data: unknown }

/** The events of a whole stream; comments are left out, `[DONE]` stays a string. */
export function eventsOf(text: string): Event[] {
  return text.split(/\r?\n\r?\n/).flatMap((block) => {
    const lines = block.split(/\r?\n/)
    const event = lines.find((line) => line.startsWith('event: '))?.slice(7)
    const data = lines.find((line) => line.startsWith('data: '))?.slice(6)
    return data === undefined ? [] : [{ event, data: data === '[DONE]' ? data : (JSON.parse(data) as unknown) }]
  })
}

/** The payloads of a whole stream. */
export function payloadsOf(text: string): unknown[] {
  return eventsOf(text).map((event) => event.data)
}
