import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openHistory } from '@maru/store'
import { temporaryDirectory } from '@maru/testkit'
import { judge, type Verdict } from '../claim.ts'
import { sideBySide } from '../side-by-side.ts'

const ROUNDS = 7

/**
 * Opening an embedded history that is there, beside PGlite's own bare open of the same directory: each in a process of its
 * own, with a query and the closing. Through the store alone, and as a command does it.
 */
export async function benchSecondOpen(root: string): Promise<Verdict[]> {
  const { path, dispose } = await temporaryDirectory()
  try {
    const history = await openHistory({ home: path, now: Date.now })
    await (await history.open('me')).log.close()
    await history.close()
    const script = join(path, 'bare.mjs')
    writeFileSync(script, bareOpen(root, join(path, 'db/data')))
    const maru = join(root, 'packages/cli/bin/maru.cjs')
    const node = process.execPath
    const env = ['env', `MARU_HOME=${path}`, 'DATABASE_URL=']
    const variants = [
      { name: 'bare PGlite', command: [node, script] },
      { name: 'maru db migrate', command: [...env, node, maru, 'db', 'migrate'] },
      { name: 'maru search', command: [...env, node, maru, 'search', 'anything', '--quiet'] },
    ]
    const timings = await sideBySide(variants, { rounds: ROUNDS, warmups: 1 })
    const text = 'opening the embedded history a second time, in a command, against PGlite alone'
    return [
      judge(timings, { text: `${text}, no mirror`, of: 'maru db migrate', against: 'bare PGlite', atMost: 2 }),
      judge(timings, { text: `${text}, mirror and a search`, of: 'maru search', against: 'bare PGlite', atMost: 2 }),
      ...(await benchInProcess(root, path)),
    ]
  } finally {
    await dispose()
  }
}

/** As much of PGlite as is used here: it is the store's package, not ours. */
interface Bare {
  PGlite: { create(data: string): Promise<{ query(sql: string): Promise<unknown>; close(): Promise<void> }> }
}

/** Where PGlite is, for a script of its own. */
export function pgliteModule(root: string): string {
  return pathToFileURL(join(root, 'node_modules/@electric-sql/pglite/dist/index.js')).href
}

function bareOpen(root: string, data: string): string {
  return `const { PGlite } = await import('${pgliteModule(root)}')
const db = await PGlite.create(${JSON.stringify(data)})
await db.query('select 1')
await db.close()
`
}

async function benchInProcess(root: string, home: string): Promise<Verdict[]> {
  const { PGlite } = (await import(pgliteModule(root))) as Bare
  const bare = async () => {
    const db = await PGlite.create(join(home, 'db/data'))
    await db.query('select 1')
    await db.close()
  }
  const ours = async () => {
    const history = await openHistory({ home, now: Date.now })
    const own = await history.open('me')
    await own.log.close()
    await history.close()
  }
  const variants = [
    { name: 'bare PGlite', run: bare },
    { name: 'openHistory', run: ours },
  ]
  const timings = await sideBySide(variants, { rounds: ROUNDS, warmups: 1 })
  const text = 'opening the embedded history a second time, by the store alone, against PGlite alone'
  return [judge(timings, { text, of: 'openHistory', against: 'bare PGlite', atMost: 2 })]
}
