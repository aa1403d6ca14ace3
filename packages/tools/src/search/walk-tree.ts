import { setImmediate } from 'node:timers/promises'
import { readText } from '../text/read-text.ts'
import type { Scope } from './engine.ts'
import { compileGlob } from './glob.ts'
import { IGNORE_FILES, type IgnoreLevel, isIgnored, readIgnoreRules } from './ignore-rules.ts'
import type { Stop } from './ripgrep.ts'
import type { SafeTree } from './safe-tree.ts'

/** Called for each file; says how it goes on. */
export type Visit = (path: string) => void

const MAX_RULES_BYTES = 1024 * 1024
// Deeper than this no one looks; a loop of mounts could go on for ever.
const MAX_DEPTH = 200
const SLICE_MS = 10

/**
 * Visits the files that ripgrep would, in the order of their paths: regular ones that no rule leaves out. Others get
 * their turn every few milliseconds.
 */
export async function walkTree(scope: Scope, visit: Visit): Promise<{ unreadable: number; stop?: Stop }> {
  const { tree, signal, timeoutMs } = scope
  const last = readIgnoreRules(scope.rules)
  const names = scope.names.flatMap((name) => compileGlob(name) ?? [])
  const deadline = performance.now() + timeoutMs
  let unreadable = 0
  let pause = performance.now() + SLICE_MS
  let stop: Stop | undefined
  const isOver = async () => {
    if (signal.aborted) stop = 'abort'
    else if (performance.now() > deadline) stop = 'timeout'
    if (stop === undefined && performance.now() > pause) {
      await setImmediate()
      pause = performance.now() + SLICE_MS
    }
    return stop !== undefined
  }
  const enter = async (parts: readonly string[], above: readonly IgnoreLevel[]): Promise<void> => {
    const path = parts.join('/')
    const entries = parts.length > MAX_DEPTH ? undefined : tree.entries(path)
    if (entries === undefined) {
      unreadable++
      return
    }
    const own = readLevel(tree, path, { depth: parts.length, names: entries.map(({ name }) => name) })
    const levels = own ? [...above, own] : above
    for (const entry of entries) {
      if (await isOver()) return
      if (entry.name === '.git' || !(entry.isFile() || entry.isDirectory())) continue
      const below = [...parts, entry.name]
      if (isIgnored({ levels, last }, below, entry.isDirectory())) continue
      if (entry.isDirectory()) await enter(below, levels)
      else if (entry.name.includes('\uFFFD')) unreadable++
      else if (names.length === 0 || names.some((glob) => glob([entry.name]))) visit(below.join('/'))
    }
  }
  await enter([], [])
  return { unreadable, ...(stop && { stop }) }
}

function readLevel(
  tree: SafeTree,
  path: string,
  { depth, names }: { depth: number; names: readonly string[] },
): IgnoreLevel | undefined {
  const rules: IgnoreLevel['rules'] = {}
  for (const name of IGNORE_FILES) {
    if (!names.includes(name)) continue
    const file = tree.read(path === '' ? name : `${path}/${name}`, MAX_RULES_BYTES)
    const content = file?.kind === 'file' ? readText(file.bytes) : undefined
    if (content && 'text' in content) rules[name] = readIgnoreRules(content.text)
  }
  return Object.keys(rules).length > 0 ? { depth, rules } : undefined
}
