import { isatty } from 'node:tty'
import type { Stream } from './terminal/output.ts'
import { version } from './version.ts'

// Start-up is measured: whatever a bare `--version` does not need is loaded later.
const stop = new AbortController()
let isRead = true

const stdout = openLater(1, () =>
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    isRead = false
    // Whoever closes the pipe has read enough; anything else (a full disk) is a failure.
    if (error.code !== 'EPIPE') {
      process.stderr.write(`maru: stdout: ${error.message}\n`)
      process.exitCode = 1
    }
    stop.abort()
  }),
)
const stderr = openLater(2, () => process.stderr.on('error', () => undefined))

const args = process.argv.slice(2)
if (args.length === 1 && args[0] === '--version') process.stdout.write(`maru ${version}\n`)
else void main()
// Nothing is left to do or to write. By itself the process would now take its memory apart, piece by piece.
process.once('beforeExit', () => process.exit())

async function main(): Promise<void> {
  const { runCli } = await import('./run-cli.ts')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // A second one ends the process at once, whatever it is doing; by way of `exit`, so that its commands end too.
    process.on(signal, () => (stop.signal.aborted ? process.exit(130) : stop.abort()))
  }
  const code = await runCli(args, {
    get stdin() {
      // Whoever waits for input must hear of the interrupt too.
      stop.signal.addEventListener('abort', () => process.stdin.destroy(), { once: true })
      return process.stdin
    },
    stdout,
    stderr,
    env: process.env,
    cwd: process.cwd(),
    signal: stop.signal,
  })
  // Not process.exit: what is still on its way to a slow reader would be lost.
  if (isRead) process.exitCode = code
}

/** A stream that costs nothing until something is written to it. */
function openLater(descriptor: number, open: () => NodeJS.WriteStream): Stream {
  let stream: NodeJS.WriteStream | undefined
  const opened = () => {
    stream ??= open()
    return stream
  }
  return {
    isTTY: isatty(descriptor),
    get columns() {
      return opened().columns
    },
    write: (text, done) => opened().write(text, done),
  }
}
