import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { listPaths } from '../../src/search/list-paths.ts'
import { NEVER, openTree, type Tree } from './tree.ts'

let tree: Tree | undefined
afterEach(() => tree?.dispose())

test('the files of a folder are named as one would type them, without those that an ignore rule leaves out', async () => {
  tree = await openTree({ '.gitignore': 'dist/\n', 'dist/a.js': '', 'src/한글 이름.ts': '', 'a.md': '', '.env': '' })
  const paths = await listPaths(tree.root, { signal: NEVER, limit: 100 })
  expect(paths.toSorted()).toEqual(['.env', '.gitignore', 'a.md', 'src/한글 이름.ts'])
})

test('no more are named than were asked for', async () => {
  tree = await openTree({ a: '', b: '', c: '' })
  expect(await listPaths(tree.root, { signal: NEVER, limit: 2 })).toHaveLength(2)
})

test('a folder that is not there has no files', async () => {
  tree = await openTree()
  expect(await listPaths(join(tree.root, 'nowhere'), { signal: NEVER, limit: 10 })).toEqual([])
})
