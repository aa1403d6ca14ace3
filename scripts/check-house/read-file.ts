import { type ParseResult, parseSync, type StaticExportEntry, Visitor } from 'oxc-parser'
import type { Import } from './house.ts'

/** What a file imports and exports. */
export type Outline = {
  imports: Import[]
  defaultExports: number[]
  starExports: number[]
  broken: string | undefined
}

/**
 * Reads the imports and exports of a file.
 *
 * By oxc-parser because the rules are about what is written: esbuild's metafile has no type imports (they are gone after
 * its transform), regular expressions trip over strings and comments, and TypeScript 7 has no API.
 */
export function readOutline(path: string, text: string): Outline {
  const parsed = parseSync(path, text)
  const lineAt = lineFinder(text)
  const [error] = parsed.errors
  // What is imported and then exported again stands in both lists; here only the import counts.
  const imported = new Set(parsed.module.staticImports.map(({ moduleRequest }) => moduleRequest.start))
  const exported = parsed.module.staticExports
    .flatMap(({ entries }) => entries)
    .filter(({ moduleRequest }) => moduleRequest === null || !imported.has(moduleRequest.start))
  return {
    imports: [...staticImports(parsed, lineAt), ...reexports(exported, lineAt), ...inlineImports(parsed, text, lineAt)],
    defaultExports: exported
      .filter(({ exportName }) => exportName.kind === 'Default')
      .map(({ start }) => lineAt(start)),
    starExports: exported
      .filter(({ importName }) => importName.kind === 'AllButDefault' || importName.kind === 'All')
      .map(({ start }) => lineAt(start)),
    broken: error?.message,
  }
}

type LineAt = (offset: number) => number

function staticImports({ module }: ParseResult, lineAt: LineAt): Import[] {
  return module.staticImports.map(({ moduleRequest, entries, start }) => ({
    specifier: moduleRequest.value,
    kind: entries.length > 0 && entries.every(({ isType }) => isType) ? 'type' : 'static',
    line: lineAt(start),
  }))
}

/** One import per statement: a list that has a value among its types is there at run time. */
function reexports(exported: StaticExportEntry[], lineAt: LineAt): Import[] {
  const found = new Map<number, Import>()
  for (const { moduleRequest, isType } of exported) {
    if (moduleRequest === null) continue
    const kind = isType && found.get(moduleRequest.start)?.kind !== 'static' ? 'type' : 'static'
    found.set(moduleRequest.start, { specifier: moduleRequest.value, kind, line: lineAt(moduleRequest.start) })
  }
  return [...found.values()]
}

/** `import('…')`, as an expression or in a type; only these need a walk through the tree. */
function inlineImports(parsed: ParseResult, text: string, lineAt: LineAt): Import[] {
  if (!/\bimport\s*\(/.test(text)) return []
  const found: Import[] = []
  new Visitor({
    ImportExpression({ source, start }) {
      if (source.type !== 'Literal' || typeof source.value !== 'string') return
      found.push({ specifier: source.value, kind: 'lazy', line: lineAt(start) })
    },
    TSImportType({ source, start }) {
      found.push({ specifier: source.value, kind: 'type', line: lineAt(start) })
    },
  }).visit(parsed.program)
  return found
}

function lineFinder(text: string): LineAt {
  return (offset) => text.slice(0, offset).split('\n').length
}
