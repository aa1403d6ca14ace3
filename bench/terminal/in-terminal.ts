import { spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What is typed, and after which text on the terminal. */
export interface Typing {
  after: string
  keys: string
}

const REPORT = (file: string) => `process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  require('node:fs').writeFileSync(${JSON.stringify(file)}, String((user + system) / 1000))
})`

/** Runs a Node program in a terminal of 200 by 50 and gives the processor time that it used itself. */
export async function runInTerminal(
  args: readonly string[],
  { cwd, env, typing }: { cwd: string; env: Record<string, string | undefined>; typing: readonly Typing[] },
): Promise<{ cpuMs: number; shown: string }> {
  const report = join(cwd, '..', `cpu-${process.pid}`)
  const preload = `${report}.cjs`
  await writeFile(preload, REPORT(report))
  const quoted = [process.execPath, '--require', preload, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  const line = `stty cols 200 rows 50; exec ${quoted.join(' ')}`
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', line, '/dev/null'], {
    cwd,
    env: { PATH: process.env['PATH'], TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const left = [...typing]
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    const [next] = left
    if (next === undefined || !shown.includes(next.after)) return
    left.shift()
    child.stdin.write(next.keys)
  })
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0)
    throw new Error(`"${args.join(' ')}" ended with ${String(code)} in the terminal: ${shown.slice(-500)}`)
  const cpuMs = Number(await readFile(report, 'utf8'))
  await Promise.all([rm(report), rm(preload)])
  return { cpuMs, shown }
}
