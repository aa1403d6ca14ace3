// Deeper than this, the indentation would be longer than the text.
const MAX_DEPTH = 40

/** JSON on one line as JSON on many. Only blanks are added: no number is read and written again. */
export function indentJson(text: string): string {
  const line = text.trim()
  if (line.includes('\n') || !isJson(line)) return text
  let indented = ''
  let depth = 0
  const newline = () => `\n${'  '.repeat(depth)}`
  for (const [token] of line.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|\{\s*\}|\[\s*\]|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (token === '{' || token === '[') {
      depth++
      if (depth > MAX_DEPTH) return text
      indented += token + newline()
    } else if (token === '}' || token === ']') {
      depth--
      indented += newline() + token
    } else if (token === ',') indented += token + newline()
    else indented += token === ':' ? ': ' : token
  }
  return indented
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
