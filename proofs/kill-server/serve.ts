// Serves a history until it is killed: `serve pglite|postgres HOME|URL PORT TOKEN`. Says where it listens.
import { startServer, type Workshop } from '@maru/server'
import { openHistory, sha256 } from '@maru/store'
import { onSamePort } from '@maru/testkit'

const [engine = '', place = '', port = '', token = ''] = process.argv.slice(2)
const history = await openHistory({
  home: place,
  now: Date.now,
  ...(engine === 'postgres' && { databaseUrl: place }),
})
const { access } = history
const owner = (await access.findPerson('writer')) ?? (await access.addPerson('writer'))
const hash = sha256(token)
if (!(await access.findKey(hash))) {
  await access.addKey({ kind: 'token', owner: owner.id, hash, label: 'proof', scopes: ['admin'] })
}
const refuse = () => Promise.reject(new Error('no agent works here'))
const workshop: Workshop = {
  ...{ openAgent: refuse, diff: refuse, undo: refuse, importUpload: refuse },
  async *exportConversation() {
    yield await refuse()
  },
}
const start = () =>
  startServer({
    ...{ history, access, workshop, owner, version: '0', host: '127.0.0.1', port: Number(port) },
    ...{ roots: [], allowedOrigins: [], limits: { messagesPerMinute: 10_000_000 } },
    onLog: ({ event, ...more }) => {
      if (event === 'broken') process.stderr.write(`${event} ${JSON.stringify(more)}\n`)
    },
    now: Date.now,
  })
const server = await onSamePort(start)
process.stdout.write(`${JSON.stringify({ url: server.url })}\n`)
