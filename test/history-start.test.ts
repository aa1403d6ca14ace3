import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startScriptedModel } from '@maru/scripted-model'
import { expect, test } from 'vitest'
import { createPlace } from './engine/end-to-end.ts'

// Notes every file of the bundle that is read, and every package that is asked for.
const RECORD = `'use strict'
const fs = require('node:fs')
const Module = require('node:module')
const seen = new Set()
const { readFileSync } = fs
fs.readFileSync = (file, ...rest) => {
  if (/\\.cjs$/.test(String(file))) seen.add(String(file))
  return readFileSync(file, ...rest)
}
const load = Module._load
Module._load = (name, ...rest) => {
  if (!name.startsWith('node:')) seen.add(name)
  return load(name, ...rest)
}
process.once('exit', () => fs.writeFileSync(process.env.MARU_SEEN, JSON.stringify([...seen])))
`

// What only the history holds: its engines, and SQL on its tables.
const HISTORY = /@electric-sql\/pglite|import\("pg"\)|require\("pg"\)|maru\.conversation|pg_advisory/

test('a run loads nothing of the history, also where there is one', { timeout: 120_000 }, async () => {
  const place = await createPlace()
  const model = await startScriptedModel({ script: [{ reply: [{ text: 'done' }] }] })
  const hook = join(place.path, 'record.cjs')
  const seen = join(place.path, 'seen.json')
  await writeFile(hook, RECORD)
  const env = { NODE_OPTIONS: `--require ${hook}`, MARU_SEEN: seen }
  const historyOf = (): string[] =>
    (JSON.parse(readFileSync(seen, 'utf8')) as string[]).filter((file) =>
      HISTORY.test(file.endsWith('.cjs') ? readFileSync(file, 'latin1') : `require("${file}")`),
    )
  try {
    expect(await place.run(['search', 'anything'], model.url, env)).toMatchObject({ code: 0 })
    expect(historyOf()).not.toEqual([])
    const ran = await place.run(['run', 'Say done', '--provider', 'anthropic'], model.url, env)
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining('done') })
    expect(JSON.parse(readFileSync(seen, 'utf8'))).toContainEqual(expect.stringMatching(/maru\.cjs$/))
    expect(historyOf()).toEqual([])
  } finally {
    await model.close()
    await place.dispose()
  }
})
