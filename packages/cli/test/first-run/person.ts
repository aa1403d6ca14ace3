import { dirname, join } from 'node:path'
import type { Environment } from '../../src/environment.ts'
import { runCli } from '../../src/run-cli.ts'
import { makeDirectory } from '../run.ts'

/** Runs one call of `maru` with a person at the terminal, who types the given lines and then goes away. */
export async function runWithPerson(
  args: readonly string[],
  { env = {}, types }: { readonly env?: Environment; readonly types: readonly string[] },
) {
  const home = env['MARU_HOME'] ?? join(await makeDirectory(), 'home')
  let screen = ''
  const stream = {
    isTTY: true,
    columns: 80,
    write(text: string | Uint8Array, done: () => void) {
      screen += typeof text === 'string' ? text : new TextDecoder().decode(text)
      done()
      return true
    },
  }
  const stdin = (async function* () {
    yield types.map((line) => `${line}\n`).join('')
  })()
  const code = await runCli(args, {
    stdin: Object.assign(stdin, { isTTY: true }),
    stdout: stream,
    stderr: stream,
    env: { NO_COLOR: '1', ...env, MARU_HOME: home },
    cwd: dirname(home),
    signal: new AbortController().signal,
  })
  return { code, screen, home }
}
