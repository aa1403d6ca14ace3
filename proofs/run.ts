// Long proofs with a length option: `npm run prove -- kill --times 500`. `npm test` runs short ones.
import { parseArgs } from 'node:util'
import { proveDiskFull } from './disk-full.ts'
import { proveKill } from './kill.ts'
import { proveKillRun } from './kill-run.ts'

const log = (line: string) => console.log(line)

const proofs: Record<string, (times: number) => Promise<unknown>> = {
  kill: (times) => proveKill({ times, log }),
  'kill-run': () => proveKillRun({ log }),
  'disk-full': (times) => proveDiskFull({ times, log }),
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '20' } },
})
const proof = proofs[positionals[0] ?? '']
if (!proof) {
  console.error(`usage: npm run prove -- ${Object.keys(proofs).join('|')} [--times N]`)
  process.exitCode = 2
} else {
  console.log(JSON.stringify(await proof(Number(values.times))))
}
