import { constants } from 'node:fs'
import { lstat, open, readdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

/** A command that is only words: what the file says, with what was typed put in. */
export interface OwnCommand {
  readonly name: string
  readonly description: string
  readonly path: string
  readonly body: string
  readonly from: 'user' | 'repository'
}

const NAME = /^([a-z0-9-]{1,64})\.md$/
const MOST_BYTES = 64 * 1024
const MOST_COMMANDS = 200

/** One's own commands, by name: the user's, then the repository's, which cannot change what a user's word means. */
export async function readOwnCommands({ home, repo }: { home: string; repo(): string }): Promise<OwnCommand[]> {
  const root = repo()
  const own = await readFolder(join(home, 'commands'), 'user')
  const folder = join(root, '.maru', 'commands')
  const theirs = (await isBelow(folder, root)) ? await readFolder(folder, 'repository') : []
  const names = new Set(own.map(({ name }) => name))
  return [...own, ...theirs.filter(({ name }) => !names.has(name))]
}

/** What a file says, and what is said of it in a list: its `description`, else its first line. */
export function parseOwnCommand(text: string): { description: string; body: string } {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const end = lines[0]?.trim() === '---' ? lines.findIndex((line, at) => at > 0 && line.trim() === '---') : -1
  const head = end < 0 ? [] : lines.slice(1, end)
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trim()
  const said = head.flatMap((line) => /^description:\s*(.*?)\s*$/.exec(line)?.[1] ?? []).at(0)
  const plain = said?.replace(/^(["'])(.*)\1$/, '$2')
  return { description: plain ?? body.split('\n', 1)[0]?.replace(/^#+\s*/, '') ?? '', body }
}

/** The words with what was typed behind the name: all of it for `$ARGUMENTS`, one after another for `$1` to `$9`. */
export function fillOwnCommand(body: string, given: string): string {
  const words = [...given.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
  let isUsed = false
  // In one pass: what was typed is words too, whatever it looks like.
  const filled = body.replace(/\$(?:ARGUMENTS\b|([1-9])(?!\d))/g, (_whole, number: string | undefined) => {
    isUsed = true
    return number === undefined ? given : (words[Number(number) - 1] ?? '')
  })
  return isUsed || given === '' ? filled : `${filled}\n\n${given}`
}

async function readFolder(folder: string, from: OwnCommand['from']): Promise<OwnCommand[]> {
  const names: string[] = await readdir(folder).catch(() => [])
  const commands: OwnCommand[] = []
  for (const file of names.toSorted().slice(0, MOST_COMMANDS)) {
    const name = NAME.exec(file)?.[1]
    const path = join(folder, file)
    const text = name === undefined ? undefined : await readPlainFile(path)
    if (name !== undefined && text !== undefined) commands.push({ name, path, from, ...parseOwnCommand(text) })
  }
  return commands
}

// A link could lead to anything; a pipe would make us wait; what is longer is no command.
async function readPlainFile(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stat = await file.stat()
      if (!stat.isFile() || stat.size > MOST_BYTES) return undefined
      const { buffer, bytesRead } = await file.read(Buffer.alloc(stat.size), 0, stat.size, 0)
      return new TextDecoder().decode(buffer.subarray(0, bytesRead))
    } finally {
      await file.close()
    }
  } catch {
    // Gone, a link, or not for us to read: no command either way.
    return undefined
  }
}

async function isBelow(folder: string, root: string): Promise<boolean> {
  try {
    const isFolder = (await lstat(folder)).isDirectory()
    return isFolder && (await realpath(folder)).startsWith(`${await realpath(root)}${sep}`)
  } catch {
    // There is none.
    return false
  }
}
