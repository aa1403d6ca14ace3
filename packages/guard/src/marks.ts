/** What the policy has to know of a file by its name alone, also before it exists. */
export type Mark = 'protected' | 'secret'

// Files that run code later, or that say what may run: a change to one is an action in waiting.
const PROTECTED_NAMES = new Set([
  '.gitmodules',
  '.gitattributes',
  '.envrc',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.mcp.json',
  '.cursorrules',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  'agents.md',
  'claude.md',
  'maru.json',
])
const PROTECTED_FOLDERS = new Set([
  '.git',
  '.husky',
  '.vscode',
  '.idea',
  '.maru',
  '.cursor',
  '.claude',
  '.devcontainer',
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
  return PROTECTED_FOLDERS.has(part) || (part === '.github' && parts[at + 1] === 'workflows')
}

// One name to us is what any file system may take for the same file: case, composition, invisible signs, trailing dots,
// NTFS streams.
function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '')
    .toLowerCase()
}
