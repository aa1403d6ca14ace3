import { access, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryDirectory } from '@maru/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorkspace } from '../../src/workspace.ts'
import { contextOf } from '../bench-of-tools.ts'
import { createGitTools } from './all-git-tools.ts'
import { makeCanary, spring, TRAPS } from './hostile.ts'

let base: string
let dispose: () => Promise<void>
beforeAll(async () => {
  ;({ path: base, dispose } = await temporaryDirectory())
})
afterAll(() => dispose())

describe('a hostile repository', () => {
  test.each(TRAPS.map((trap, at) => ({ ...trap, at })))('runs nothing by $name', async (trap) => {
    const place = join(base, String(trap.at))
    const root = join(place, 'repo')
    const { script, canary } = await makeCanary(place)
    await trap.set(root, script)
    await rm(canary, { force: true })
    for (const below of ['.', ...(trap.below ? [trap.below] : [])]) {
      const directory = join(root, below)
      const tools = createGitTools({ workspace: createWorkspace(directory), root: directory, environment: {} })
      for (const args of [{}, { staged: true }]) {
        for (const tool of tools) {
          if ('staged' in args && tool.spec.name !== 'GitDiff') continue
          await (await tool.prepare(args, contextOf())).run(contextOf())
        }
      }
      expect(await isThere(canary)).toBe(false)
    }
    // Plain git does fall for it: else this would prove nothing.
    await spring(root, trap)
    expect(await isThere(canary)).toBe(true)
  })
})

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
