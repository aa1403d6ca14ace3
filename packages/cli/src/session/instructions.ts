import { lstatSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { mayHoldKey } from '@maru/guard'
import type { Invocation } from '../command.ts'
import { readBytes } from '../config/read-bytes.ts'
import { printable } from '../terminal/printable.ts'
import type { SessionMasking } from './masking.ts'

const LIMIT = 32 * 1024

/** Where instructions stand in a folder; the second only where there is no first. */
export const INSTRUCTION_FILES = ['AGENTS.md', 'CLAUDE.md'] as const

/** What the model is told from the start: the user's own instructions, and those at the root of the repository. */
export async function readInstructions(
  { home, notice, repo, t }: Invocation,
  masking: SessionMasking,
): Promise<{ own?: string; instructions?: string }> {
  const root = repo()
  const own = await maskInstructions(readText(join(home, 'AGENTS.md')), masking)
  const found = findInstructions(root, root)
  if (found && 'outside' in found) await notice(t('agent.instructions-outside', { path: printable(found.outside) }))
  const instructions = found && 'text' in found ? await maskInstructions(found.text, masking) : undefined
  return { ...(own !== undefined && { own }), ...(instructions !== undefined && { instructions }) }
}

/** The instructions of one folder. A link that leads out of the repository would send what is there to a vendor. */
export function findInstructions(
  folder: string,
  root: string,
): { path: string; text: string } | { outside: string } | undefined {
  for (const name of INSTRUCTION_FILES) {
    const path = join(folder, name)
    // Most are no links, and only those can lead elsewhere; a folder on the way was looked at by whoever went there.
    if (isLink(path) && !isInside(path, root)) return { outside: path }
    const text = readText(path)
    if (text !== undefined) return { path, text }
  }
  return undefined
}

/** They go to the model as they stand in a file, where a key may have been left. */
export async function maskInstructions<T extends string | undefined>(
  text: T,
  masking: SessionMasking,
): Promise<T | string> {
  if (text === undefined || !mayHoldKey(text)) return text
  return (await masking.load()).mask(text)
}

function readText(path: string): string | undefined {
  const read = readBytes(path)
  // A folder of that name, or one we may not read, is no instruction.
  return read && 'bytes' in read ? new TextDecoder().decode(read.bytes).slice(0, LIMIT) : undefined
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

function isInside(path: string, root: string): boolean {
  try {
    return realpathSync(path).startsWith(`${realpathSync(root)}${sep}`)
  } catch {
    // It leads nowhere: there is nothing to read either.
    return true
  }
}
