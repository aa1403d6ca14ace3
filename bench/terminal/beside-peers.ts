import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Verdict } from '../claim.ts'
import { benchTerminal } from '../terminal.ts'
import { PEERS } from './agents.ts'
import { installPeers } from './install-peers.ts'

/**
 * The bench with other agents in it. They are fetched first; then all of it runs in a network of its own, in which
 * there is this machine and nothing else: nobody is called, and nobody waits for an answer from far away.
 */
export async function benchBesidePeers(root: string, asked: readonly string[]): Promise<Verdict[]> {
  const names = [...Object.keys(PEERS).filter((name) => PEERS[name]?.isAsked === false), ...asked]
  const directory = await installPeers(names)
  const resolver = join(directory, 'resolv.conf')
  await writeFile(resolver, 'nameserver 127.0.0.1\n')
  const enter = 'ip link set lo up && mount --bind "$0" /etc/resolv.conf && exec "$@"'
  const inside = process.getuid?.() === 0 ? ['-nm'] : ['-rnm']
  const node = [process.execPath, '--import', 'tsx', fileURLToPath(import.meta.url), root, directory, ...names]
  const child = spawn('unshare', [...inside, 'sh', '-c', enter, resolver, ...node], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: Buffer[] = []
  child.stdout.on('data', (bytes: Buffer) => said.push(bytes))
  const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code !== 0) throw new Error(`the bench in its own network ended with ${code}`)
  return JSON.parse(Buffer.concat(said).toString()) as Verdict[]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [root = '', directory = '', ...names] = process.argv.slice(2)
  const server = await refuseNames()
  const verdicts = await benchTerminal(root, { directory, names })
  process.stdout.write(JSON.stringify(verdicts))
  server.close()
}

// Some wait for seconds where nobody answers at all: here every name is answered at once, and does not exist.
async function refuseNames() {
  const server = createSocket('udp4')
  server.on('message', (query, from) => {
    const answer = Buffer.from(query)
    answer.writeUInt16BE(0x8183, 2)
    server.send(answer, from.port, from.address)
  })
  await new Promise<void>((resolve) => server.bind(53, '127.0.0.1', resolve))
  return server
}
