import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Step, startScriptedModel } from '@maru/scripted-model'
import { onTestFinished } from 'vitest'

const maru = join(import.meta.dirname, '../../packages/cli/bin/maru.cjs')
const run = promisify(execFile)

export const hasTmux = spawnSync('tmux', ['-V']).status === 0

/** Skips in plain sight where there is no tmux. */
export const needTmux = ({ skip }: { skip(reason: string): void }): void => {
  if (!hasTmux) skip('needs tmux')
}

export interface TerminalWish {
  readonly script: readonly Step[] | Parameters<typeof startScriptedModel>[0]['script']
  readonly args?: readonly string[]
  readonly size?: readonly [columns: number, rows: number]
  readonly lang?: 'en' | 'ko'
  readonly files?: { readonly [path: string]: string }
  readonly env?: { readonly [name: string]: string }
  /** In a shell, so that there is something to come back to. */
  readonly inShell?: boolean
}

/** The built `maru` in a terminal of its own, which is tmux, talking to a scripted model. Everything ends with the test. */
export async function openTerminal(wish: TerminalWish) {
  const { script, args = [], size = [80, 24], lang = 'en', files = {}, env = {}, inShell = false } = wish
  const path = await mkdtemp(join(tmpdir(), 'maru-test-'))
  const model = await startScriptedModel({ script })
  const repo = join(path, 'repo')
  await mkdir(join(repo, '.git'), { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(repo, name)), { recursive: true })
    await writeFile(join(repo, name), text)
  }
  const config = join(path, 'tmux.conf')
  await writeFile(config, CONFIG)
  // Files of tests may run in one process: its number would not do.
  const socket = basename(path)
  const tmux = async (...words: string[]) => (await run('tmux', ['-L', socket, '-f', config, ...words])).stdout
  const variables = {
    PATH: process.env['PATH'] ?? '',
    HOME: path,
    TERM: 'screen-256color',
    // As tmux would say it: the name of the terminal alone could be that of another program, which does not wrap anew.
    TMUX: socket,
    LC_ALL: 'C.UTF-8',
    MARU_HOME: join(path, 'home'),
    MARU_LANG: lang,
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: model.url,
    NO_COLOR: '1',
    ...env,
  }
  const named = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
  const own = [process.execPath, maru, ...args].map(quoted).join(' ')
  const start = inShell ? `/bin/sh -i` : own
  const exit = join(path, 'exit')
  // The shell tells how it ended: tmux does not always know.
  const command = `trap : INT; cd ${quoted(repo)} && env -i ${named.map(quoted).join(' ')} ${start}; echo $? > ${quoted(exit)}`
  await tmux('new-session', '-d', '-x', String(size[0]), '-y', String(size[1]), command)
  const serverId = Number(await tmux('display-message', '-p', '#{pid}'))
  onTestFinished(async () => {
    await tmux('kill-server').catch(() => undefined)
    // What was running ends by itself when its terminal is gone, and writes until then.
    await poll(
      () => runningIn(path),
      (running) => running.length === 0,
      (running) => `still running: ${running.join(', ')}`,
    )
    await model.close()
    await rm(path, { recursive: true, force: true })
  })
  const terminal = {
    model,
    repo,
    path,
    command: own,
    serverId,
    /** The rows as they are seen, without blanks at their ends. */
    async rows(): Promise<string[]> {
      return (await tmux('capture-pane', '-p')).replace(/\n$/, '').split('\n')
    },
    /** What has scrolled off as well, long lines as one. */
    async everything(): Promise<string> {
      return tmux('capture-pane', '-p', '-J', '-S', '-')
    },
    async cursor(): Promise<{ row: number; column: number; isShown: boolean }> {
      const told = await tmux('display-message', '-p', '#{cursor_y} #{cursor_x} #{cursor_flag}')
      const [row = 0, column = 0, shown = 0] = told.trim().split(' ').map(Number)
      return { row, column, isShown: shown === 1 }
    },
    async type(text: string): Promise<void> {
      await tmux('send-keys', '-l', text)
    },
    async press(...keys: string[]): Promise<void> {
      await tmux('send-keys', ...keys)
    },
    async paste(text: string): Promise<void> {
      const file = join(path, 'paste.txt')
      await writeFile(file, text)
      await tmux('load-buffer', file)
      await tmux('paste-buffer', '-p', '-d')
    },
    async resize(columns: number, rows: number): Promise<void> {
      await tmux('resize-window', '-x', String(columns), '-y', String(rows))
    },
    /** Waits until the screen shows it. */
    async until(wanted: string | RegExp | ((rows: string[]) => boolean), what = String(wanted)): Promise<string[]> {
      const isThere = (rows: string[]) => {
        if (typeof wanted === 'function') return wanted(rows)
        const text = rows.join('\n')
        return typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)
      }
      return poll(terminal.rows, isThere, (rows) => `never shown: ${what}\n${rows.join('\n')}`)
    },
    /** The screen when it no longer changes. */
    async rest(): Promise<string[]> {
      let before = ''
      let same = 0
      const isAtRest = (rows: string[]) => {
        const now = rows.join('\n')
        same = now === before ? same + 1 : 0
        before = now
        return same >= CALM_LOOKS
      }
      return poll(terminal.rows, isAtRest, (rows) => `never at rest\n${rows.join('\n')}`)
    },
    /** The terminal goes away, as when its window is closed. */
    async kill(): Promise<void> {
      await tmux('kill-server')
    },
    /** Waits until the log of the session has it. */
    async untilLogged(text: string): Promise<void> {
      const directory = join(path, 'home/sessions')
      const look = async () => {
        const names = await readdir(directory).catch(() => [])
        const logs = names
          .filter((name) => name.endsWith('.jsonl'))
          .map((name) => readFile(join(directory, name), 'utf8'))
        return (await Promise.all(logs)).join('')
      }
      await poll(
        look,
        (log) => log.includes(text),
        (log) => `never logged: ${text}\n${log.slice(-2000)}`,
      )
    },
    /** Waits for the end of the program, and gives its exit code. */
    async exited(): Promise<number> {
      const ask = async () => readFile(exit, 'utf8').catch(() => '')
      const told = await poll(
        ask,
        (text) => text.endsWith('\n'),
        () => 'the program never ended',
      )
      return Number(told)
    },
  }
  return terminal
}

const CONFIG = [
  'set -g remain-on-exit on',
  'set -g history-limit 20000',
  'set -g status off',
  'set -g focus-events on',
  'set -s escape-time 0',
].join('\n')

const LOOK_MS = 60
const CALM_LOOKS = 6
// For the slowest of machines: who waits in vain is told late, but who waits well not at all.
const PATIENCE_MS = 90_000

async function poll<T>(look: () => Promise<T>, isDone: (seen: T) => boolean, tell: (seen: T) => string): Promise<T> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const seen = await look()
    if (isDone(seen)) return seen
    if (Date.now() > end) throw new Error(tell(seen))
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

/** The processes whose home is there; they are found by their environment, which needs Linux. */
async function runningIn(path: string): Promise<string[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    ids.map(async (id) => {
      const environment = await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')
      return environment.includes(`MARU_HOME=${path}/`) ? [id] : []
    }),
  )
  return found.flat()
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
