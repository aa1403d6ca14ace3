import { expect, test } from 'vitest'
import { proveFuzzServer } from '../proofs/fuzz-server.ts'
import { proveKillServer } from '../proofs/kill-server.ts'
import { proveRestartPostgres } from '../proofs/restart-postgres.ts'

// Short runs of what `npm run prove` does at length.
test.each([
  ['pglite', 3],
  ['postgres', 7],
] as const)(
  'killed at random moments, a server on %s loses and doubles nothing that it acknowledged',
  { timeout: 300_000 },
  async (engine, times) => {
    const [report] = await proveKillServer({ times, engines: [engine] })
    expect(report?.kills).toBe(times)
    expect(report?.acknowledged).toBeGreaterThanOrEqual(times)
  },
)

test('where PostgreSQL is restarted, the server says so and goes on, and clients come back by themselves', {
  timeout: 300_000,
}, async () => {
  const { restarts, acknowledged } = await proveRestartPostgres({ times: 3 })
  expect(restarts).toBe(3)
  expect(acknowledged).toBeGreaterThanOrEqual(3)
})

test('whatever two people ask and send, no answer is a fault and none tells of the other', {
  timeout: 300_000,
}, async () => {
  const { requests, routes, answers, frames, received } = await proveFuzzServer({ times: 400, seed: 20_261_116 })
  expect(requests).toBe(400)
  expect(routes).toBeGreaterThan(30)
  expect(frames).toBe(200)
  expect(answers).toMatchObject({ 2: expect.any(Number), 4: expect.any(Number) })
  for (const type of ['admitted', 'result', 'refused', 'facts', 'change']) expect(received[type]).toBeGreaterThan(0)
})
