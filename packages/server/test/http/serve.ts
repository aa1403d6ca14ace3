import { randomBytes } from 'node:crypto'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { type History, importFile, type Key, type Scope, sha256 } from '@maru/store'
import { type RunningServer, type ServerOptions, startServer, type Workshop } from '../../src/index.ts'
import { useHistory } from '../socket/world.ts'

// What only the program can do, as far as these tests need it: files are read for real, agents never run here.
export const workshop: Workshop = {
  openAgent: () => Promise.reject(new Error('no agent runs in this test')),
  diff: async ({ root }) => `--- a/x\n+++ b/x\n@@ in ${root}\n`,
  undo: async (_session, { runId, by }) => ({
    restored: [runId ?? 'last'],
    kept: [{ path: by.id, why: by.door ?? '' }],
  }),
  async *exportConversation(own, id, { format }) {
    for (const { role, content } of await own.conversations.messages(id)) yield `${format} ${role}: ${content}\n`
  },
  async importUpload(own, { path }, onProgress, signal) {
    const problems: string[] = []
    const { added, grown, same, messages } = await importFile(path, {
      ...{ own, now: Date.now, isDry: false, signal, isSensitive: () => false },
      onProgress: ({ done, total }) => onProgress({ bytes: done, total, sessions: 0, messages: 0 }),
      onProblem: ({ reason }) => problems.push(reason),
    })
    return { added, grown, same, messages, problems }
  },
}

export interface Served {
  history: History
  server: RunningServer
  url: string
  port: number
  /** What the operator was told. */
  log: { [name: string]: unknown }[]
  /** Somebody new, with a token. */
  join(scopes?: Scope[]): Promise<Someone>
}

export interface Someone {
  key: Key
  token: string
  ask(method: string, path: string, body?: unknown, headers?: Headers): Promise<Answered>
}

type Headers = { [name: string]: string }

export interface Answered {
  status: number
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server said; tests look at it
  json: any
}

let people = 0

/** A real server on the loopback. Stopped by whoever started it. */
export async function serve(options: Partial<ServerOptions> = {}): Promise<Served> {
  const history = options.history ?? (await useHistory())
  const { access } = history
  const log: Served['log'] = []
  const owner = await access.addPerson(`owner ${process.hrtime.bigint()} ${people++}`)
  const server = await startServer({
    ...{
      history,
      access,
      workshop,
      owner,
      version: '1.2.3',
      host: '127.0.0.1',
      port: 0,
      roots: [],
      allowedOrigins: [],
    },
    limits: { messagesPerMinute: 10_000, attemptsPerMinute: 10_000, ...options.limits },
    onLog: (entry) => void log.push(entry),
    now: Date.now,
    ...options,
  })
  const { url } = server
  return {
    ...{ history, server, url, log, port: Number(new URL(url).port) },
    async join(scopes = ['admin']) {
      const person = await access.addPerson(`person ${process.hrtime.bigint()} ${people++}`)
      const token = `maru_${randomBytes(32).toString('base64url')}`
      const key = await access.addKey({ kind: 'token', owner: person.id, hash: sha256(token), label: 'test', scopes })
      return {
        ...{ key, token },
        ask: (method, path, body, headers = {}) =>
          send(url, { method, path, body, headers: { authorization: `Bearer ${token}`, ...headers } }),
      }
    },
  }
}

/** A request with any headers, also those that `fetch` keeps for itself. */
export function send(
  url: string,
  { method = 'GET', path, body, headers = {} }: { method?: string; path: string; body?: unknown; headers?: Headers },
): Promise<Answered> {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array
  const content = body === undefined ? undefined : isRaw ? body : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const request = httpRequest(new URL(url), {
      ...{ method, path, agent: false },
      headers: {
        ...(content !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(content),
        }),
        ...headers,
      },
    })
    request.on('error', reject)
    request.on('response', (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString()
        const isJson =
          /json\b/.test(response.headers['content-type'] ?? '') &&
          !/ndjson/.test(response.headers['content-type'] ?? '')
        resolve({
          ...{ status: response.statusCode ?? 0, headers: response.headers, text },
          json: (isJson && text !== '' ? JSON.parse(text) : {}) as Answered['json'],
        })
      })
    })
    request.end(content)
  })
}

/** Bytes as they are, and whatever comes back until the server closes. */
export function sendRaw(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const pieces: Buffer[] = []
    socket.on('data', (piece) => pieces.push(piece))
    // A reset may come behind the answer: that counts as it came.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET') reject(error)
    })
    socket.on('close', () => resolve(Buffer.concat(pieces).toString()))
  })
}
