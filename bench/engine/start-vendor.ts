import { fork } from 'node:child_process'
import { join } from 'node:path'
import type { Exchange, VendorReport } from './workload.ts'

/** What the scripted vendor's process is asked from here. */
export interface Vendor {
  url: string
  /** The same model in the wire of one vendor that nobody else speaks. */
  geminiUrl: string
  /** The requests since the last time. */
  take(): Promise<Exchange[]>
  stop(): void
}

/** Starts the vendor in a process of its own; the files that its answers name are in `directory`. */
export async function startVendor(directory: string): Promise<Vendor> {
  const child = fork(join(import.meta.dirname, 'vendor.ts'), [directory], { execArgv: ['--import', 'tsx'] })
  const next = () =>
    new Promise<VendorReport>((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`the vendor's process ended with ${code}`))
      child.once('exit', onExit)
      child.once('message', (report: VendorReport) => {
        child.off('exit', onExit)
        resolve(report)
      })
    })
  const hello = await next()
  if (!('url' in hello)) throw new Error('the vendor does not say where it is')
  return {
    url: hello.url,
    geminiUrl: hello.geminiUrl,
    async take(): Promise<Exchange[]> {
      const answer = next()
      child.send('take')
      const report = await answer
      if (!('exchanges' in report)) throw new Error('the vendor does not say what it has seen')
      if (report.problem !== undefined) throw new Error(`the vendor refused: ${report.problem}`)
      return report.exchanges
    },
    stop: () => child.disconnect(),
  }
}
