import { expect, test } from 'vitest'
import { proveBashNames, whyNoJail } from '../proofs/bash-names.ts'
import { canMountSmallDisk, proveDiskFull } from '../proofs/disk-full.ts'
import { proveFuzzCommands } from '../proofs/fuzz-commands.ts'
import { proveFuzzPatch } from '../proofs/fuzz-patch.ts'
import { proveFuzzPaths } from '../proofs/fuzz-paths.ts'
import { proveImportBig } from '../proofs/import-big.ts'
import { proveKill } from '../proofs/kill.ts'
import { proveKillRun } from '../proofs/kill-run.ts'
import { proveKillStore } from '../proofs/kill-store.ts'
import { proveProperties } from '../proofs/properties.ts'
import { proveRandomWalk } from '../proofs/random-walk.ts'

// Short runs of what `npm run prove` does at length.
test('killed at 20 random moments, a writer loses nothing that it acknowledged', { timeout: 400_000 }, async () => {
  const { kills, acknowledged } = await proveKill({ times: 20 })
  expect(kills).toBe(20)
  expect(acknowledged).toBeGreaterThan(20)
})

test('a disk that fills up loses nothing that was acknowledged', { timeout: 400_000 }, async (context) => {
  if (!(await canMountSmallDisk())) context.skip('this machine allows no private tmpfs (unshare, user namespaces)')
  expect((await proveDiskFull({ times: 3 })).acknowledged).toBeGreaterThan(3)
})

test('killed at every fact of a session of six calls, a run is finished by the next process', {
  timeout: 400_000,
}, async () => {
  const { boundaries, resumed } = await proveKillRun({})
  expect(boundaries).toBeGreaterThan(20)
  expect(resumed).toBeGreaterThan(15)
})

test('runs, deaths, resumes and forks at random moments leave no log unreadable and lose no turn', {
  timeout: 400_000,
}, async () => {
  const { steps, inside, forks, abandoned, turns } = await proveRandomWalk({ times: 120, seed: 20_261_116 })
  expect(steps).toBe(120)
  expect([inside, forks, abandoned, turns].every((count) => count > 5)).toBe(true)
})

test('whatever path is asked for in a tree full of links, nothing outside it is read or written', {
  timeout: 400_000,
}, async () => {
  const { read, written, refused } = await proveFuzzPaths({ times: 4, seed: 20_261_116 })
  expect([read, written, refused].every((count) => count > 0)).toBe(true)
})

test('a patch broken in any way gives the right text or a refusal, never another text', {
  timeout: 400_000,
}, async () => {
  const { applied, refused } = await proveFuzzPatch({ times: 40, seed: 20_261_116 })
  expect([applied, refused].every((count) => count > 0)).toBe(true)
})

test('properties are tried with new examples', { timeout: 400_000 }, async () => {
  expect(await proveProperties({ times: 1, only: 'tools/test/line-diff' })).toEqual({ files: 1, rounds: 1 })
})

test('a dangerous command is not allowed, however it is quoted, split, computed, wrapped or carried', {
  timeout: 400_000,
}, async () => {
  const { lines, denied } = await proveFuzzCommands({ times: 40, seed: 20_261_116 })
  expect(lines).toBeGreaterThan(3_000)
  expect(denied).toBeGreaterThan(500)
})

test('real bash runs no command that the judgement of its line did not name', { timeout: 400_000 }, async (context) => {
  const reason = whyNoJail()
  if (reason !== undefined) context.skip(reason)
  const { lines, run, doubted } = await proveBashNames({ times: 2, seed: 20_261_116 })
  expect(run).toBeGreaterThan(lines)
  expect(doubted).toBeLessThan(lines / 2)
})

test.each(['pglite', 'postgres'] as const)(
  'killed at ten random moments, a history on %s loses and doubles nothing',
  {
    timeout: 400_000,
  },
  async (engine) => {
    const [report] = await proveKillStore({ times: 10, engines: [engine] })
    expect(report?.kills).toBe(10)
    expect(report?.acknowledged).toBeGreaterThan(10)
  },
)

test('an archive of 2 MB comes in once, however often it is imported', { timeout: 300_000 }, async () => {
  const { sessions, messages } = await proveImportBig({ megabytes: 2 })
  expect(sessions).toBeGreaterThan(50)
  expect(messages).toBeGreaterThan(1_000)
})
