import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { FACTS, LIVE } from '@maru/protocol'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const documents = findDocuments(root)
// Read as text: nothing imports a door, not even this.
const commands = [...read('packages/cli/src/registry.ts').matchAll(/^ {2}(\w+): \{\s*summary/gm)].map(
  ([, name]) => name,
)

test('the table of kinds in docs/protocol.md is FACTS, row by row', () => {
  const rows = tableUnder(read('docs/protocol.md'), '## Facts')
  const described = Object.fromEntries(rows.map(([kind, by, sync]) => [kind, { by, sync }]))
  expect(described).toEqual(FACTS)
})

test('the table of live events in docs/protocol.md has every one', () => {
  const rows = tableUnder(read('docs/protocol.md'), '## Live events')
  expect(new Set(rows.map(([event]) => event))).toEqual(new Set(Object.keys(LIVE)))
})

test('the map in AGENTS.md has every package and every folder of the root', () => {
  const mapped = tableUnder(read('AGENTS.md'), '## Map').map(([folder]) => folder)
  const packages = foldersIn('packages').filter((name) => existsSync(join(root, 'packages', name, 'package.json')))
  const folders = foldersIn('.').filter((name) => !name.startsWith('.') && !UNMAPPED.has(name))
  const expected = [...packages.map((name) => `packages/${name}/`), ...folders.map((name) => `${name}/`)]
  expect(expected.filter((folder) => !mapped.includes(folder))).toEqual([])
})

test('the README names every command of maru', () => {
  const named = commandsIn(read('README.md'))
  expect(commands.length).toBeGreaterThan(0)
  expect(commands.filter((name) => name !== undefined && !named.includes(name))).toEqual([])
})

test('AGENTS.md stays short enough to be read', () => {
  expect(read('AGENTS.md').split('\n').length).toBeLessThanOrEqual(120)
})

describe.each(documents)('%s', (path) => {
  const text = read(path)

  test('has only links that lead somewhere', () => {
    const links = [...withoutExamples(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string)
    expect(links.filter((link) => !/^[a-z]+:/.test(link) && !leadsSomewhere(path, link))).toEqual([])
  })

  test('names only commands of maru that exist', () => {
    expect(commandsIn(text).filter((name) => !commands.includes(name))).toEqual([])
  })

  test('names only scripts of npm that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const named = [...text.matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name as string)
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([])
  })
})

// Made by tools, or (packages) mapped one by one. Hidden folders are often an editor's.
const UNMAPPED = new Set(['node_modules', 'coverage', 'packages'])

function foldersIn(path: string): string[] {
  return readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
}

function findDocuments(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory())
      return /^(\.git|node_modules|dist|coverage|fixtures)$/.test(entry.name) ? [] : findDocuments(path)
    return entry.name.endsWith('.md') ? [relative(root, path).replaceAll('\\', '/')] : []
  })
}

/** The cells of the first table below a heading, without its head and without back quotes. */
function tableUnder(text: string, heading: string): string[][] {
  const lines = text.slice(text.indexOf(`${heading}\n`)).split('\n')
  const first = lines.findIndex((line) => line.startsWith('|'))
  const after = lines.findIndex((line, index) => index > first && !line.startsWith('|'))
  return lines.slice(first + 2, after).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

function leadsSomewhere(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? join(root, from) : join(root, dirname(from), path)
  if (!existsSync(target)) return false
  return anchor === undefined || !target.endsWith('.md') || anchorsOf(readFileSync(target, 'utf8')).includes(anchor)
}

function anchorsOf(text: string): string[] {
  return [...withoutExamples(text).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The commands of maru that stand in examples and in back quotes. */
function commandsIn(text: string): string[] {
  const examples = text.match(/^```[\s\S]*?^```$/gm) ?? []
  const quoted = withoutExamples(text).match(/`[^`\n]+`/g) ?? []
  return [...examples, ...quoted].flatMap((code) => [...code.matchAll(/\bmaru ([a-z]+)/g)].map(([, name = '']) => name))
}

function withoutExamples(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '')
}
