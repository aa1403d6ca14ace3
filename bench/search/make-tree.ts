import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the bench asks for: a few files have the rare word, one in a hundred the Korean one, most of them the others. */
export const WORDS = {
  rare: 'quetzalFixture',
  common: 'handler',
  korean: '결제수단',
  regex: String.raw`parse\w+ (reader|writer)`,
} as const

const FILES_PER_DIRECTORY = 12
const KINDS = ['ts', 'ts', 'ts', 'tsx', 'py', 'go', 'json', 'md'] as const

/**
 * Writes a tree like a large repository: `files` text files of a few kilobytes, in directories four deep, some of them
 * Korean, a few binary, and beside them an ignored folder a tenth as large. The same number gives the same tree.
 */
export function makeTree(root: string, files: number): void {
  const random = randomNumbers(files)
  const bodies = Array.from({ length: 64 }, () => makeBody(random))
  mkdirSync(root, { recursive: true })
  writeFileSync(join(root, '.gitignore'), 'node_modules/\n*.log\n!keep.log\n/build/\n')
  let directory = root
  for (let index = 0; index < files; index++) {
    if (index % FILES_PER_DIRECTORY === 0) directory = makeDirectory(root, index / FILES_PER_DIRECTORY)
    writeFileSync(join(directory, nameOf(index)), contentOf(index, bodies))
  }
  for (let index = 0; index < files / 10; index++) {
    if (index % 100 === 0) {
      directory = join(root, 'node_modules', `dependency-${index / 100}`, 'lib')
      mkdirSync(directory, { recursive: true })
    }
    writeFileSync(join(directory, nameOf(index)), bodies[index % bodies.length] ?? '')
  }
}

function makeDirectory(root: string, index: number): string {
  const directory = join(
    root,
    `team-${index % 9}`,
    `package-${index % 90}`,
    index % 3 === 0 ? 'test' : 'src',
    `m-${index}`,
  )
  mkdirSync(directory, { recursive: true })
  return directory
}

function nameOf(index: number): string {
  return `module-${index}.${index % 997 === 0 ? 'png' : KINDS[index % KINDS.length]}`
}

function contentOf(index: number, bodies: readonly string[]): string | Buffer {
  const body = bodies[index % bodies.length] ?? ''
  if (index % 997 === 0) return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0]), Buffer.from(body)])
  const lines = [`// module ${index}`]
  if (index % 9_973 === 5) lines.push(`export const ${WORDS.rare}${index} = ${index}`)
  if (index % 101 === 7) lines.push(`// ${WORDS.korean} 오류를 처리합니다`)
  return `${lines.join('\n')}\n${body}`
}

const VOCABULARY = [
  ...['const', 'return', 'import', 'export', 'function', 'await', 'async', 'if', 'for', 'class', 'interface', 'type'],
  ...['request', 'response', 'session', 'reader', 'writer', 'buffer', 'index', 'value', 'result', 'error', 'option'],
  ...[
    'createUser',
    'parseLine',
    'openFile',
    'nextToken',
    'withRetry',
    'mergeState',
    'toString',
    'isReady',
    'HttpError',
  ],
]

function makeBody(random: () => number): string {
  const lines: string[] = []
  for (let line = 0; line < 70; line++) {
    const words = Array.from({ length: 3 + Math.floor(random() * 6) }, () => pick(VOCABULARY, random))
    if (random() < 0.03) words.push(WORDS.common)
    lines.push(`${' '.repeat(2 * Math.floor(random() * 4))}${words.join(' ')}`)
  }
  return `${lines.join('\n')}\n`
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item
}

// A small generator of our own: the tree has to be the same in every run.
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
