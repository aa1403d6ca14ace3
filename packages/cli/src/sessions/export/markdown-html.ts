import { createBlocks, endBlocks, takeStretch } from './html-blocks.ts'

/** Turns Markdown into HTML, piece by piece. Whatever it does not know stays text. */
export interface MarkdownHtml {
  feed(piece: string): string
  end(): string
}

// A line longer than this is given out in stretches: it is hardly prose.
const LINE_UNITS = 64 * 1024

/** However the text is cut on its way, the page is the same; no more than a line of it is held. */
export function createMarkdownHtml(): MarkdownHtml {
  const blocks = createBlocks()
  let held = ''
  // Stretches of the line that is held were given out before.
  let isInLine = false
  const giveOut = () => {
    const { html } = blocks
    blocks.html = ''
    return html
  }
  const cutHeld = () => {
    while (held.length > LINE_UNITS) {
      const isPair = /[\ud800-\udbff]/.test(held[LINE_UNITS - 1] ?? '')
      const cut = isPair ? LINE_UNITS - 1 : LINE_UNITS
      takeStretch(blocks, held.slice(0, cut), { isStart: !isInLine, isEnd: false })
      held = held.slice(cut)
      isInLine = true
    }
  }
  const endLine = () => {
    takeStretch(blocks, held, { isStart: !isInLine, isEnd: true })
    held = ''
    isInLine = false
  }
  return {
    feed(piece) {
      piece.split('\n').forEach((text, at) => {
        if (at > 0) endLine()
        held += text
        cutHeld()
      })
      return giveOut()
    },
    end() {
      if (held !== '' || isInLine) endLine()
      endBlocks(blocks)
      return giveOut()
    },
  }
}
