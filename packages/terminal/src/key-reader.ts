import { createEscapeReader, type EscapeReader } from './escape-reader.ts'
import type { Key } from './key.ts'
import { keyOfControl } from './key-sequence.ts'
import { createPasteReader, type PasteReader } from './paste-reader.ts'

/** Turns what a terminal sends into keys. Bytes may be cut anywhere. */
export interface KeyReader {
  read(bytes: Uint8Array): Key[]
  /** A lone ESC waits for more; call after ~30 ms of silence. */
  flush(): Key[]
  /** Whether `flush` would give something. */
  readonly isWaiting: boolean
  /** Inside a bracketed paste; `abandonPaste` is the way out when its end got lost. */
  readonly isPasting: boolean
  abandonPaste(): Key[]
}

/** What can be asked of a reader. */
export interface KeyReaderOptions {
  /** Told of each whole CSI sequence that is no key, without its ESC: answers of the terminal to what it was asked. */
  onReport?(sequence: string): void
}

const ESC = 0x1b
const BRACKET = 0x5b

/** A reader at the beginning of its input. Between keys it holds at most one sequence or one part of a paste. */
export function createKeyReader({ onReport = () => {} }: KeyReaderOptions = {}): KeyReader {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let sequence: EscapeReader | undefined
  let paste: PasteReader | undefined
  // What stood behind an ESC that was flushed just before.
  let flushed: '' | '[' | undefined
  let keys: Key[] = []
  const outlets = { onKey: (key: Key) => void keys.push(key), onReport }

  function takeKeys(): Key[] {
    const taken = keys
    keys = []
    return taken
  }
  function giveText(text: string): void {
    // C1 controls are nothing that a person types, and terminals obey them.
    const typed = text.replace(/[\u0080-\u009f]/g, '')
    if (typed !== '') keys.push({ kind: 'text', text: typed })
  }

  // Each reads something that begins at `from` and gives the place after it.
  function readText(bytes: Uint8Array, from: number): number {
    let end = from
    while (end < bytes.length && isText(bytes[end] ?? 0)) end++
    giveText(decoder.decode(bytes.subarray(from, end), { stream: end === bytes.length }))
    return end
  }
  function readControl(bytes: Uint8Array, from: number): number {
    // The beginning of a sign whose rest never came.
    giveText(decoder.decode())
    const byte = bytes[from] ?? 0
    if (byte === ESC) sequence = createEscapeReader(outlets)
    else keys.push(keyOfControl(byte, { alt: false }))
    return from + 1
  }
  function readSequence(reader: EscapeReader, byte: number): number {
    const step = reader.take(byte)
    if (step !== 'more') sequence = undefined
    if (step === 'paste') paste = createPasteReader()
    return step === 'again' ? 0 : 1
  }
  function readPaste(reader: PasteReader, bytes: Uint8Array, from: number): number {
    const { texts, end } = reader.read(bytes, from)
    for (const text of texts) keys.push({ kind: 'paste', text })
    if (end < 0) return bytes.length
    paste = undefined
    return end
  }

  return {
    get isWaiting() {
      return sequence !== undefined && sequence.flush().length > 0
    },
    get isPasting() {
      return paste !== undefined
    },
    read(bytes) {
      if (flushed !== undefined && isLateSequence(flushed, bytes)) {
        sequence = createEscapeReader(outlets)
        if (flushed === '[') sequence.take(BRACKET)
      }
      flushed = undefined
      for (let i = 0; i < bytes.length; ) {
        if (paste !== undefined) i = readPaste(paste, bytes, i)
        else if (sequence !== undefined) i += readSequence(sequence, bytes[i] ?? 0)
        else i = isText(bytes[i] ?? 0) ? readText(bytes, i) : readControl(bytes, i)
      }
      return takeKeys()
    },
    flush() {
      const meant = sequence?.flush() ?? []
      const last = meant.at(-1)
      if (last?.kind !== 'key') return []
      sequence = undefined
      flushed = last.name === 'escape' ? '' : last.name === '[' ? '[' : undefined
      return meant
    },
    abandonPaste() {
      if (paste === undefined) return []
      const text = paste.end()
      paste = undefined
      return [{ kind: 'paste', text }]
    },
  }
}

function isText(byte: number): boolean {
  return byte >= 0x20 && byte !== 0x7f
}

/** The rest of a sequence whose ESC was taken for the key because the line was slow. Nobody types one in a single piece. */
function isLateSequence(flushed: '' | '[', bytes: Uint8Array): boolean {
  const start = flushed + String.fromCharCode(...bytes.subarray(0, 24))
  return /^\[\??\d[\d;:]*[A-Za-z~^$@]/.test(start) || (flushed === '' && /^[[O][A-DFHI-SZ]$/.test(start))
}
