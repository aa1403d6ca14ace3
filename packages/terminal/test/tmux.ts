import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Frame, Key } from '../src/index.ts'

const run = promisify(execFile)
const program = fileURLToPath(new URL('./tmux-program.ts', import.meta.url))

/** What the program in `tmux-program.ts` can be asked to do; it answers when it has been done. */
export type Order =
  | { do: 'print'; lines: readonly string[] }
  | { do: 'draw'; frame: Frame }
  | { do: 'await-size'; columns: number; rows: number }
  | { do: 'suspend' | 'resume' | 'close' }

export type Answer = { answer: Order['do'] | 'ready' } | { key: Key }

/** Whether there is a tmux to test with. */
export async function hasTmux(): Promise<boolean> {
  return run('tmux', ['-V']).then(
    () => true,
    () => false,
  )
}

/** The program in a real terminal, with a shell behind it that says how it left the terminal. */
export interface Tmux {
  order(order: Order): Promise<void>
  /** Runs a command of tmux on the pane. */
  tmux(command: string, ...args: string[]): Promise<string>
  resize(columns: number, rows: number): Promise<void>
  /** Everything from the top of the scrollback on, wrapped lines joined, without blanks at the ends. */
  lines(): Promise<string[]>
  /** Column and row on the screen, and whether the cursor is shown. */
  cursor(): Promise<string>
  readonly keys: readonly Key[]
  close(): Promise<void>
}

let count = 0

export async function openTmux(size: { columns: number; rows: number }): Promise<Tmux> {
  const directory = await mkdtemp(join(tmpdir(), 'maru-tmux-'))
  const address = join(directory, 'orders')
  const answers: string[] = []
  const keys: Key[] = []
  let onAnswer = (): void => {}
  const connected = new Promise<Socket>((resolve, reject) => {
    const server = createServer((socket) => {
      server.close()
      resolve(socket)
    })
    server.once('error', reject)
    server.listen(address)
    // A program that does not come up must not leave a tmux behind.
    setTimeout(() => reject(new Error('the program in tmux did not connect')), 60_000).unref()
  })
  const name = `maru-screen-${process.pid}-${count++}`
  const tmux = async (command: string, ...args: string[]): Promise<string> => {
    const { stdout } = await run('tmux', ['-u', '-L', name, '-f', '/dev/null', command, ...args])
    return stdout
  }
  const shell = `'${process.execPath}' --import tsx '${program}' '${address}'; stty -a | grep -o ' [-]*icanon\\| [-]*echo '; exec cat`
  await tmux('new-session', '-d', '-x', `${size.columns}`, '-y', `${size.rows}`, shell)
  const socket = await connected.catch(async (error: unknown) => {
    await tmux('kill-server')
    throw error
  })
  createInterface({ input: socket }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer
    if ('key' in answer) keys.push(answer.key)
    else {
      answers.push(answer.answer)
      onAnswer()
    }
  })

  async function answered(what: string): Promise<void> {
    while (!answers.includes(what)) {
      await new Promise<void>((resolve) => {
        onAnswer = resolve
      })
    }
    answers.length = 0
  }

  await answered('ready')
  return {
    tmux,
    keys,
    async order(order) {
      socket.write(`${JSON.stringify(order)}\n`)
      await answered(order.do)
    },
    async resize(columns, rows) {
      await tmux('resize-window', '-x', `${columns}`, '-y', `${rows}`)
      socket.write(`${JSON.stringify({ do: 'await-size', columns, rows } satisfies Order)}\n`)
      await answered('await-size')
    },
    async lines() {
      const text = await tmux('capture-pane', '-p', '-J', '-S', '-')
      const lines = text.split('\n').map((line) => line.trimEnd())
      return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
    },
    cursor: async () => (await tmux('display-message', '-p', '#{cursor_x},#{cursor_y} #{cursor_flag}')).trim(),
    async close() {
      socket.destroy()
      await tmux('kill-server')
      await rm(directory, { recursive: true, force: true })
    },
  }
}
