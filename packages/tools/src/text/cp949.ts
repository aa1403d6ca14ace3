/** CP949, the Korean Windows code page: EUC-KR and the 8,822 syllables that it lacks. */
export interface Cp949 {
  /** The text, or nothing if these bytes are not CP949. `isLikely`: its pairs are where EUC-KR has its characters. */
  decode(bytes: Uint8Array): { text: string; isLikely: boolean } | undefined
  /** The one or two bytes of a character, or nothing if the code page has no such character. */
  bytesOf(character: string): readonly number[] | undefined
}

let tables: Cp949 | undefined

/** The code page, made at its first use; nothing where this Node was built without Korean. */
export function cp949(): Cp949 | undefined {
  tables ??= makeTables()
  return tables
}

function makeTables(): Cp949 | undefined {
  const characters = euckrCharacters()
  if (characters === undefined) return undefined
  addExtension(characters)
  const pairs = new Map<number, number>()
  for (const [pair, character] of characters.entries()) if (character !== 0) pairs.set(character, pair)
  return { decode: (bytes) => decode(bytes, characters), bytesOf: (character) => bytesOf(character, pairs) }
}

const FIRST = 0xa1
const LAST = 0xfe

// Node knows EUC-KR proper, although the web's name for it means the whole code page: 94 rows of 94 characters.
function euckrCharacters(): Uint16Array | undefined {
  const bytes: number[] = []
  for (let lead = FIRST; lead <= LAST; lead++)
    for (let trail = FIRST; trail <= LAST; trail++) bytes.push(lead, trail, 0x0a)
  const decoder = koreanDecoder()
  if (decoder === undefined) return undefined
  const characters = new Uint16Array(0x10000)
  for (const [index, character] of decoder.decode(Uint8Array.from(bytes)).split('\n').entries()) {
    if (character.length !== 1 || character === '\uFFFD') continue
    characters[(FIRST + Math.floor(index / 94)) * 256 + FIRST + (index % 94)] = character.charCodeAt(0)
  }
  characters[0xa2e6] = 0x20ac
  characters[0xa2e7] = 0x00ae
  return characters
}

function koreanDecoder(): { decode(bytes: Uint8Array): string } | undefined {
  try {
    return new TextDecoder('euc-kr')
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

// The extension holds every syllable that EUC-KR lacks, in the order of Unicode, in the free places in their order.
function addExtension(characters: Uint16Array): void {
  const known = new Set(characters)
  let syllable = 0xac00
  for (let lead = 0x81; lead <= 0xc6; lead++) {
    for (const trail of trailsOf(lead)) {
      while (known.has(syllable)) syllable++
      if (syllable > 0xd7a3) return
      characters[lead * 256 + trail] = syllable++
    }
  }
}

function* trailsOf(lead: number): Generator<number> {
  for (let trail = 0x41; trail <= 0x5a; trail++) yield trail
  for (let trail = 0x61; trail <= 0x7a; trail++) yield trail
  for (let trail = 0x81; trail <= (lead <= 0xa0 ? 0xfe : 0xa0); trail++) yield trail
}

function decode(bytes: Uint8Array, characters: Uint16Array): { text: string; isLikely: boolean } | undefined {
  const units = new Uint16Array(bytes.length)
  let length = 0
  let plainPairs = 0
  let otherPairs = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 0x80) {
      units[length++] = byte
      continue
    }
    const trail = bytes[++at] ?? 0
    const character = characters[byte * 256 + trail]
    if (!character) return undefined
    units[length++] = character
    if (byte >= FIRST && trail >= FIRST) plainPairs++
    else otherPairs++
  }
  const text = Buffer.from(units.buffer, 0, length * 2).toString('utf16le')
  return { text, isLikely: plainPairs >= otherPairs }
}

function bytesOf(character: string, pairs: ReadonlyMap<number, number>): readonly number[] | undefined {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x80) return [code]
  const pair = pairs.get(code)
  return pair === undefined ? undefined : [pair >> 8, pair & 0xff]
}
