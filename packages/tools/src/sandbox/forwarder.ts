/** Where programs inside find the proxy. The network is theirs alone, so that the number is free. */
export const PROXY_PORT = 3128

/**
 * A program for Node, as text: inside, it joins a port to a socket outside, then runs its arguments and ends as they do.
 * A network of its own has no other way out, and no program takes a socket in the file system for a proxy.
 */
export const FORWARDER = `
const net = require('node:net'), os = require('node:os')
const { spawn } = require('node:child_process')
const [socket, program, ...args] = process.argv.slice(1)
const server = net.createServer({ allowHalfOpen: true }, (inner) => {
  const outer = net.connect({ path: socket, allowHalfOpen: true })
  for (const one of [inner, outer]) one.on('error', () => { inner.destroy(); outer.destroy() })
  inner.pipe(outer).pipe(inner)
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
server.on('error', run)
server.listen(${PROXY_PORT}, '127.0.0.1', run)
function run() {
  const child = spawn(program, args, { stdio: 'inherit' })
  child.on('error', (error) => { process.stderr.write(program + ': ' + error.message + '\\n'); process.exit(127) })
  child.on('exit', (code, signal) => process.exit(code === null ? 128 + os.constants.signals[signal] : code))
}
`

/** What tells programs of the proxy. */
export function proxyVariables(): Record<string, string> {
  const address = `http://127.0.0.1:${PROXY_PORT}`
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']
  const own = 'localhost,127.0.0.1,::1'
  return {
    ...Object.fromEntries(names.map((name) => [name, address])),
    NO_PROXY: own,
    no_proxy: own,
    NODE_USE_ENV_PROXY: '1',
  }
}
