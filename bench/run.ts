import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describe, type Verdict } from './claim.ts'
import { benchContext } from './context.ts'
import { benchEngine } from './engine.ts'
import { benchHands } from './hands.ts'
import { benchJudge } from './judge.ts'
import { benchLog } from './log.ts'
import { benchPatches } from './patches.ts'
import { benchRedact } from './redact.ts'
import { benchReplay } from './replay.ts'
import { benchSandbox } from './sandbox.ts'
import { benchSearch } from './search.ts'
import { benchServer } from './server.ts'
import { benchStart } from './start.ts'
import { benchStore } from './store.ts'
import { benchBesidePeers } from './terminal/beside-peers.ts'
import { benchTerminal } from './terminal.ts'

const root = join(import.meta.dirname, '..')

const benches: Record<string, { about: string; run: (root: string) => Promise<Verdict[]> }> = {
  start: { about: 'maru --version against bare Node', run: benchStart },
  log: { about: 'durable appends against bare writes of the same bytes', run: benchLog },
  replay: { about: 'maru replay of a 1 GB log against a bare streaming parse', run: benchReplay },
  redact: { about: 'masking plain text against one pattern and the clock', run: benchRedact },
  patches: { about: 'damaged real patches against git apply, patch and jsdiff', run: benchPatches },
  search: { about: 'SearchText and ListFiles in 100,000 files against plain ripgrep', run: benchSearch },
  hands: { about: 'turns that read, patch and run in 5,000 files, against the least script', run: benchHands },
  sandbox: { about: 'a command in the sandbox against a bare bwrap', run: benchSandbox },
  judge: { about: 'judging shell lines against parsing them', run: benchJudge },
  context: { about: 'a late turn against an early one, a long log against a new one', run: benchContext },
  store: { about: 'searching, opening and forking in the history, against plain SQL', run: benchStore },
  server: { about: 'clients, requests and idle sockets of the server, against bare ones', run: benchServer },
  engine: { about: 'maru run against the least script that makes the same requests', run: benchEngine },
  terminal: {
    about: 'maru from the terminal against the least script; with --peers also against other agents',
    run: (root) => benchTerminal(root),
  },
}

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      json: { type: 'boolean' },
      peers: { type: 'boolean' },
      with: { type: 'string', multiple: true },
    },
  })
  if (values.peers) {
    benches['terminal'] = {
      about: 'maru from the terminal against other agents',
      run: (root) => benchBesidePeers(root, values.with ?? []),
    }
  }
  const unknown = positionals.find((name) => benches[name] === undefined)
  if (positionals.length === 0 || unknown !== undefined) {
    if (unknown !== undefined) process.stderr.write(`There is no bench called "${unknown}".\n`)
    process.stderr.write(`npm run bench -- NAME… [--json]\n${listBenches()}\n`)
    return 2
  }
  let code = 0
  for (const [name, { run }] of Object.entries(benches).filter(([name]) => positionals.includes(name))) {
    for (const verdict of await run(root)) {
      process.stdout.write(
        values.json ? `${JSON.stringify({ bench: name, ...verdict })}\n` : `${describe(verdict)}\n\n`,
      )
      if (!verdict.holds) code = 1
    }
  }
  return code
}

function listBenches(): string {
  return Object.entries(benches)
    .map(([name, { about }]) => `  ${name.padEnd(12)} ${about}`)
    .join('\n')
}
