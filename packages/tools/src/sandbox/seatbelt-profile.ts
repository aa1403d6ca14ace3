import { namesOfHiddenPlaces } from './hidden-places.ts'

export interface SeatbeltOptions {
  readonly roots: readonly string[]
  readonly home: string
  readonly maruHome: string
  readonly temporary: string
  readonly hasNetwork: boolean
}

// Names at any depth of a root, there or not: a profile forbids by name, so that what does not exist yet is covered.
const PROTECTED = [
  String.raw`\.git/(hooks(/.*)?|config|config\.worktree|commondir|info/attributes)`,
  String.raw`\.git/(modules|worktrees)/.*/(hooks(/.*)?|config|config\.worktree|commondir|gitdir)`,
  String.raw`(\.hg|\.svn|\.husky|\.githooks|\.lefthook|\.vscode|\.idea|\.zed|\.fleet|\.devcontainer|\.vs)(/.*)?`,
  String.raw`(\.circleci|\.buildkite|\.mvn|\.cargo|\.maru|\.cursor|\.claude|\.codex|\.gemini|\.windsurf|\.roo|\.kiro)(/.*)?`,
  String.raw`\.github/(workflows|actions|instructions|prompts)(/.*)?`,
  String.raw`(\.gitmodules|\.gitattributes|\.gitconfig|\.envrc|\.npmrc|\.yarnrc|\.yarnrc\.yml|\.mise\.toml|mise\.toml)`,
  String.raw`(\.bashrc|\.bash_profile|\.bash_login|\.profile|\.zshrc|\.zshenv|\.zprofile|\.zlogin)`,
  String.raw`(\.mcp\.json|mcp\.json|\.cursorrules|AGENTS\.md|CLAUDE\.md|GEMINI\.md|maru\.json)`,
  String.raw`(\.pre-commit-config\.yaml|lefthook\.yml|\.lefthook\.yml|\.gitlab-ci\.yml|\.travis\.yml|azure-pipelines\.yml)`,
]

/**
 * A profile for sandbox-exec: reads but the secret, writes only in the roots and the temporary directory, and not to what is
 * protected there. Later rules win. Pure. It could not be run: there was no Mac.
 */
export function seatbeltProfile({ roots, home, maruHome, temporary, hasNetwork }: SeatbeltOptions): string {
  const hidden = namesOfHiddenPlaces(home, maruHome)
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork process-exec*)',
    '(allow signal (target same-sandbox))',
    '(allow process-info* (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow file-ioctl (regex #"^/dev/(null|zero|random|urandom|dtracehelper|tty.*)$"))',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.logger") (global-name "com.apple.trustd.agent"))',
    '(allow ipc-posix-sem ipc-posix-shm)',
    '(allow file-read*)',
    `(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/stdout") (literal "/dev/stderr") (subpath ${quote(temporary)}))`,
    ...roots.map((root) => `(allow file-write* (subpath ${quote(root)}))`),
    // What holds a protected name may not be moved away and made anew.
    ...roots.map(
      (root) => `(deny file-write-unlink (literal ${quote(root)}) (regex ${pattern(root, String.raw`\.git`)}))`,
    ),
    ...roots.flatMap((root) => PROTECTED.map((names) => `(deny file-write* (regex ${pattern(root, names)}))`)),
    ...hidden.map((path) => `(deny file-read* file-write* (subpath ${quote(path)}))`),
    hasNetwork
      ? '(allow network*)\n(allow system-socket)'
      : '(allow network-bind network-inbound (local ip "localhost:*"))\n(allow network-outbound (remote ip "localhost:*"))',
  ].join('\n')
}

function quote(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}

// macOS does not tell cases apart in names; a profile does.
function pattern(root: string, names: string): string {
  const anyCase = names.replace(/\\.|[a-zA-Z]/g, (part) => {
    return part.length > 1 ? part : `[${part.toLowerCase()}${part.toUpperCase()}]`
  })
  return `#"^${root.replace(/[.*+?^${}()|[\]\\"]/g, '\\$&')}/(.*/)?${anyCase}$"`
}
