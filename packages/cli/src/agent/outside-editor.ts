import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Environment } from '../environment.ts'
import { takeInterrupts } from './interrupts.ts'

/** Lets a person write in the editor of their own. Where it fails, the text stays as it was. */
export async function editOutside(text: string, env: Environment): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'maru-'))
  const file = join(directory, 'words.md')
  try {
    await chmod(directory, 0o700)
    await writeFile(file, text, { mode: 0o600 })
    const code = await run(env['VISUAL'] || env['EDITOR'] || 'vi', file)
    // Editors end in failure when what was written is to be thrown away.
    return code === 0 ? (await readFile(file, 'utf8')).replace(/\r?\n$/, '') : text
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

// By the shell, as its value may have arguments: `code --wait`.
async function run(editor: string, file: string): Promise<number | null> {
  // A Ctrl-C in that editor is sent to everyone in front of the terminal, and is not meant for us.
  const giveBack = takeInterrupts(() => undefined)
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' })
      child.once('error', reject)
      child.once('exit', resolve)
    })
  } finally {
    giveBack()
  }
}
