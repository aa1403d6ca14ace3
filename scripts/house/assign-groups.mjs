import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * @typedef {{ getModuleInfo(id: string): { importedIds: string[] } | null }} Graph
 * @typedef {typeof import('oxc-parser').parseSync} Parse
 * @typedef {{ graph: Graph, parseSync: Parse }} Sight
 */

/**
 * Which group of the bundle each module belongs to: the first that cannot do without it. The entry's own have none.
 * @param {string} entry
 * @param {{ name: string, files: string[] }[]} groups
 * @param {Sight} sight
 */
export function assignGroups(entry, groups, sight) {
  /** @type {Map<string, string>} */
  const groupOf = new Map()
  for (const { name, files } of [{ name: '', files: [entry] }, ...groups]) {
    for (const id of reachable(files, sight)) if (!groupOf.has(id)) groupOf.set(id, name)
  }
  return groupOf
}

/**
 * Everything that these modules import, and what that imports, but for what waits behind an `import()`. Of a package's
 * own `index.ts` only what is named counts: the rest of it is somebody else's need.
 * @param {string[]} from
 * @param {Sight} sight
 */
function reachable(from, { graph, parseSync }) {
  const found = new Set(from)
  for (const id of found) {
    const imported = graph.getModuleInfo(id)?.importedIds ?? []
    const indexes = imported.filter(isIndex)
    for (const next of imported) if (!isIndex(next)) found.add(next)
    for (const next of namedBehind(indexes, id, parseSync)) found.add(next)
  }
  return found
}

/** @param {string} id */
function isIndex(id) {
  return /\/packages\/[^/]+\/src\/index\.ts$/.test(id)
}

/**
 * The files behind these indexes that a module names.
 * @param {string[]} indexes
 * @param {string} id
 * @param {Parse} parseSync
 */
function namedBehind(indexes, id, parseSync) {
  if (indexes.length === 0) return []
  const { staticImports } = parseSync(id, readFileSync(id, 'utf8')).module
  return staticImports.flatMap(({ moduleRequest, entries }) => {
    const index = indexes.find((file) => file.endsWith(`/${moduleRequest.value.replace('@maru/', '')}/src/index.ts`))
    if (index === undefined) return []
    const places = exportsOf(index, parseSync)
    return entries.filter(({ isType }) => !isType).flatMap(({ importName }) => places.get(importName.name ?? '') ?? [])
  })
}

/**
 * Which file of a package each of its exports comes from.
 * @param {string} index
 * @param {Parse} parseSync
 * @returns {Map<string, string>}
 */
function exportsOf(index, parseSync) {
  const { staticExports } = parseSync(index, readFileSync(index, 'utf8')).module
  const entries = staticExports.flatMap((one) => one.entries)
  return new Map(
    entries.map(({ exportName, moduleRequest }) => [
      exportName.name ?? '',
      join(dirname(index), moduleRequest?.value ?? ''),
    ]),
  )
}
