/** Lines of a text that comes in pieces. LF only: other line ends are legal inside JSON strings. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let held: string[] = []
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const lines = text.split('\n')
    for (const [n, line] of lines.entries()) {
      held.push(line)
      if (n === lines.length - 1) break
      yield held.join('')
      held = []
    }
  }
  const rest = held.join('') + decoder.decode()
  if (rest !== '') yield rest
}
