import type { Content, Part, Piece, TableHead } from './piece.ts'

/** A quote or an item that is open. Numbers grow, so that an older one has the smaller `id`. */
export type Container = { readonly kind: 'quote'; readonly id: number } | Item

export interface Item {
  readonly kind: 'item'
  readonly id: number
  readonly sign: string
  readonly number: number | undefined
  /** How far in its other lines stand. */
  readonly indent: number
  /** What is shown before its first line. */
  readonly mark: string
}

/** The block that takes the next line, if it can. */
export type Leaf =
  /** `isContinued`: its beginning has been given away. */
  | { readonly kind: 'paragraph'; readonly text: string; readonly isContinued: boolean }
  | CodeLeaf
  | TableLeaf
  | { readonly kind: 'html'; readonly isContinued: boolean }

export interface CodeLeaf {
  readonly kind: 'code'
  /** Empty where four blanks say that it is code. */
  readonly fence: string
  readonly indent: number
  readonly language: string | undefined
  readonly isContinued: boolean
  /** Empty lines that belong to it only if more code follows. */
  readonly blanks: number
}

export interface TableLeaf {
  readonly kind: 'table'
  readonly head: TableHead
  readonly rows: readonly string[]
  readonly isContinued: boolean
}

/** What is open at the end of a line. Only its own fields change, nothing inside them: a shallow copy is a whole one. */
export interface BlockState {
  containers: readonly Container[]
  leaf: Leaf | undefined
  nextId: number
  /** Containers up to this one have shown their marks. */
  shownId: number
  /** What was shown last. */
  last: Content['kind'] | undefined
  /** A blank line has come since. */
  hasBlank: boolean
}

export function createBlockState(): BlockState {
  return { containers: [], leaf: undefined, nextId: 1, shownId: 0, last: undefined, hasBlank: false }
}

/** Gives a piece away: with what stands beside it, and with an empty line before it where one belongs. */
export function emit(
  state: BlockState,
  content: Content,
  { isContinued, out }: { isContinued: boolean; out: Piece[] },
) {
  const { containers, shownId } = state
  const hasGap = !isContinued && state.last !== undefined && (state.hasBlank || needsGap(state.last, content.kind))
  // What was open before and still is has the empty line inside.
  const gap = containers.filter(({ id }) => id <= shownId).map((container) => partOf(container, shownId))
  out.push({
    parts: containers.map((container) => partOf(container, shownId)),
    content,
    isContinued,
    ...(hasGap && { gap }),
  })
  state.shownId = Math.max(shownId, containers.at(-1)?.id ?? 0)
  state.last = content.kind
  state.hasBlank = false
}

function partOf(container: Container, shownId: number): Part {
  if (container.kind === 'quote') return { kind: 'quote' }
  return { kind: 'item', mark: container.mark, isFirst: container.id > shownId }
}

const APART: ReadonlySet<Content['kind']> = new Set(['code', 'table', 'rule'])

function needsGap(last: Content['kind'], next: Content['kind']): boolean {
  return next === 'heading' || APART.has(next) || APART.has(last)
}
