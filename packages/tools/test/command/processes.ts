import { readdir, readFile } from 'node:fs/promises'

/** Whether a process runs. A dead one may wait to be collected; it does not run any more. */
export async function isRunning(pid: string | number): Promise<boolean> {
  if (!/^\d+$/.test(String(pid))) throw new Error(`"${pid}" is no process`)
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
    return stat !== '' && !/\) [ZX] /.test(stat)
  }
  try {
    return process.kill(Number(pid), 0)
  } catch {
    return false
  }
}

/** The processes that run with this word among their arguments. */
export async function runningWith(word: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return line.split('\0').includes(word) && (await isRunning(pid)) ? [pid] : []
    }),
  )
  return found.flat()
}
