import type { Diagnostic } from '@maru/protocol'

/** How much the system holds. `shared-proc`: everything but a view of the processes of its own. */
export type SandboxLevel = 'full' | 'shared-proc' | 'none'

/** What was found on this machine, in words for a person. */
export interface SandboxState {
  readonly level: SandboxLevel
  /** The program that holds commands. */
  readonly program?: string
  /** Commands cannot make user namespaces of their own, by which much of the kernel is reached. */
  readonly isSealed?: boolean
  /** Why there is none. */
  readonly reason?: 'missing' | 'refused' | 'unsupported' | 'root-too-wide'
  /** What the system said to it. */
  readonly detail?: string
}

/** A command as it would be started without a sandbox. */
export interface PlainCommand {
  readonly program: string
  readonly argv: readonly string[]
  /** A directory inside the roots. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The hosts that it may reach; `*` is all of them. */
  readonly hosts: readonly string[]
}

/** What the sandbox saw of a command that is over. */
export interface SandboxReport {
  /** The exit code; `never-started`: nothing of it ran; `as-seen`: what the process itself ended with. */
  readonly exit: number | 'never-started' | 'as-seen'
  /** It had left processes running, which ended with it. */
  readonly leftProcesses: boolean
  /** What it tried and could not do, as far as the sandbox knows by itself. */
  readonly diagnostics: readonly Diagnostic[]
}

/** The same command as it is started inside. */
export interface ConfinedCommand {
  readonly kind: 'confined'
  readonly program: string
  readonly argv: readonly string[]
  /** Where the process is started; where the command is, may be another place. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Open files for the process, from number 3 on; `settle` closes them. */
  readonly files: readonly number[]
  /** To be called once, when nothing of it is alive. `isForced`: it did not end by itself. */
  settle(how: { isForced: boolean }): Promise<SandboxReport>
}

/** Why a command was not started at all. */
export type NotConfined =
  /** There is no sandbox here, and nobody was told that there is one. */
  | { readonly kind: 'none' }
  | { readonly kind: 'not-started'; readonly code: string }
  | { readonly kind: 'failed'; readonly diagnostic: Diagnostic }

/** Holds the commands of one session. Making one touches nothing; its first use does the work. */
export interface Sandbox {
  /** What really holds, by having tried it; remembered until the next start of the machine. */
  state(): Promise<SandboxState>
  /** Whether a policy may count on it. */
  holds(): Promise<boolean>
  confine(command: PlainCommand): Promise<ConfinedCommand | NotConfined>
  /** Takes protected files that are new for rightful: these, which a tool wrote, or all, as a person let a command out. */
  adopt(paths?: readonly string[]): Promise<void>
  /** Makes ready what the first command would wait for. */
  warm(): Promise<void>
  /** Ends what it keeps running and removes the private temporary directory. May be called twice. */
  close(): Promise<void>
}

export interface SandboxOptions {
  /** What commands may write to: the user's choice, never the model's. */
  readonly roots: readonly string[]
  /** The user's home, where secrets are hidden. */
  readonly home: string
  /** Maru's own directory: hidden from commands, and where the answer of the probe is remembered. */
  readonly maruHome: string
  /** The user's environment: how to leave the machine, where a command may. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Told once that nothing holds, and of each protected file that was moved away. */
  onNotice?(notice: SandboxNotice): void
}

export type SandboxNotice =
  | { readonly kind: 'none'; readonly state: SandboxState }
  | { readonly kind: 'moved-away'; readonly paths: readonly string[]; readonly place: string }

/** What a kind of system does of it, once it is known to hold. */
export type Held = Pick<Sandbox, 'confine' | 'adopt' | 'close' | 'warm'>

/** What a sandbox is for, and `work`: that a command can still do something. */
export type SandboxPromise = 'write-outside' | 'protected' | 'secrets' | 'network' | 'processes' | 'work'

/** What holds on this machine, found out by trying to break it. */
export interface SandboxTrial {
  readonly state: SandboxState
  /** Empty where there is no sandbox to try. */
  readonly kept: readonly { readonly promise: SandboxPromise; readonly isKept: boolean }[]
}
