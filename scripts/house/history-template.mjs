import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runQuietly } from './process.mjs'

/**
 * Packs a prepared database beside the command, unless the one that is there was made from the same schema. Without it
 * a first start of the history only takes longer: so one that cannot be made is no reason not to build.
 * @param {string} root with its packages installed
 */
export async function ensureHistoryTemplate(root) {
  const file = join(root, 'packages/cli/dist/history.tar.gz')
  const key = templateKey(root)
  if (existsSync(file) && existsSync(`${file}.key`) && readFileSync(`${file}.key`, 'utf8') === key) return
  const args = ['--import', 'tsx', '--input-type=module', '--eval', PACK, file]
  const { code } = await runQuietly(process.execPath, args, { cwd: root })
  if (code === 0) writeFileSync(`${file}.key`, key)
}

// In a process of its own: it is TypeScript, and takes half a gigabyte for a moment.
const PACK = `
import { renameSync, writeFileSync } from 'node:fs'
import { packHistoryTemplate } from '@maru/store'
const file = process.argv[1]
writeFileSync(file + '.new', await packHistoryTemplate())
renameSync(file + '.new', file)
`

/** @param {string} root */
function templateKey(root) {
  const hash = createHash('sha256')
  const engine = join(root, 'node_modules/@electric-sql/pglite/package.json')
  if (existsSync(engine)) hash.update(readFileSync(engine))
  const migrations = join(root, 'packages/store/src/pg/migrations')
  for (const name of readdirSync(migrations).toSorted()) hash.update(name).update(readFileSync(join(migrations, name)))
  return hash.digest('hex')
}
