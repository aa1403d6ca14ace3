import { wholeCharacters } from './whole-characters.ts'

/**
 * Takes what a program writes for a terminal out of its output: escape sequences go, a line that was overwritten keeps its
 * last state, and NULs become visible. Bytes in, bytes out, so that whatever encoding they are in stays as it is.
 */
export interface OutputCleaner {
  push(bytes: Buffer): void
  /** Gives what is held back, as far as it can be told. */
  flush(): void
  end(): void
}

const NUL = 0x00
const BELL = 0x07
const BACKSPACE = 0x08
const NEWLINE = 0x0a
const RETURN = 0x0d
const ESCAPE = 0x1b
// Without any of them there is nothing to clean.
const SIGNS = [NUL, BELL, BACKSPACE, RETURN, ESCAPE]
const VISIBLE_NUL = Buffer.from('␀')

// A line that is longer is given out in pieces.
const HELD_LIMIT = 16 * 1024
const ROOM = 64 * 1024

/** `give` gets whole lines, good until it returns; what has no end yet is held back, for it may be overwritten. */
export function createOutputCleaner(give: (bytes: Buffer) => void): OutputCleaner {
  // Always the same memory: in a flood, new pieces would come faster than they are collected.
  let room = Buffer.alloc(0)
  let length = 0
  let lineStart = 0
  let isInNuls = false
  // After a return the line stands until something is written over it.
  let isReturned = false
  let readSequence: ReadSequence | undefined

  const giveUpTo = (end: number) => {
    if (end > 0) give(room.subarray(0, end))
    room.copyWithin(0, end, length)
    length -= end
    lineStart = Math.max(0, lineStart - end)
  }
  const makeRoom = (size: number) => {
    if (room.length === 0) room = Buffer.allocUnsafe(ROOM)
    if (length + size > room.length) giveUpTo(lineStart)
    if (length + size > room.length) giveUpTo(length)
  }
  const clear = () => {
    length = lineStart
    isReturned = false
    isInNuls = false
  }
  const endLine = () => {
    room[length++] = NEWLINE
    lineStart = length
    isReturned = false
    isInNuls = false
  }
  const stepBack = () => {
    isInNuls = false
    // A character of UTF-8 is its first byte and those that go on from it.
    while (length > lineStart && ((room[--length] ?? 0) & 0xc0) === 0x80);
  }

  const step = (byte: number) => {
    makeRoom(VISIBLE_NUL.length)
    if (readSequence !== undefined && byte !== NEWLINE) {
      readSequence = readSequence(byte)
      if (readSequence === undefined && byte === ERASE_LINE && isReturned) clear()
      return
    }
    readSequence = undefined
    if (byte === NEWLINE) endLine()
    else if (byte === ESCAPE) readSequence = readEscape
    else if (byte === RETURN) isReturned = true
    else if (byte === BACKSPACE) stepBack()
    else if (byte !== BELL) {
      if (isReturned) clear()
      if (byte !== NUL) room[length++] = byte
      else if (!isInNuls) length += VISIBLE_NUL.copy(room, length)
      isInNuls = byte === NUL
    }
  }
  // Most of what is written is nothing but text: it is not looked at any further.
  const copyText = (bytes: Buffer, from: number) => {
    makeRoom(1)
    const end = Math.min(bytes.length, from + room.length - length)
    let at = from
    let to = length
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (IS_SIGN[byte] === 1) break
      room[to++] = byte
      if (byte === NEWLINE) lineStart = to
    }
    length = to
    if (at > from) isInNuls = false
    return at
  }
  const passOn = (bytes: Buffer) => {
    isInNuls = false
    const lines = bytes.lastIndexOf(NEWLINE) + 1
    const given = bytes.length - lines > HELD_LIMIT ? bytes.length : lines
    if (given > 0) {
      giveUpTo(length)
      give(bytes.subarray(0, given))
    }
    makeRoom(bytes.length - given)
    length += bytes.copy(room, length, given)
  }
  return {
    push(bytes) {
      if (bytes.length === 0) return
      const isText = () => readSequence === undefined && !isReturned
      if (isText() && !SIGNS.some((sign) => bytes.includes(sign))) return passOn(bytes)
      for (let at = 0; at < bytes.length; ) {
        const next = isText() ? copyText(bytes, at) : at
        if (next === at) step(bytes[at] ?? 0)
        at = Math.max(next, at + 1)
        // A file with holes has millions in a row, which say no more than one does.
        while (isInNuls && isText() && bytes[at] === NUL) at++
      }
      giveUpTo(length - lineStart > HELD_LIMIT ? length : lineStart)
    },
    flush: () => giveUpTo(wholeCharacters(room.subarray(0, length)).length),
    end: () => giveUpTo(length),
  }
}

const IS_SIGN = Uint8Array.from({ length: 256 }, (_, byte) => (SIGNS.includes(byte) ? 1 : 0))

/** Reads one more byte of a sequence, and says how the next is read; nothing when it is over. */
type ReadSequence = (byte: number) => ReadSequence | undefined

const ERASE_LINE = 0x4b

const readEscape: ReadSequence = (byte) => {
  if (byte === ESCAPE || (byte >= 0x20 && byte <= 0x2f)) return readEscape
  if (byte === 0x5b) return readControl
  // Titles, links and other strings: ] P X ^ _
  return [0x5d, 0x50, 0x58, 0x5e, 0x5f].includes(byte) ? readString : undefined
}

const readControl: ReadSequence = (byte) => {
  if (byte === ESCAPE) return readEscape
  return byte >= 0x20 && byte <= 0x3f ? readControl : undefined
}

// Its end may be missing: then it ends with the line.
const readString: ReadSequence = (byte) => {
  if (byte === ESCAPE) return readEscape
  return byte === BELL ? undefined : readString
}
