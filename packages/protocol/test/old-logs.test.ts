import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { FACTS, readRecord, takeFinished, transcript } from '../src/index.ts'

// Logs as earlier versions wrote them. They stay here for ever: add a file when a version changes, edit none.
const folder = new URL('logs/', import.meta.url)
const logs = readdirSync(folder)

describe.each(logs)('the old log %s', (name) => {
  const lines = readFileSync(new URL(name, folder), 'utf8').trimEnd().split('\n')

  test('is read whole, with nothing unknown in it', () => {
    const records = lines.map((line) => readRecord(JSON.parse(line)))
    expect(records.filter((read) => !('record' in read) || read.record.type === 'unknown')).toEqual([])
  })

  test('can be shown from its first fact to its last', () => {
    const state = transcript.create()
    for (const line of lines) {
      const read = readRecord(JSON.parse(line))
      if ('record' in read) transcript.apply(state, read.record)
    }
    expect(takeFinished(state).length).toBeGreaterThan(0)
    expect(state.waiting).toEqual([])
  })
})

test('the newest of them holds every kind of fact', () => {
  const newest = readFileSync(new URL(logs.toSorted().at(-1) ?? '', folder), 'utf8')
  const kinds = newest
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type)
  expect(Object.keys(FACTS).filter((type) => !kinds.includes(type))).toEqual([])
})
