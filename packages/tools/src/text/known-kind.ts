/** What a file is by its first bytes. */
export interface KnownKind {
  readonly mediaType: string
  /** Completes "it is …". */
  readonly name: string
}

const KINDS: (KnownKind & { matches: (bytes: Uint8Array) => boolean })[] = [
  { mediaType: 'image/png', name: 'a PNG image', matches: startsWith('\x89PNG\r\n\x1a\n') },
  { mediaType: 'image/jpeg', name: 'a JPEG image', matches: startsWith('\xff\xd8\xff') },
  { mediaType: 'image/gif', name: 'a GIF image', matches: startsWith('GIF87a') },
  { mediaType: 'image/gif', name: 'a GIF image', matches: startsWith('GIF89a') },
  {
    mediaType: 'image/webp',
    name: 'a WebP image',
    matches: (bytes) => startsWith('RIFF')(bytes) && startsWith('WEBP')(bytes.subarray(8)),
  },
  { mediaType: 'application/pdf', name: 'a PDF document', matches: startsWith('%PDF-') },
  { mediaType: 'application/zip', name: 'a ZIP archive', matches: startsWith('PK\x03\x04') },
  { mediaType: 'application/gzip', name: 'a gzip archive', matches: startsWith('\x1f\x8b') },
  { mediaType: 'application/x-executable', name: 'an ELF program', matches: startsWith('\x7fELF') },
]

/** The kind of a file that is no text, as far as its first bytes say. */
export function knownKindOf(bytes: Uint8Array): KnownKind | undefined {
  const kind = KINDS.find(({ matches }) => matches(bytes))
  return kind && { mediaType: kind.mediaType, name: kind.name }
}

function startsWith(signature: string): (bytes: Uint8Array) => boolean {
  const wanted = Buffer.from(signature, 'latin1')
  return (bytes) => wanted.equals(bytes.subarray(0, wanted.length))
}
