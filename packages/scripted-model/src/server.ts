import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createActor, wireOf } from './actor.ts'
import { maxBodyBytes } from './admit.ts'
import { writeHead } from './answer.ts'
import { fieldsOf, tryParse } from './json.ts'
import type { ScriptedModelOptions } from './options.ts'
import { play, sleepInTime } from './player.ts'
import type { Problem, ReceivedRequest } from './script.ts'

/** A running server. Requests and problems grow as they come. */
export type ScriptedModel = {
  /** Without a path: clients add `/v1/…`. */
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  readonly problems: readonly Problem[]
  /** How many steps of a list are left. */
  readonly stepsLeft: number
  /** Ends open connections; may be called twice. */
  close(): Promise<void>
}

/** Starts a model on the loopback that answers three vendor wires from one script. */
export async function startScriptedModel(options: ScriptedModelOptions): Promise<ScriptedModel> {
  const requests: ReceivedRequest[] = []
  const problems: Problem[] = []
  const stop = new AbortController()
  const actor = createActor(options, problems)
  const { sleep = sleepInTime, now = Date.now } = options

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const rawBody = await readBody(incoming)
    if (rawBody === undefined) return
    const request = receive(incoming, rawBody, now())
    requests.push(request)
    const answer = await actor.answer(request)
    writeHead(response, answer)
    await play(response, answer.body, { sleep, signal: stop.signal })
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => response.destroy(asError(error)))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the scripted model got no port')
  let closing: Promise<void> | undefined
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    problems,
    get stepsLeft() {
      return actor.stepsLeft()
    },
    close() {
      closing ??= new Promise((resolve) => {
        stop.abort()
        server.close(() => resolve())
        server.closeAllConnections()
      })
      return closing
    },
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** The bytes of a request, at most one more than allowed; undefined when the client left before they were all there. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let room = maxBodyBytes + 1
  // Reads on past the limit, so that the refusal can be sent, but keeps nothing more.
  incoming.on('data', (part: Buffer) => {
    if (room > 0) parts.push(part.subarray(0, room))
    room -= Math.min(room, part.length)
  })
  const isComplete = await new Promise<boolean>((resolve) => {
    incoming.once('end', () => resolve(true))
    incoming.once('close', () => resolve(false))
  })
  return isComplete ? Buffer.concat(parts) : undefined
}

function receive(incoming: IncomingMessage, rawBody: Buffer, time: number): ReceivedRequest {
  const path = incoming.url ?? '/'
  const wire = wireOf(path)
  const body = tryParse(rawBody.toString())
  const headers = Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]))
  const view = wire?.view(fieldsOf(body)) ?? { model: '', texts: [], toolResults: [], images: 0, tools: [] }
  return { wire: wire?.name, method: incoming.method ?? 'GET', path, headers, body, rawBody, time, view }
}
