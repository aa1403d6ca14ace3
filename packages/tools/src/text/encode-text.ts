import type { Diagnostic } from '@maru/protocol'
import { cp949 } from './cp949.ts'
import type { Encoding, TextForm } from './read-text.ts'
import { encodeUtf16 } from './utf-16.ts'
import { windows1252ByteOf } from './windows-1252.ts'

/** The bytes of a text in the form that a file had, or the first character that this form cannot hold. */
export function encodeText(text: string, { encoding, bom }: TextForm): Uint8Array | { problem: Diagnostic } {
  switch (encoding) {
    case 'utf-8':
    case 'utf-16le':
    case 'utf-16be': {
      const marked = bom ? `\uFEFF${text}` : text
      const lone = /[\ud800-\udfff]/.test(text) ? text.search(/\p{Surrogate}/u) : -1
      if (lone >= 0) return { problem: lacking(text, lone, encoding) }
      return encoding === 'utf-8' ? Buffer.from(marked) : encodeUtf16(marked, encoding)
    }
    case 'cp949':
      return encodeBytes(text, encoding, (character) => cp949()?.bytesOf(character))
    case 'windows-1252':
      return encodeBytes(text, encoding, (character) => {
        const byte = windows1252ByteOf(character)
        return byte === undefined ? undefined : [byte]
      })
    default:
      return encoding satisfies never
  }
}

function encodeBytes(
  text: string,
  encoding: Encoding,
  bytesOf: (character: string) => readonly number[] | undefined,
): Uint8Array | { problem: Diagnostic } {
  const bytes = Buffer.allocUnsafe(text.length * 2)
  let length = 0
  let index = 0
  for (const character of text) {
    const own = bytesOf(character)
    if (own === undefined) return { problem: lacking(text, index, encoding) }
    for (const byte of own) bytes[length++] = byte
    index += character.length
  }
  return bytes.subarray(0, length)
}

/** What an encoding is called where a person or the model reads it. */
export const ENCODING_NAMES: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  cp949: 'EUC-KR/CP949',
  'windows-1252': 'Windows-1252 (a guess)',
}

function lacking(text: string, index: number, encoding: Encoding): Diagnostic {
  const before = text.slice(0, index)
  const line = before.split('\n').length
  const column = index - before.lastIndexOf('\n')
  const code = text.codePointAt(index) ?? 0
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  const shown =
    code >= 0xd800 && code <= 0xdfff ? `half a character (${name})` : `"${String.fromCodePoint(code)}" (${name})`
  return {
    code: 'not-in-encoding',
    message: `The file is ${ENCODING_NAMES[encoding]}, which has no ${shown}: line ${line}, column ${column}. Nothing was written.`,
    hint: 'Write it with characters that this encoding has, or convert the file to UTF-8 first.',
    details: { line, column, character: name },
  }
}
