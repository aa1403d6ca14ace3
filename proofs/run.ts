// Long proofs with a length option: `npm run prove -- kill --times 500`. `npm test` runs short ones.
import { parseArgs } from 'node:util'
import { proveBashNames } from './bash-names.ts'
import { proveDiskFull } from './disk-full.ts'
import { proveFuzzCommands } from './fuzz-commands.ts'
import { proveFuzzPatch } from './fuzz-patch.ts'
import { proveFuzzPaths } from './fuzz-paths.ts'
import { proveFuzzServer } from './fuzz-server.ts'
import { proveImportBig } from './import-big.ts'
import { proveKill } from './kill.ts'
import { proveKillRun } from './kill-run.ts'
import { proveKillServer } from './kill-server.ts'
import { proveKillStore } from './kill-store.ts'
import { proveLongContext } from './long-context.ts'
import { proveProperties } from './properties.ts'
import { proveRandomWalk } from './random-walk.ts'
import { proveRestartPostgres } from './restart-postgres.ts'

const log = (line: string) => console.log(line)

interface Length {
  times: number
  seconds?: number
  megabytes: number
}

const proofs: Record<string, (length: Length) => Promise<unknown>> = {
  kill: ({ times }) => proveKill({ times, log }),
  'kill-run': () => proveKillRun({ log }),
  'kill-store': ({ times }) => proveKillStore({ times, log }),
  'kill-server': ({ times }) => proveKillServer({ times, log }),
  'restart-postgres': ({ times }) => proveRestartPostgres({ times, log }),
  'import-big': ({ megabytes }) => proveImportBig({ megabytes, log }),
  'disk-full': ({ times }) => proveDiskFull({ times, log }),
  'fuzz-commands': (length) => proveFuzzCommands({ ...length, log }),
  'bash-names': (length) => proveBashNames({ ...length, log }),
  'long-context': ({ times }) => proveLongContext({ times, log }),
  'random-walk': (length) => proveRandomWalk({ ...length, log }),
  properties: ({ times }) => proveProperties({ times, log }),
  'fuzz-patch': (length) => proveFuzzPatch({ ...length, log }),
  'fuzz-server': (length) => proveFuzzServer({ ...length, log }),
  'fuzz-paths': (length) => proveFuzzPaths({ ...length, log }),
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string', default: '20' },
    seconds: { type: 'string' },
    megabytes: { type: 'string', default: '100' },
  },
})
const proof = proofs[positionals[0] ?? '']
if (!proof) {
  console.error(`usage: npm run prove -- ${Object.keys(proofs).join('|')} [--times N] [--seconds N] [--megabytes N]`)
  process.exitCode = 2
} else {
  const seconds = values.seconds === undefined ? {} : { seconds: Number(values.seconds) }
  console.log(
    JSON.stringify(await proof({ times: Number(values.times), megabytes: Number(values.megabytes), ...seconds })),
  )
}
