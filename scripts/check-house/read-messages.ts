import { parseSync, Visitor } from 'oxc-parser'

/** A message as it stands in a file of the catalogue; a text that is missing or no plain string is undefined. */
export type WrittenMessage = { key: string; en: string | undefined; ko: string | undefined; line: number }

/** The messages that a file of the catalogue defines, and the name under which it exports them. */
export function readMessages(path: string, text: string): { name: string | undefined; messages: WrittenMessage[] } {
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const messages: WrittenMessage[] = []
  let name: string | undefined
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type !== 'Identifier' || init?.type !== 'CallExpression') return
      if (init.callee.type === 'Identifier' && init.callee.name === 'defineSubject') name = id.name
    },
    CallExpression({ callee, arguments: [table] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'defineMessages' || table?.type !== 'ObjectExpression') return
      for (const entry of table.properties) {
        if (entry.type !== 'Property') continue
        const key = nameOf(entry.key)
        const languages = entry.value.type === 'ObjectExpression' ? entry.value.properties : []
        const textOf = (lang: string) =>
          languages.flatMap((each) =>
            each.type === 'Property' && nameOf(each.key) === lang ? (stringOf(each.value) ?? []) : [],
          )[0]
        messages.push({ key, en: textOf('en'), ko: textOf('ko'), line: lineAt(entry.start) })
      }
    },
  }).visit(parseSync(path, text).program)
  return { name, messages }
}

type Written = { type: string; value?: unknown; name?: unknown; quasis?: { value: { cooked: string | null } }[] }

function nameOf(node: Written): string {
  return String(node.type === 'Identifier' ? node.name : node.value)
}

function stringOf(node: Written): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  const [whole, ...more] = node.type === 'TemplateLiteral' ? (node.quasis ?? []) : []
  return more.length === 0 ? (whole?.value.cooked ?? undefined) : undefined
}
