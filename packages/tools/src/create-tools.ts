import type { Tool, ToolSource, ToolSpec } from '@maru/protocol'
import type { Background } from './command/background.ts'
import { specs } from './specs.ts'
import type { Workspace } from './workspace.ts'

export interface ToolsOptions {
  /** The directory that the file tools never leave, and where commands start. */
  readonly root: string
  /** What commands may inherit from, by an allow-list of names: `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Tools that may have something running. */
export interface Toolbox extends ToolSource {
  /** Ends what was started in the background. May be called twice. */
  close(): Promise<void>
}

/** The tools of one workspace. Making them touches nothing, and loads nothing but what the model is told of them. */
export function createTools({ root, environment }: ToolsOptions): Toolbox {
  let workspace: Workspace | undefined
  let background: Background | undefined
  const inBackground = (hands: Hands) => {
    background ??= hands.createBackground()
    return background
  }
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
  const tools = [
    later(specs.ReadFile, (hands, place) => hands.createReadFile(place)),
    later(specs.WriteFile, (hands, place) => hands.createWriteFile(place)),
    later(specs.RunCommand, (hands, place) =>
      hands.createRunCommand({ workspace: place, environment, background: inBackground(hands) }),
    ),
    later(specs.CommandOutput, (hands) => hands.createCommandOutput(inBackground(hands))),
    later(specs.AskUser, (hands) => hands.createAskUser()),
    later(specs.TodoList, (hands) => hands.createTodoList()),
  ]
  return {
    list: () => tools,
    onChange: () => () => undefined,
    close: async () => background?.close(),
  }
}

type Hands = typeof import('./hands.ts')
