import { realpathSync } from 'node:fs'
import { isAbsolute, resolve, sep } from 'node:path'
import { MARK } from './command/start-process.ts'

// Names that a command needs to find programs, homes, languages and caches. A key or token has no business in a command,
// and names are not enough to know one by: so this is a list of what is let in, never of what is kept out.
const ALLOWED = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'TMP', 'TEMP', 'HOSTNAME'],
  ...['XDG_CACHE_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME'],
  ...['JAVA_HOME', 'GOPATH', 'GOROOT', 'CARGO_HOME', 'RUSTUP_HOME', 'VIRTUAL_ENV', 'CONDA_PREFIX', 'PYENV_ROOT'],
  ...['NVM_DIR', 'NVM_BIN', 'VOLTA_HOME', 'PNPM_HOME', 'BUN_INSTALL', 'DENO_DIR', 'GRADLE_USER_HOME', 'DOTNET_ROOT'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'CI', 'NODE_ENV'],
  // Of a Maru inside a command of another: what it starts belongs to both.
  MARK,
])

// Nobody is at a terminal: no colours, no pager, no question about a password.
const FIXED = {
  TERM: 'dumb',
  NO_COLOR: '1',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
}

const DEFAULT_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** The environment of a command: allowed names only, and no address with a password in it. */
export function cleanEnvironment(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const clean: Record<string, string> = { PATH: DEFAULT_PATH }
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || !(ALLOWED.has(name) || /^LC_[A-Z]+$/.test(name))) continue
    if (/:\/\/[^/\s]*@/.test(value) || (/proxy$/i.test(name) && value.includes('@'))) continue
    clean[name] = value
  }
  return { ...clean, ...FIXED }
}

/**
 * The same for a command that was let pass because its words are known: they must not name programs of the workspace,
 * as they would where its `node_modules/.bin` stands in the path.
 */
export function provenEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  root: string,
): Record<string, string> {
  const clean = cleanEnvironment(environment)
  const top = realOf(root)
  const places = (clean['PATH'] ?? '').split(':').filter((place) => isAbsolute(place) && !isInside(realOf(place), top))
  return { ...clean, PATH: places.length > 0 ? places.join(':') : DEFAULT_PATH }
}

function isInside(place: string, top: string): boolean {
  return place === top || place.startsWith(`${top}${sep}`)
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path)
  } catch {
    // What is not there holds no program either.
    return resolve(path)
  }
}
