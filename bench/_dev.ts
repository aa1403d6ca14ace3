import { openContest } from './engine/contest.ts'
import { STREAM, TASK, TURNS } from './engine/workload.ts'
import { inTurn, summarize } from './side-by-side.ts'
import { join } from 'node:path'
const root = join(import.meta.dirname, '..')
const c = await openContest(root)
const rounds = Number(process.argv[3] ?? 15)
const w: any = { STREAM, TASK, TURNS }[process.argv[2] as string]
const [bare = [], maru = []] = await inTurn([() => c.bare(w), () => c.maru(w)], { rounds })
for (const [n, r] of [['bare', bare], ['maru', maru]] as const) {
  const s = (f: any) => { const t = summarize('', r.flatMap(f)); return `${t.min.toFixed(1)}/${t.median.toFixed(1)}` }
  console.log(n, 'total', s((x: any) => [x.ms]), 'first', s((x: any) => [x.exchanges[0].receivedAt - x.startedAt]),
   'turn', s((x: any) => x.exchanges.slice(1).map((e: any, i: number) => e.receivedAt - x.exchanges[i].answeredAt)),
   'lastAnswer→exit', s((x: any) => [x.startedAt + x.ms - x.exchanges.at(-1).answeredAt]), 'MB', s((x: any) => [x.megabytes]))
}
await c.close()
