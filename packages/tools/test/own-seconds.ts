import { readFileSync } from 'node:fs'

/** How long this thread has been computing. What the machine and our own other threads do meanwhile is not in it. */
export function ownSeconds(): number {
  if (process.platform !== 'linux') {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  // "pid (name) state …", with both times in hundredths of a second.
  const stat = readFileSync('/proc/thread-self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
