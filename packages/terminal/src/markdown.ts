import { createBlockState } from './markdown/block-state.ts'
import { endBlocks, readLine } from './markdown/blocks.ts'
import { createLayoutState, layPiece } from './markdown/layout.ts'
import { createLineSplitter } from './markdown/line-splitter.ts'
import type { Piece } from './markdown/piece.ts'
import { isStructure } from './markdown/structure.ts'
import type { TextStyle } from './text-style.ts'

/** Markdown while it streams: lines that can no longer change, and those that still may. */
export interface MarkdownStream {
  /** Costs what the addition costs, however much came before it. */
  push(text: string): void
  /** Lines that can no longer change, once. */
  takeFinished(width: number): string[]
  /** Lines of the block under way, at most `maxRows` of its end. */
  tail(width: number, maxRows?: number): string[]
  /** No more comes: everything that is left, as finished lines. */
  end(width: number): string[]
}

const NARROWEST = 10

/**
 * However the text was cut on its way, all that `takeFinished` and `end` give is what `renderMarkdown` makes of the
 * whole: where a block ends or a long one is parted depends on the text alone.
 */
export function createMarkdownStream({ style }: { style: TextStyle }): MarkdownStream {
  let splitter = createLineSplitter()
  let blocks = createBlockState()
  let layout = createLayoutState()
  let pieces: Piece[] = []
  // The pieces that were laid out, but not taken: a tail has to know what they leave behind.
  let ready = { width: 0, count: 0, lines: [] as string[], layout }
  let shown: { width: number; lines: string[] } | undefined

  const prepare = (width: number) => {
    if (ready.width !== width) ready = { width, count: 0, lines: [], layout: { ...layout } }
    for (; ready.count < pieces.length; ready.count++) {
      const piece = pieces[ready.count]
      if (piece) layPiece(ready.layout, piece, { style, width, lines: ready.lines })
    }
    return ready
  }
  const takeFinished = (given: number) => {
    const { lines, layout: after, width } = prepare(atLeast(given))
    pieces = []
    layout = after
    ready = { width, count: 0, lines: [], layout: { ...layout } }
    return lines
  }
  const drawTail = (width: number) => {
    const under: Piece[] = []
    const copy = { ...blocks }
    const { partial } = splitter
    if (partial.text !== '' && !isStructure(partial, blocks)) readLine(copy, partial, under)
    endBlocks(copy, under)
    const after = { ...prepare(width).layout }
    const lines: string[] = []
    for (const piece of asUnderWay(under)) layPiece(after, piece, { style, width, lines })
    return lines
  }

  return {
    push(text) {
      if (text === '') return
      shown = undefined
      for (const line of splitter.push(text)) readLine(blocks, line, pieces)
    },
    takeFinished,
    tail(given, maxRows = Number.POSITIVE_INFINITY) {
      const width = atLeast(given)
      if (shown?.width !== width) shown = { width, lines: drawTail(width) }
      return shown.lines.slice(-Math.max(0, maxRows) || shown.lines.length)
    },
    end(width) {
      for (const line of splitter.end()) readLine(blocks, line, pieces)
      endBlocks(blocks, pieces)
      const lines = takeFinished(width)
      splitter = createLineSplitter()
      blocks = createBlockState()
      layout = createLayoutState()
      ready = { ...ready, layout: createLayoutState() }
      shown = undefined
      return lines
    },
  }
}

/** A whole text as lines, none wider than `width`. */
export function renderMarkdown(text: string, { style, width }: { style: TextStyle; width: number }): string[] {
  const stream = createMarkdownStream({ style })
  stream.push(text)
  return stream.end(width)
}

function atLeast(width: number): number {
  return Math.max(NARROWEST, Math.floor(width))
}

// What has begun in the last paragraph is shown as if it ended here, so that its signs do not come and go.
function asUnderWay(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((piece, index) => {
    const { content } = piece
    if (index < pieces.length - 1 || content.kind !== 'paragraph') return piece
    return { ...piece, content: { ...content, isUnderWay: true } }
  })
}
