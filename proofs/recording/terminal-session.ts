import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createEmulator } from './emulator.ts'

/** What came out of the terminal, and how many milliseconds after the first of it. */
export interface Output {
  readonly ms: number
  readonly text: string
}

/** A program in a real terminal, with somebody at its keys. */
export interface TerminalSession {
  /** Types as a person does, one sign after the other. */
  type(text: string, everyMs?: number): Promise<void>
  /** Waits until the screen shows all of these. */
  until(...wanted: readonly string[]): Promise<void>
  /** Looks at the screen for a while. */
  pause(ms: number): Promise<void>
  /** Everything so far. */
  readonly outputs: readonly Output[]
  close(): Promise<void>
}

/** Where and how large the terminal is, and what runs in it. */
export interface TerminalWish {
  readonly command: string
  readonly cwd: string
  readonly env: { readonly [name: string]: string }
  readonly columns: number
  readonly rows: number
}

const KEY_MS = 45
const LOOK_MS = 20
const LEAVE_MS = 300
const CTRL_D = '\x04'
const PATIENCE_MS = 30_000

/** Starts it with util-linux's `script`, which makes the terminal; so this needs Linux. */
export function openTerminalSession({ command, cwd, env, columns, rows }: TerminalWish): TerminalSession {
  // A terminal that nobody looks at has no size until it is told one.
  const sized = `stty cols ${columns} rows ${rows}; exec ${command}`
  const child = spawn('script', ['--quiet', '--flush', '--command', sized, '/dev/null'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const ended = once(child, 'close')
  // Who has left reads no more keys.
  child.stdin.on('error', () => undefined)
  const emulator = createEmulator({ columns, rows })
  const decoder = new TextDecoder()
  const outputs: Output[] = []
  let begin: number | undefined
  child.stdout.on('data', (bytes: Buffer) => {
    const text = decoder.decode(bytes, { stream: true })
    if (text === '') return
    begin ??= performance.now()
    outputs.push({ ms: performance.now() - begin, text })
    emulator.write(text)
  })
  return {
    outputs,
    async type(text, everyMs = KEY_MS) {
      for (const sign of text) {
        child.stdin.write(sign)
        await pause(everyMs)
      }
    },
    async until(...wanted) {
      for (const end = Date.now() + PATIENCE_MS; ; ) {
        const screen = emulator.text().join('\n')
        const missing = wanted.find((text) => !screen.includes(text))
        if (missing === undefined) return
        if (Date.now() > end || child.exitCode !== null) throw new Error(`never shown: ${missing}\n${screen}`)
        await pause(LOOK_MS)
      }
    },
    pause,
    async close() {
      // As a person leaves: first the program, which still has things to write, then the shell.
      for (const end = Date.now() + PATIENCE_MS; child.exitCode === null && child.signalCode === null; ) {
        if (Date.now() > end) child.kill()
        child.stdin.write(CTRL_D)
        await Promise.race([ended, pause(LEAVE_MS)])
      }
      await ended
    },
  }
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms))
}
