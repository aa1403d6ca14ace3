import type { MessageKey } from '@maru/i18n'
import { findNodeAtLocation, type Node } from 'jsonc-parser'
import type * as z from 'zod/mini'
import { nearest } from '../nearest.ts'
import type { Fault } from './problem.ts'
import type { Shape } from './schema.ts'

/** A fault and where in the text it stands. */
export interface PlacedFault {
  readonly offset: number
  readonly fault: Fault
}

type Path = readonly (string | number)[]

/** Checks a parsed file against its schema; all faults are found, in the order of the text. */
export function checkShape<T>(tree: Node, shape: Shape<T>): { config: T } | { faults: readonly PlacedFault[] } {
  const faults = findKeyFaults(tree)
  const read = shape.schema.safeParse(plainValue(tree))
  if (read.success && faults.length === 0) return { config: read.data }
  for (const issue of read.error?.issues ?? []) faults.push(...faultsOf(issue, tree, shape))
  return { faults: faults.sort((a, b) => a.offset - b.offset) }
}

// A null prototype makes `__proto__` a key like any other.
function plainValue(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plainValue)
  if (node.type !== 'object') return node.value
  const value: Record<string, unknown> = Object.create(null)
  for (const { children } of node.children ?? []) {
    const [key, content] = children ?? []
    if (key && content) value[key.value] = plainValue(content)
  }
  return value
}

// What the schema cannot see: the same key twice, and `__proto__`, which its parser drops.
function findKeyFaults(node: Node, path: Path = []): PlacedFault[] {
  if (node.type === 'array') return (node.children ?? []).flatMap((child, i) => findKeyFaults(child, [...path, i]))
  const faults: PlacedFault[] = []
  const seen = new Set<string>()
  for (const { children } of node.type === 'object' ? (node.children ?? []) : []) {
    const [key, content] = children ?? []
    if (!key || !content) continue
    const name = [...path, key.value]
    if (seen.has(key.value)) faults.push({ offset: key.offset, fault: { kind: 'duplicate-key', key: nameOf(name) } })
    if (key.value === '__proto__') faults.push({ offset: key.offset, fault: forbiddenKey(name) })
    seen.add(key.value)
    faults.push(...findKeyFaults(content, name))
  }
  return faults
}

function faultsOf<T>(issue: z.core.$ZodIssue, tree: Node, shape: Shape<T>): PlacedFault[] {
  const path = issue.path.filter((part) => typeof part !== 'symbol')
  const node = nodeAt(tree, path)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys
        .filter((key) => key !== '__proto__')
        .map((key) => ({ offset: keyOffset(node, key), fault: keyFault([...path, key], shape) }))
    case 'invalid_value': {
      const choices = issue.values.map(String)
      const meant = typeof node.value === 'string' ? nearest(node.value, choices) : undefined
      const fault: Fault = { kind: 'wrong-choice', key: nameOf(path), choices, ...(meant ? { meant } : {}) }
      return [{ offset: node.offset, fault }]
    }
    default: {
      // The schema's own messages are keys of the catalogue; the root's own is that it is no object.
      const must = issue.message as Extract<MessageKey, `config.must.${string}`>
      return [{ offset: node.offset, fault: { kind: 'wrong-value', key: nameOf(path), must } }]
    }
  }
}

// What is missing has no place of its own: what it is missing from has.
function nodeAt(tree: Node, path: Path): Node {
  for (let length = path.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, path.slice(0, length))
    if (node) return node
  }
  return tree
}

function keyFault<T>(path: Path, shape: Shape<T>): Fault {
  const key = String(path.at(-1))
  const parent = path.slice(0, -1)
  if (parent.length > 0) return unknownKey(path, keysAt(shape.schema, parent))
  if (shape.foreign.keys.includes(key)) return { kind: shape.foreign.kind, key }
  return unknownKey(path, shape.keys)
}

function unknownKey(path: Path, known: readonly string[]): Fault {
  const meant = nearest(String(path.at(-1)), known)
  return { kind: 'unknown-key', key: nameOf(path), known, ...(meant ? { meant } : {}) }
}

function forbiddenKey(path: Path): Fault {
  return { kind: 'wrong-value', key: nameOf(path), must: 'config.must.other-name' }
}

// The keys that an object of the schema may have at a path; none where it takes any.
function keysAt(schema: z.ZodMiniType, path: Path): readonly string[] {
  let here: z.core.$ZodType | undefined = schema
  for (const part of path) {
    const def: z.core.$ZodTypeDef & Inner = inside(here)
    here = def.shape ? def.shape[part] : (def.valueType ?? def.element)
  }
  const def: Inner = inside(here)
  return Object.keys(def.shape ?? {})
}

interface Inner {
  readonly shape?: { readonly [key: string]: z.core.$ZodType }
  readonly valueType?: z.core.$ZodType
  readonly element?: z.core.$ZodType
  readonly innerType?: z.core.$ZodType
}

function inside(schema: z.core.$ZodType | undefined): z.core.$ZodTypeDef & Inner {
  let def = schema?._zod.def as (z.core.$ZodTypeDef & Inner) | undefined
  while (def?.innerType) def = def.innerType._zod.def as z.core.$ZodTypeDef & Inner
  return def ?? { type: 'unknown' }
}

function keyOffset(node: Node, key: string): number {
  const property = node.children?.find(({ children }) => children?.[0]?.value === key)
  return property?.offset ?? node.offset
}

// As people write it: `models.gpt-5.window`, `ignore[0]`.
function nameOf(path: Path): string {
  return path.map((part, i) => (typeof part === 'number' ? `[${part}]` : i === 0 ? part : `.${part}`)).join('')
}
