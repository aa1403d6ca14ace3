/** A fence that nothing in the text can close. */
export function fenceFor(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length))
  return '`'.repeat(longest + 1)
}

/** Follows a text, piece by piece, and knows whether a fenced block of code is open. */
export interface FenceWatch {
  feed(piece: string): void
  /** What has to come behind the text for its last block to be closed: nothing, or a line. */
  closing(): string
}

// More than any fence with its language; the rest of a long line is none of our business.
const LINE_UNITS = 200

export function createFenceWatch(): FenceWatch {
  let line = ''
  let open: string | undefined
  const endLine = () => {
    open = afterLine(line, open)
    line = ''
  }
  return {
    feed(piece) {
      const lines = piece.split('\n')
      lines.forEach((text, at) => {
        line = (line + text).slice(0, LINE_UNITS)
        if (at < lines.length - 1) endLine()
      })
    },
    closing() {
      const isMidLine = line !== ''
      endLine()
      return open === undefined ? '' : `${isMidLine ? '\n' : ''}${open}`
    },
  }
}

/** The fence that is open behind a line, given the one that was open before it. */
export function afterLine(line: string, open: string | undefined): string | undefined {
  const [, fence = '', rest = ''] = /^ {0,3}(`{3,}|~{3,})(.*)$/s.exec(line) ?? []
  if (fence === '') return open
  if (open === undefined) return fence.startsWith('`') && rest.includes('`') ? undefined : fence
  const closes = fence[0] === open[0] && fence.length >= open.length && rest.trim() === ''
  return closes ? undefined : open
}
