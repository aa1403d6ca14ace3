import type { Tool, ToolSpec } from '@maru/protocol'
import { specs } from './specs.ts'
import type { Workspace } from './workspace.ts'

export interface ToolsOptions {
  /** The directory that the file tools never leave, and where commands start. */
  readonly root: string
  /** What commands may inherit from, by an allow-list of names: `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The tools of one workspace. Making them touches nothing, and loads nothing but what the model is told of them. */
export function createTools({ root, environment }: ToolsOptions): Tool[] {
  let workspace: Workspace | undefined
  const later = (spec: ToolSpec, create: (hands: Hands, workspace: Workspace) => Tool): Tool => {
    let tool: Tool | undefined
    return {
      spec,
      async prepare(args, context) {
        const hands = await import('./hands.ts')
        workspace ??= hands.createWorkspace(root)
        tool ??= create(hands, workspace)
        return tool.prepare(args, context)
      },
    }
  }
  return [
    later(specs.ReadFile, (hands, place) => hands.createReadFile(place)),
    later(specs.WriteFile, (hands, place) => hands.createWriteFile(place)),
    later(specs.RunCommand, (hands, place) => hands.createRunCommand(place, environment)),
    later(specs.AskUser, (hands) => hands.createAskUser()),
    later(specs.TodoList, (hands) => hands.createTodoList()),
  ]
}

type Hands = typeof import('./hands.ts')
