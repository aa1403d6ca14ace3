import type { Masking } from '@maru/guard'
import type { Tool, ToolSource, ToolSpec } from '@maru/protocol'
import type { Background } from './command/background.ts'
import { gitSpecs } from './git/specs.ts'
import type { Sandbox } from './sandbox/sandbox.ts'
import { searchSpecs } from './search/specs.ts'
import { specs } from './specs.ts'
import { verifySpecs } from './verify/specs.ts'
import { webSpecs } from './web/specs.ts'
import type { WebFetchOptions } from './web/web-fetch.ts'
import type { WebSearchOptions } from './web/web-search.ts'
import type { Workspace } from './workspace.ts'

export interface ToolsOptions {
  /** The directory that the file tools never leave, and where commands start. */
  readonly root: string
  /** What commands may inherit from, by an allow-list of names: `process.env`. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Holds commands, unless a permit says otherwise; who opened it closes it. */
  readonly sandbox?: Sandbox
  /** A shell line that runs the tests, instead of what is found; `{filter}` stands for the filter. */
  readonly testCommand?: string
  /** Takes secrets out of what is shown of files, and puts them back into what is written. */
  readonly masking?: Masking
  /** The model takes images. Looked at with each call: another model may be chosen meanwhile. */
  readonly canSee?: boolean
  /** Present only where they are switched on. */
  readonly webFetch?: WebFetchOptions
  readonly webSearch?: WebSearchOptions
}

/** Tools that may have something running. */
export interface Toolbox extends ToolSource {
  /** Ends what was started in the background. May be called twice. */
  close(): Promise<void>
}

/** What the tools of one workspace share, made when the first of them needs it. */
interface Shared {
  workspace(): Promise<Workspace>
  background(): Promise<Background>
}

/** The tools of one workspace. Making them touches nothing, and loads nothing but what the model is told of them. */
export function createTools(options: ToolsOptions): Toolbox {
  let workspace: Promise<Workspace> | undefined
  let background: Promise<Background> | undefined
  const shared: Shared = {
    workspace() {
      workspace ??= import('./workspace.ts').then(({ createWorkspace }) => {
        return tellSandbox(createWorkspace(options.root), options.sandbox)
      })
      return workspace
    },
    background() {
      background ??= import('./command/background.ts').then(({ createBackground }) => createBackground())
      return background
    },
  }
  const tools = [
    ...fileTools(shared, options),
    ...commandTools(shared, options),
    ...gitTools(shared, options),
    ...webTools(options),
    later(specs.AskUser, async () => (await import('./ask-user.ts')).createAskUser()),
    later(specs.TodoList, async () => (await import('./todo-list.ts')).createTodoList()),
  ]
  return {
    list: () => tools,
    onChange: () => () => undefined,
    warm: () => void warm(shared, options),
    close: async () => (await background)?.close(),
  }
}

// What most runs need: reading files, and running a command.
async function warm({ workspace, background }: Shared, { masking }: ToolsOptions): Promise<void> {
  await import('./read-file.ts')
  await import('./run-command.ts')
  await Promise.all([workspace(), background(), masking?.load()])
  const { warmPipes } = await import('./command/pipes.ts')
  warmPipes()
}

// What our own tools write under a protected name was approved; a command that makes one is not.
function tellSandbox(workspace: Workspace, sandbox: Sandbox | undefined): Workspace {
  if (!sandbox) return workspace
  return {
    ...workspace,
    async change(edits, recorded) {
      const changed = await workspace.change(edits, recorded)
      await sandbox.adopt(edits.map(({ place }) => place.path))
      return changed
    },
  }
}

/** A tool that is loaded with its first call: a request names them all, and most need few. */
function later(spec: ToolSpec, load: () => Promise<Tool>): Tool {
  let tool: Promise<Tool> | undefined
  return {
    spec,
    async prepare(args, context) {
      tool ??= load()
      return (await tool).prepare(args, context)
    },
  }
}

function fileTools({ workspace }: Shared, options: ToolsOptions): Tool[] {
  const { masking } = options
  return [
    later(searchSpecs.ListFiles, async () => {
      const { createListFiles } = await import('./search/list-files-tool.ts')
      return createListFiles(await workspace())
    }),
    later(specs.ReadFile, async () => (await import('./read-file.ts')).createReadFile(await workspace(), options)),
    later(searchSpecs.SearchText, async () => {
      const { createSearchText } = await import('./search/search-text-tool.ts')
      return createSearchText(await workspace(), masking)
    }),
    later(specs.ApplyPatch, async () =>
      (await import('./apply-patch.ts')).createApplyPatch(await workspace(), masking),
    ),
    later(specs.WriteFile, async () => (await import('./write-file.ts')).createWriteFile(await workspace(), masking)),
  ]
}

function commandTools({ workspace, background }: Shared, options: ToolsOptions): Tool[] {
  const { root, environment, testCommand, sandbox } = options
  const held = sandbox ? { sandbox } : {}
  return [
    later(specs.RunCommand, async () => {
      const { createRunCommand } = await import('./run-command.ts')
      const place = { workspace: await workspace(), root, environment, ...held }
      return createRunCommand({ ...place, background: await background() })
    }),
    later(specs.CommandOutput, async () => {
      const { createCommandOutput } = await import('./command/command-output.ts')
      return createCommandOutput(await background())
    }),
    later(verifySpecs.RunTests, async () => {
      const { createRunTests } = await import('./verify/run-tests.ts')
      const place = { workspace: await workspace(), root, environment, ...held }
      return createRunTests({ ...place, ...(testCommand !== undefined && { testCommand }) })
    }),
  ]
}

function gitTools({ workspace }: Shared, { root, environment, masking }: ToolsOptions): Tool[] {
  const place = async () => ({ workspace: await workspace(), root, environment, ...(masking && { masking }) })
  return [
    later(gitSpecs.GitStatus, async () => (await import('./git/git-status.ts')).createGitStatus(await place())),
    later(gitSpecs.GitDiff, async () => (await import('./git/git-diff.ts')).createGitDiff(await place())),
    later(gitSpecs.GitLog, async () => (await import('./git/git-log.ts')).createGitLog(await place())),
  ]
}

function webTools({ webFetch, webSearch }: ToolsOptions): Tool[] {
  const tools: Tool[] = []
  if (webFetch) {
    tools.push(later(webSpecs.WebFetch, async () => (await import('./web/web-fetch.ts')).createWebFetch(webFetch)))
  }
  if (webSearch) {
    tools.push(later(webSpecs.WebSearch, async () => (await import('./web/web-search.ts')).createWebSearch(webSearch)))
  }
  return tools
}
