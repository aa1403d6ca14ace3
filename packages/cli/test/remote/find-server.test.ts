import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findServer, PATIENT_MS } from '../../src/remote/find-server.ts'
import { makeDirectory } from '../run.ts'

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const homeWith = (note: unknown) =>
  makeDirectory({ 'server.json': typeof note === 'string' ? note : JSON.stringify(note) })

test('a server that answers is found, with its token', async () => {
  const paths: (string | undefined)[] = []
  const url = await listen(
    createServer((request, response) => {
      paths.push(request.url)
      response.end('{}')
    }),
  )
  const home = await homeWith({ url: `${url}/`, pid: process.pid, token: 'maru_secret', startedAt: 1 })
  expect(await findServer({ home }, PATIENT_MS)).toEqual({ url, pid: process.pid, token: 'maru_secret' })
  expect(paths).toEqual(['/healthz'])
})

test('without a server there is none, whatever the file of an old one says', async () => {
  const closed = createServer()
  const url = await listen(closed)
  await new Promise((resolve) => closed.close(resolve))
  const good = { url, pid: process.pid, token: 'maru_secret' }
  expect(await findServer({ home: join(await makeDirectory(), 'never') })).toBeUndefined()
  for (const note of [
    good,
    // No process has this number.
    { ...good, pid: 2 ** 22 + 1 },
    { ...good, pid: 0 },
    { ...good, pid: -1 },
    { ...good, url: 'nonsense' },
    { ...good, token: 7 },
    '{"url": "http://127.0.',
    'null',
  ]) {
    expect(await findServer({ home: await homeWith(note) })).toBeUndefined()
  }
})

test('a server that is stuck or unwell is none, and is not waited for', async () => {
  const stuck = await listen(createServer(() => undefined))
  const unwell = await listen(
    createServer((_request, response) => {
      response.statusCode = 503
      response.end()
    }),
  )
  for (const url of [stuck, unwell]) {
    const home = await homeWith({ url, pid: process.pid, token: 'maru_secret' })
    expect(await findServer({ home })).toBeUndefined()
  }
})
