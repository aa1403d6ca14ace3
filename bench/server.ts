import type { Verdict } from './claim.ts'
import { benchFanOut } from './server/fan-out.ts'
import { benchIdle } from './server/idle.ts'
import { bundleProcesses } from './server/processes.ts'
import { benchRequests } from './server/requests.ts'
import { benchSecondStart } from './server/second-start.ts'

// The claims are about these; less shows that all works.
const CLIENTS = Number(process.env['MARU_BENCH_CLIENTS'] ?? 500)
const SECONDS = Number(process.env['MARU_BENCH_SECONDS'] ?? 60)

/** The server beside bare ones that do the same with nothing around it: who hears of a message when, requests, memory. */
export async function benchServer(root: string): Promise<Verdict[]> {
  const processes = await bundleProcesses(root)
  try {
    return [
      ...(await benchFanOut(processes, { clients: CLIENTS, seconds: SECONDS })),
      ...(await benchRequests(processes, { kind: 'postgres', seconds: SECONDS / 30 })),
      ...(await benchRequests(processes, { kind: 'pglite', seconds: SECONDS / 30 })),
      ...(await benchIdle(processes, { few: CLIENTS * 2, many: CLIENTS * 6 })),
      ...(await benchSecondStart(root)),
    ]
  } finally {
    await processes.dispose()
  }
}
