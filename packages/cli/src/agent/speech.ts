import { createMarkdownStream, type MarkdownStream, type TextStyle } from '@maru/terminal'
import { printable } from '../terminal/printable.ts'

/** What the model says in one turn, while it says it. */
export interface Speech {
  /** A piece of a part, which begins at `offset`; what was heard already is not added again. */
  add(part: number, offset: number, text: string): void
  /** The turn is over and said these texts: what did not come live is added. */
  end(texts: readonly string[]): void
  /** Lines that can no longer change, once. */
  take(width: number): string[]
  /** The end of what may still change. */
  tail(width: number, rows: number): string[]
}

interface Piece {
  readonly part: number
  readonly stream: MarkdownStream
  /** UTF-16 units heard of it. */
  heard: number
  held: string
  state: 'open' | 'ended' | 'taken'
  /** Some of its lines were taken. */
  isBegun: boolean
}

/** Listens to one turn. */
export function createSpeech(style: TextStyle): Speech {
  const pieces: Piece[] = []
  let hasSaid = false
  const begin = (part: number): Piece => {
    // A part ends where the next begins.
    for (const piece of pieces) if (piece.state === 'open') close(piece)
    const piece: Piece = {
      part,
      stream: createMarkdownStream({ style }),
      heard: 0,
      held: '',
      state: 'open',
      isBegun: false,
    }
    pieces.push(piece)
    return piece
  }
  return {
    add(part, offset, text) {
      const piece = pieces.find((known) => known.part === part) ?? begin(part)
      // A gap is filled when the turn ends; until then nothing behind it is shown in the wrong place.
      if (piece.state !== 'open' || offset > piece.heard) return
      push(piece, text.slice(piece.heard - offset))
    },
    end(texts) {
      for (const [at, text] of texts.entries()) {
        const piece = pieces[at] ?? begin(-1 - at)
        if (piece.state === 'open' && piece.heard < text.length) push(piece, text.slice(piece.heard))
      }
      for (const piece of pieces) if (piece.state === 'open') close(piece)
    },
    take(width) {
      const lines: string[] = []
      for (const piece of pieces) {
        if (piece.state === 'taken') continue
        const own = piece.state === 'ended' ? piece.stream.end(width) : piece.stream.takeFinished(width)
        if (piece.state === 'ended') piece.state = 'taken'
        if (own.length === 0) continue
        if (!piece.isBegun && hasSaid) lines.push('')
        piece.isBegun = true
        hasSaid = true
        for (const line of own) lines.push(line)
      }
      return lines
    },
    tail(width, rows) {
      const last = pieces.at(-1)
      return last?.state === 'open' ? last.stream.tail(width, rows) : []
    },
  }
}

function push(piece: Piece, text: string): void {
  piece.heard += text.length
  const whole = piece.held + text
  // Half of a pair of surrogates, or of a line end, waits for its other half.
  const cut = /[\ud800-\udbff\r]$/.test(whole) ? whole.length - 1 : whole.length
  piece.held = whole.slice(cut)
  piece.stream.push(printable(whole.slice(0, cut).replaceAll('\r\n', '\n'), { keepLines: true }))
}

function close(piece: Piece): void {
  if (piece.held !== '') piece.stream.push(printable(piece.held))
  piece.held = ''
  piece.state = 'ended'
}
