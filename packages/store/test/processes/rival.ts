// Wants to write a session that another process holds, then reads it.
import { LogError } from '@maru/protocol'
import { openJsonlStore } from '@maru/store'
import { collect, input } from '@maru/testkit'

const [directory = '', id = ''] = process.argv.slice(2)
const { log } = openJsonlStore({ directory, now: Date.now })
const refusals: unknown[] = []
for (const wish of [() => log.lease(id), () => log.admit(id, input('rival')), () => log.erase(id)]) {
  try {
    await wish()
  } catch (error) {
    if (!(error instanceof LogError)) throw error
    refusals.push({ code: error.code, message: error.message, ...error.details })
  }
}
console.log(JSON.stringify({ refusals, read: (await collect(log.read(id))).length }))
