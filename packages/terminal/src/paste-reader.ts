/** Collects what stands between the marks of a bracketed paste. */
export interface PasteReader {
  /** Takes bytes from `from` on; gives the texts that are complete, and where the paste ended or -1. */
  read(bytes: Uint8Array, from: number): { texts: string[]; end: number }
  /** What there is so far; the paste will not be continued. */
  end(): string
}

/** UTF-16 units of one paste. A longer one is given in several parts, so that one without an end cannot fill the memory. */
export const PASTE_LIMIT = 4 * 1024 * 1024

const END_MARK = Uint8Array.from([0x1b, 0x5b, 0x32, 0x30, 0x31, 0x7e])

/** Reads one paste; what looks like an escape sequence inside it is text, all but the end mark. */
export function createPasteReader(): PasteReader {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let text = ''
  let matched = 0

  function end(): string {
    const rest = text + decoder.decode(END_MARK.subarray(0, matched))
    text = ''
    matched = 0
    return withLineFeeds(rest)
  }

  function add(bytes: Uint8Array, texts: string[]): void {
    text += decoder.decode(bytes, { stream: true })
    while (text.length > PASTE_LIMIT) {
      // Neither a pair of surrogates nor CR LF may be torn apart.
      const length = /[\r\ud800-\udbff]/.test(text.charAt(PASTE_LIMIT - 1)) ? PASTE_LIMIT - 1 : PASTE_LIMIT
      texts.push(withLineFeeds(text.slice(0, length)))
      text = text.slice(length)
    }
  }

  return {
    end,
    read(bytes, from) {
      const texts: string[] = []
      let i = from
      while (i < bytes.length) {
        if (matched === 0) {
          const mark = bytes.indexOf(0x1b, i)
          add(bytes.subarray(i, mark < 0 ? bytes.length : mark), texts)
          if (mark < 0) break
          matched = 1
          i = mark + 1
        } else if (bytes[i] === END_MARK[matched]) {
          matched++
          i++
          if (matched < END_MARK.length) continue
          matched = 0
          texts.push(end())
          return { texts, end: i }
        } else {
          add(END_MARK.subarray(0, matched), texts)
          matched = 0
        }
      }
      return { texts, end: -1 }
    },
  }
}

// Terminals send the line ends of a paste as Enter would be sent.
function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}
