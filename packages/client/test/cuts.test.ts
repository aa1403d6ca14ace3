import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Cut, cuttingSocket, type Scissors, scissors, startBreakingWire } from './scissors.ts'
import { tellStory } from './story.ts'
import { type Room, startWireServer, type WireServer } from './wire-server.ts'
import { createRoom } from './world.ts'

const rooms = new Map<string, Room>()
let server: WireServer
// One that lets go of a lease as soon as its socket is gone.
let hasty: WireServer
beforeAll(async () => {
  server = await startWireServer({ rooms, page: 2 })
  hasty = await startWireServer({ rooms, page: 2, graceMs: 0 })
})
afterAll(async () => {
  await server.close()
  await hasty.close()
})

function newRoom(): { url: string; token: string; room: Room } {
  const token = `room${rooms.size}`
  const room = createRoom()
  rooms.set(token, room)
  return { url: server.url, token, room }
}

test('a story is told whole when nothing is cut', async () => {
  await tellStory(newRoom())
})

test('cut at any frame, in any direction, on either side: nothing is lost, nothing doubled, no hole', async () => {
  const whole = { runner: scissors(), door: scissors() }
  await tellStory({
    ...newRoom(),
    runner: cuttingSocket(whole.runner),
    door: cuttingSocket(whole.door),
    turns: 1,
  })
  const trials = (['runner', 'door'] as const).flatMap((side) => {
    const { sent, received } = whole[side]
    const places: [Cut, number][] = [
      ['before-send', sent],
      ['after-send', sent],
      ['after-receive', received],
    ]
    return places.flatMap(([place, count]) =>
      Array.from({ length: count }, (_, at) => async () => {
        const cut = scissors({ [place]: new Set([at + 1]) })
        await tellStory({ ...newRoom(), [side]: cuttingSocket(cut), turns: 1 }).catch((error: unknown) => {
          throw new Error(`${side}, ${place} ${at + 1}`, { cause: error })
        })
      }),
    )
  })
  expect(trials.length).toBeGreaterThan(40)
  await inParallel(trials, 8)
})

const cuts = fc.record({
  'before-send': fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
  'after-send': fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
  'after-receive': fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
})

test('cut again and again on both sides', async () => {
  const scissorsFrom = (places: { [place in Cut]: number[] }): Scissors =>
    scissors({
      'before-send': new Set(places['before-send']),
      'after-send': new Set(places['after-send']),
      'after-receive': new Set(places['after-receive']),
    })
  await fc.assert(
    fc.asyncProperty(cuts, cuts, fc.boolean(), async (runner, door, isHasty) => {
      await tellStory({
        ...newRoom(),
        ...(isHasty && { url: hasty.url }),
        runner: cuttingSocket(scissorsFrom(runner)),
        door: cuttingSocket(scissorsFrom(door)),
      })
    }),
    { numRuns: 12 },
  )
})

test('cut in the middle of a frame, wherever that is', async () => {
  // The first hundreds of bytes are the handshake.
  const breaks = fc.array(fc.integer({ min: 1, max: 2_500 }), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(breaks, async (bytes) => {
      const wire = await startBreakingWire(server.url, bytes)
      try {
        await tellStory({ ...newRoom(), url: wire.url })
      } finally {
        wire.close()
      }
    }),
    { numRuns: 12 },
  )
})

async function inParallel(trials: (() => Promise<void>)[], workers: number): Promise<void> {
  const left = [...trials]
  const work = async () => {
    for (let trial = left.shift(); trial; trial = left.shift()) await trial()
  }
  await Promise.all(Array.from({ length: workers }, work))
}
