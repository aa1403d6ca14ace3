import { join } from 'node:path'
import { runQuietly } from './process.mjs'

/** What the manual is made by; what it is made from is in the command as well. */
export const MANUAL_SOURCES = ['packages/cli/src/man/write-man-pages.ts', 'packages/cli/src/man/man-page.ts']

/**
 * Writes the manual page in each language to packages/cli/dist/man, by a process of its own: a script may import no
 * package. In the middle of work the sources may not hold together; a command without a manual is better than none.
 * @param {import('./command.mjs').House} house
 */
export async function writeManual({ root, say }) {
  const [program = ''] = MANUAL_SOURCES
  const args = ['--import', 'tsx', join(root, program), join(root, 'packages/cli/dist/man')]
  const { code, output } = await runQuietly(process.execPath, args, { cwd: root })
  if (code !== 0) say(`the manual page was not written: ${output.trim().split('\n').slice(0, 6).join('\n')}`)
}
