import { join } from 'node:path'
import { judge, type Verdict } from './claim.ts'
import { sideBySide } from './side-by-side.ts'

/** How much longer than bare Node `maru` needs to start. */
export async function benchStart(root: string): Promise<Verdict[]> {
  const bare = { name: 'node -e 0', command: [process.execPath, '-e', '0'] }
  const maru = {
    name: 'maru --version',
    command: [process.execPath, join(root, 'packages/cli/bin/maru.cjs'), '--version'],
  }
  const timings = await sideBySide([bare, maru], { rounds: 40 })
  const verdict = judge(timings, {
    text: 'maru --version starts nearly as fast as bare Node',
    of: maru.name,
    against: bare.name,
    atMost: 1.4,
  })
  return [verdict]
}
