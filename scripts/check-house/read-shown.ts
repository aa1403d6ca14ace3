import { parseSync } from 'oxc-parser'

/** Text that looks like English for people, and where it stands. */
export type Shown = { line: number; text: string }

// Functions that bring their argument before a person.
const SHOWING = new Set(['t', 'line', 'write', 'notice', 'print', 'tell', 'say', 'setPrompt', 'question', 'usageError'])

/**
 * Finds text that reads like a sentence: two words where it is shown at once, three anywhere. A heuristic: words in
 * capitals are placeholders of usage lines, and what begins with `maru` is a command.
 */
export function readShown(path: string, text: string): Shown[] {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const found = new Map<number, Shown>()
  const look = (node: Node, isShown: boolean) => {
    const words = textOf(node)
    if (words !== undefined && reads(words, isShown ? 2 : 3)) {
      found.set(node.start, { line: lineAt(node.start), text: words.trim().replaceAll(/\s+/g, ' ').slice(0, 60) })
    }
    // Where a module is found is no text.
    if (/^(Import|Export(All|Named))/.test(node.type) && node.type !== 'ExportNamedDeclaration') return
    const isSaid = isShown || isShowing(node)
    for (const child of childrenOf(node)) look(child, isSaid)
  }
  look(parseSync(path, text).program as unknown as Node, false)
  return [...found.values()]
}

type Node = { type: string; start: number; [field: string]: unknown }

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string'
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )
}

function textOf({ type, value }: Node): string | undefined {
  if (type === 'Literal') return typeof value === 'string' ? value : undefined
  if (type !== 'TemplateElement') return undefined
  return String((value as { cooked: string | null }).cooked ?? '')
}

function isShowing(node: Node): boolean {
  return node.type === 'CallExpression' && SHOWING.has(calleeOf(node))
}

function calleeOf({ callee }: Node): string {
  if (!isNode(callee)) return ''
  const named = callee.type === 'MemberExpression' ? callee['property'] : callee
  return isNode(named) && typeof named['name'] === 'string' ? named['name'] : ''
}

function reads(text: string, words: number): boolean {
  if (/^\s*maru /.test(text)) return false
  return new RegExp(`(?:^|[^\\w-])[A-Za-z]*[a-z]{2,}(?: [A-Za-z]*[a-z]){${words - 1}}(?![\\w-])`).test(text)
}
