// Serves an embedded history to two people until its input ends: `serve HOME ROOT NAME…`. Says where, and their tokens.
import { randomBytes } from 'node:crypto'
import { startServer, type Workshop } from '@maru/server'
import { importFile, openHistory, sha256 } from '@maru/store'

const [home = '', root = '', ...names] = process.argv.slice(2)
const history = await openHistory({ home, now: Date.now, isDurable: false })
const { access } = history

// Files are read for real; no agent works here, which is told to whoever follows its session.
const workshop: Workshop = {
  openAgent: () => Promise.reject(new Error('no agent works here')),
  diff: async () => '',
  undo: async () => ({ restored: [], kept: [] }),
  async *exportConversation(own, id) {
    for (const { role, content } of await own.conversations.messages(id)) yield `${role}: ${content}\n`
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

const people = []
for (const name of names) {
  const { id } = await access.addPerson(name)
  const token = `maru_${randomBytes(32).toString('base64url')}`
  const scopes = ['admin' as const]
  const key = await access.addKey({ kind: 'token', owner: id, hash: sha256(token), label: name, scopes })
  people.push({ name, token, key: key.id })
}
const owner = await access.addPerson('owner')
const server = await startServer({
  ...{ history, access, workshop, owner, version: '0', host: '127.0.0.1', port: 0 },
  ...{ roots: [root], allowedOrigins: [] },
  limits: { messagesPerMinute: 10_000_000, attemptsPerMinute: 10_000_000, body: 1_000_000, upload: 2_000_000 },
  onLog: ({ event, ...more }) => {
    if (event === 'broken') process.stderr.write(`${event} ${JSON.stringify(more)}\n`)
  },
  now: Date.now,
})
process.stdout.write(`${JSON.stringify({ url: server.url, people })}\n`)
process.stdin.resume().once('end', () => process.exit())
