import { markOf } from '../marks.ts'

// Beside what is secret by its very name: files that often hold a token among other things.
const NAMES = new Set([
  ...['.npmrc', '.envrc', '.env~', '.yarnrc.yml', '.pypirc', '.htpasswd', '.vault-token', '.boto', '.s3cfg'],
  ...['.dockercfg', 'kubeconfig', 'id_dsa', 'id_ecdsa', 'shadow', 'sudoers', 'environ'],
])
const ENDINGS = new Set(['tfstate', 'tfvars', 'kdbx', 'jks', 'keystore', 'ovpn', 'ppk', 'asc', 'gpg'])
const PLACES = new Set(['.git/config', '.docker/config.json', '.kube/config'])
const SETTINGS = new Set(['yaml', 'yml', 'json', 'toml', 'env', 'txt'])

const FOLDERS = ['.ssh', '.aws', '.gnupg']
const SAMPLES = [
  ...[
    '.env',
    '.env.local',
    '.env.production',
    'prod.env',
    '.npmrc',
    '.netrc',
    '.pgpass',
    '.git-credentials',
    'credentials.json',
  ],
  ...['id_rsa', 'id_ed25519', 'server.key', 'private.pem', 'store.p12', 'cert.pfx', 'secrets.json', 'secrets.yml'],
  ...['prod.tfvars', 'secret.yaml', ...FOLDERS],
]
// What nobody meets who looks for settings of another kind.
const isClear = (name: string) => !/\.(?:json|ya?ml|local|production)$/.test(name)

/** Whether a file's name says that it may hold a credential. */
export function isSensitive(path: string): boolean {
  const [name = '', folder = ''] = path.toLowerCase().split('/').reverse()
  const dot = name.lastIndexOf('.')
  const ending = dot < 0 ? '' : name.slice(dot + 1)
  if (NAMES.has(name) || ENDINGS.has(ending) || PLACES.has(`${folder}/${name}`)) return true
  if (!SETTINGS.has(ending) || dot === 0) return false
  const isSecret = (word: string) => word === 'secret' || word === 'secrets'
  return isSecret(folder) || isSecret(name.slice(0, dot)) || (ending === 'json' && name.startsWith('service-account'))
}

/** Whether a path, which may be a pattern, could lead to a file that holds secrets. */
export function couldBeSecret(path: string): boolean {
  if (markOf(path, 'read') === 'secret' || isSensitive(path)) return true
  if (!/[*?[]/.test(path)) return false
  return path.split('/').some((part, at, { length }) => {
    if (!/[*?[]/.test(part)) return false
    const pattern = globToRegExp(part)
    // In the middle of a path only folders count.
    const samples = at === length - 1 ? SAMPLES : FOLDERS
    return pattern === undefined || samples.some((sample) => pattern.test(sample))
  })
}

/** Whether a search that is narrowed to names like this is for secrets. Who searches everything does not ask for them. */
export function asksForSecrets(glob: string): boolean {
  if (glob.startsWith('!') || !/[a-z]/i.test(glob)) return false
  const [, before = '', choices = '', behind = ''] = /^(.*?)\{([^{}]*)\}(.*)$/s.exec(glob) ?? []
  const names = choices === '' ? [glob] : choices.split(',').map((choice) => before + choice + behind)
  return names.some((name) => {
    const last = name.replace(/^.*\//s, '')
    const pattern = globToRegExp(last)
    return (
      markOf(last, 'read') === 'secret' ||
      isSensitive(last) ||
      SAMPLES.some((sample) => isClear(sample) && pattern?.test(sample))
    )
  })
}

/** The folder whose files a wildcard word names, whatever they are called: who searches them all does not ask for secrets. */
export function folderOfAll(glob: string): string | undefined {
  const [whole, folder = ''] = /^((?:[^*?[]*\/)?)\*(?:\.(?:\*|json|ya?ml|toml|txt))?$/.exec(glob) ?? []
  if (whole === undefined || /secret|credential|private|cert|key|(?:^|\/)\.[^./]/i.test(folder)) return undefined
  return folder === '' ? '.' : folder
}

/** A wildcard word as a pattern for one name; nothing where it is none we can read. */
export function globToRegExp(glob: string): RegExp | undefined {
  const leading = /^[*?[]/.test(glob) ? '(?!\\.)' : ''
  const source = glob.replace(/\[[!^]?\]?[^\]]*\]|[\s\S]/g, (piece) => {
    if (piece === '*') return '.*'
    if (piece === '?') return '.'
    // What a set may hold differs by locale: any sign will do.
    if (piece.length > 1) return '.'
    return piece.replace(/[\\^$.*+?()[\]{}|]/, '\\$&')
  })
  try {
    return new RegExp(`^${leading}${source}$`)
  } catch {
    return undefined
  }
}
