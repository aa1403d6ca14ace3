import type { Tool } from '@maru/protocol'
import { createAskUser } from './ask-user.ts'
import { createReadFile } from './read-file.ts'
import { createRunCommand } from './run-command.ts'
import { createTodoList } from './todo-list.ts'
import { createWorkspace } from './workspace.ts'
import { createWriteFile } from './write-file.ts'

export interface ToolsOptions {
  /** The directory that the file tools never leave, and where commands start. */
  readonly root: string
  /** What commands may inherit from, by an allow-list of names: `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The tools of one workspace. Making them touches nothing. */
export function createTools({ root, environment }: ToolsOptions): Tool[] {
  const workspace = createWorkspace(root)
  return [
    createReadFile(workspace),
    createWriteFile(workspace),
    createRunCommand(workspace, environment),
    createAskUser(),
    createTodoList(),
  ]
}
