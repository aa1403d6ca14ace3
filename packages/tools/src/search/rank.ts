/** What kind of file it is by its path: what people look for first comes first. */
export const FILE_CLASSES = ['source', 'other', 'test', 'generated'] as const
export type FileClass = (typeof FILE_CLASSES)[number]

const GENERATED =
  /(?:^|\/)(?:dist|vendor|third_party|node_modules|bower_components|generated|__generated__|coverage|__snapshots__)\/|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|go\.sum|bun\.lockb|[^/]*\.lock)$|[.-]min\.(?:m?js|css)$|\.(?:map|snap|bundle\.js|pb\.go|pb\.cc|pb\.h|g\.dart|designer\.cs)$|_pb2(?:_grpc)?\.pyi?$|\.(?:generated|gen)\.[^/]+$/i
const TEST =
  /(?:^|\/)(?:tests?|__tests__|specs?|e2e|fixtures?|__mocks__|mocks?|testdata)\/|[._-](?:test|spec|e2e)s?\.[^/]+$|(?:^|\/)test_[^/]+$|_test\.[^/]+$|Tests?\.(?:java|kt|cs|swift)$/
const OTHER = /\.(?:md|mdx|txt|rst|adoc|jsonc?|jsonl|csv|tsv|ya?ml|toml|xml|svg|html?|log|po|ini|cfg|properties)$/i

export function classOf(path: string): FileClass {
  if (GENERATED.test(path)) return 'generated'
  if (TEST.test(path)) return 'test'
  return OTHER.test(path) ? 'other' : 'source'
}

/** What is known of a file when it has been looked into; before that, nothing is defined and every match is a word. */
export interface Ranked {
  readonly path: string
  readonly lines: number
  /** A matching line defines what was asked for. */
  readonly hasDefinition: boolean
  /** A match is a whole word. */
  readonly hasWord: boolean
}

/**
 * The order in which files are shown: what people write before what programs write; then files with a definition of what
 * was asked for; files named after it; whole words before parts of words; source before documents and data, these before
 * tests; more matching lines first; and by path, so that the same question gives the same order.
 */
export function byWorth(query: string): (a: Ranked, b: Ranked) => number {
  const isNamed = isNamedAfter(query)
  const keyOf = memoize((file: Ranked) => {
    const rank = FILE_CLASSES.indexOf(classOf(file.path))
    const generated = rank === FILE_CLASSES.length - 1
    const flags = [generated, !file.hasDefinition, !isNamed(file.path), !file.hasWord].map(Number)
    return [...flags, rank, -file.lines, file.path.split('/').length]
  })
  return (a, b) => {
    const other = keyOf(b)
    for (const [index, own] of keyOf(a).entries()) {
      const difference = own - (other[index] ?? 0)
      if (difference !== 0) return difference
    }
    return a.path < b.path ? -1 : 1
  }
}

/** Whether a file is named after a query: createTools, create_tools and create-tools.ts are one name. */
export function isNamedAfter(query: string): (path: string) => boolean {
  const words = query.match(/[\p{Lu}]?[\p{Ll}\p{Lo}\d]+|\p{Lu}+/gu) ?? []
  if (words.length === 0 || query.length < 4 || !/^[\p{L}\p{N}_.-]+$/u.test(query)) return () => false
  const lower = words.map((word) => word.toLowerCase())
  const forms = [...new Set([query, lower.join('-'), lower.join('_'), lower.join('')])]
  return (path) => forms.some((form) => path.lastIndexOf(form) > path.lastIndexOf('/'))
}

function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>()
  return (key) => {
    const known = made.get(key)
    if (known !== undefined) return known
    const value = make(key)
    made.set(key, value)
    return value
  }
}
