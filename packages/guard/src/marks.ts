/** What the policy has to know of a file by its name alone, also before it exists. */
export type Mark = 'protected' | 'secret'

// Files that run code later, or that say what may run: a change to one is an action in waiting.
const PROTECTED_NAMES = new Set([
  // git, its hooks, and what installs them
  ...['.gitmodules', '.gitattributes', '.gitconfig', '.pre-commit-config.yaml', 'lefthook.yml', '.lefthook.yml'],
  ...['.huskyrc', '.lintstagedrc', '.hgrc'],
  // environments that a shell takes up by itself
  ...['.envrc', '.mise.toml', 'mise.toml', '.autoenv', '.bashrc', '.bash_profile', '.bash_login', '.bash_logout'],
  ...['.bash_aliases', '.profile', '.zshrc', '.zshenv', '.zprofile', '.zlogin', '.inputrc', 'config.fish'],
  // package managers and build tools that run what these name
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.pnpmfile.mjs', 'bunfig.toml', '.pylintrc', '.bazelrc'],
  ...['gradle-wrapper.properties', 'gradle-wrapper.jar', 'maven-wrapper.properties', 'maven-wrapper.jar'],
  // what runs on other machines, with their keys
  ...['.gitlab-ci.yml', '.travis.yml', 'azure-pipelines.yml', 'bitbucket-pipelines.yml', 'jenkinsfile', 'appveyor.yml'],
  ...['.drone.yml', '.woodpecker.yml', 'cloudbuild.yaml', 'buildspec.yml', '.gitpod.yml', '.devcontainer.json'],
  // what tells agents what to do, ours among them
  ...[
    '.mcp.json',
    'mcp.json',
    '.cursorrules',
    '.windsurfrules',
    '.clinerules',
    '.roorules',
    '.goosehints',
    'agents.md',
  ],
  ...['agents.override.md', 'claude.md', 'claude.local.md', 'gemini.md', 'copilot-instructions.md', 'opencode.json'],
  ...['.aider.conf.yml', 'maru.json'],
])
const PROTECTED_FOLDERS = new Set([
  ...['.git', '.hg', '.svn', '.husky', '.githooks', '.lefthook'],
  ...['.vscode', '.idea', '.zed', '.fleet', '.devcontainer', '.vs'],
  ...['.circleci', '.buildkite', '.mvn', '.cargo'],
  ...['.maru', '.cursor', '.claude', '.codex', '.gemini', '.windsurf', '.roo', '.kiro', '.continue', '.opencode'],
  ...['.amazonq', '.goose'],
])

const SECRET_NAMES = new Set(['.netrc', '.pgpass', '.git-credentials', 'credentials.json', 'id_rsa', 'id_ed25519'])
const SECRET_FOLDERS = new Set(['.ssh', '.aws', '.gnupg'])
// Examples are written to be read.
const SECRET_PATTERN = /^\.env(?!\.(?:example|sample|template|dist)$)(?:\..*)?$|\.(?:pem|key|p12|pfx)$/

/** The mark of a path that is to be read, or to be written. */
export function markOf(path: string, use: 'read' | 'write'): Mark | undefined {
  const parts = path.split(/[\\/]/).map(foldName)
  const name = parts.at(-1) ?? ''
  if (use === 'write' && (PROTECTED_NAMES.has(name) || parts.some(isProtectedFolder))) return 'protected'
  const isSecret = SECRET_NAMES.has(name) || SECRET_PATTERN.test(name) || parts.some((part) => SECRET_FOLDERS.has(part))
  return isSecret ? 'secret' : undefined
}

/** Whether a path is `.git` or below one: what a file tool never writes. */
export function isInsideGit(path: string): boolean {
  return path.split(/[\\/]/).some((part) => foldName(part) === '.git' || /^git~\d+$/.test(foldName(part)))
}

function isProtectedFolder(part: string, at: number, parts: readonly string[]): boolean {
  if (PROTECTED_FOLDERS.has(part)) return true
  const next = parts[at + 1] ?? ''
  return part === '.github' && ['workflows', 'actions', 'instructions', 'prompts'].includes(next)
}

/**
 * Whether a change to a manifest changes what its package manager runs by itself or on a word: its scripts, and the hooks
 * that some tools keep there. One that cannot be read may hold anything.
 */
export function changesScripts(path: string, before: string | undefined, after: string | undefined): boolean {
  const names = MANIFEST_SCRIPTS[foldName(path.split(/[\\/]/).at(-1) ?? '')]
  if (!names) return false
  const [old, now] = [before, after].map((text) => (text === undefined ? {} : parseObject(text)))
  if (!old || !now) return true
  return names.some((name) => JSON.stringify(old[name]) !== JSON.stringify(now[name]))
}

const MANIFEST_SCRIPTS: { readonly [name: string]: readonly string[] | undefined } = {
  'package.json': ['scripts', 'husky', 'simple-git-hooks', 'lint-staged', 'gitHooks', 'pre-commit', 'config'],
  'composer.json': ['scripts'],
  'deno.json': ['tasks'],
}

function parseObject(text: string): { [name: string]: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null ? (value as { [name: string]: unknown }) : undefined
  } catch {
    return undefined
  }
}

// One name to us is what any file system may take for the same file: case, composition, invisible signs, trailing dots,
// NTFS streams.
function foldName(name: string): string {
  // Most names are plain already.
  if (name === '' || /^[a-z\d_-]+(?:\.[a-z\d_-]+)*$/.test(name)) return name
  return (/^[ -~]*$/.test(name) ? name : fold(name))
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase()
}

function fold(name: string): string {
  return name.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')
}
