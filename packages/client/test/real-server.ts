import { type RunningServer, startServer, type Workshop } from '@maru/server'
import { type History, openHistory, sha256 } from '@maru/store'
import { onSamePort, testPostgres } from '@maru/testkit'
import { makeKey } from '../src/index.ts'

// What only the program can do; nothing here runs an agent.
const refuse = () => Promise.reject(new Error('not in this test'))
const workshop: Workshop = {
  openAgent: refuse,
  diff: refuse,
  undo: refuse,
  importUpload: refuse,
  async *exportConversation(_own, id, { format }) {
    yield `${id} as ${format}`
  },
}

export interface RealServer {
  readonly url: string
  readonly history: History
  /** A new person's token, and whose it is. */
  join(): Promise<{ token: string; owner: string }>
  /** Another server over the same history, at the same place. */
  startAgain(): Promise<void>
  close(): Promise<void>
  makeLink(): Promise<string>
}

/** In the tests' own PostgreSQL: it runs already, where an embedded one would have to be opened. */
export async function openTestHistory(): Promise<History> {
  const { directory, createDatabase } = await testPostgres()
  return openHistory({ home: directory, databaseUrl: await createDatabase(), now: Date.now })
}

/** The server that people use. */
export async function startRealServer(history: History): Promise<RealServer> {
  const { access } = history
  const owner = await access.addPerson(`owner ${makeKey()}`)
  const start = (port: number): Promise<RunningServer> =>
    startServer({
      history,
      access,
      workshop,
      owner,
      version: '0',
      host: '127.0.0.1',
      port,
      roots: [],
      allowedOrigins: [],
      limits: { messagesPerMinute: 100_000, attemptsPerMinute: 1_000 },
      onLog: () => undefined,
      now: Date.now,
    })
  let server = await start(0)
  const { url } = server
  return {
    url,
    history,
    async join() {
      const person = await access.addPerson(`person ${makeKey()}`)
      const token = `maru_${makeKey()}`
      await access.addKey({ kind: 'token', owner: person.id, hash: sha256(token), label: 'test', scopes: ['admin'] })
      return { token, owner: person.id }
    },
    async startAgain() {
      await server.close()
      server = await onSamePort(() => start(Number(new URL(url).port)))
    },
    close: () => server.close(),
    makeLink: () => server.makeLink(),
  }
}
