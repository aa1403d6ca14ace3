import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A line to a server that can be cut in any moment, and mended. */
export async function openCuttable() {
  let target = ''
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const { hostname, port } = new URL(target)
    const far = connect(Number(port), hostname)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => undefined)
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Where it leads to. */
    lead(url: string) {
      target = url
    },
    cut,
    mend() {
      isCut = false
    },
    close() {
      cut()
      server.close()
    },
  }
}
