// Follows a session that another process writes, and prints the seq of everything it sees until it has seen enough.
import { openJsonlStore } from '@maru/store'

const [directory = '', id = '', after = '0', until = '0'] = process.argv.slice(2)
const { log } = openJsonlStore({ directory, now: Date.now })
for await (const { seq } of log.follow(id, Number(after), new AbortController().signal)) {
  process.stdout.write(`${seq}\n`)
  if (seq === Number(until)) break
}
await log.close()
