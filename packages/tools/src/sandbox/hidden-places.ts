import { realpathSync, statSync } from 'node:fs'

// What a command has no business to read: keys, tokens, logins, histories, and agents' own memories. Below the home.
const IN_HOME = [
  // keys and logins of tools
  ...['.ssh', '.gnupg', '.pki', '.password-store', '.netrc', '.git-credentials', '.config/git/credentials'],
  ...[
    '.npmrc',
    '.yarnrc.yml',
    '.config/configstore',
    '.pypirc',
    '.config/pip/pip.conf',
    '.pip/pip.conf',
    '.config/pypoetry/auth.toml',
  ],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.bundle/config', '.composer/auth.json'],
  ...['.config/composer/auth.json', '.m2/settings.xml', '.m2/settings-security.xml', '.gradle/gradle.properties'],
  ...[
    '.nuget/NuGet/NuGet.Config',
    '.pgpass',
    '.my.cnf',
    '.mylogin.cnf',
    '.s3cfg',
    '.boto',
    '.vault-token',
    '.databrickscfg',
  ],
  // clouds, and machines far away
  ...[
    '.aws',
    '.azure',
    '.kube',
    '.docker',
    '.config/containers/auth.json',
    '.config/gcloud',
    '.config/gh',
    '.config/glab-cli',
  ],
  ...['.config/hub', '.config/doctl', '.config/heroku', '.config/rclone', '.config/op', '.config/sops', '.config/age'],
  ...[
    '.config/fly',
    '.fly',
    '.config/netlify',
    '.config/.wrangler',
    '.wrangler',
    '.config/vercel',
    '.local/share/com.vercel.cli',
  ],
  ...['.oci', '.ibmcloud', '.aliyun', '.tccli', '.ncloud', '.terraform.d', '.terraformrc', '.pulumi', '.huggingface'],
  ...[
    '.cache/huggingface/token',
    '.config/argocd',
    '.config/helm',
    '.config/stripe',
    '.config/ngrok',
    '.ngrok2',
    '.colima',
    '.lima',
  ],
  // browsers, mail, wallets, key rings
  ...['.mozilla', '.thunderbird', '.config/google-chrome', '.config/google-chrome-beta', '.config/chromium'],
  ...['.config/BraveSoftware', '.config/microsoft-edge', '.config/vivaldi', '.config/opera', '.config/naver-whale'],
  ...[
    '.librewolf',
    '.zen',
    '.var/app',
    'snap',
    '.local/share/keyrings',
    '.local/share/kwalletd',
    '.electrum',
    '.bitcoin',
  ],
  ...['.ethereum', '.config/Signal', '.config/Slack', '.config/discord', '.config/1Password', '.config/Bitwarden'],
  // sockets of programs that would act for whoever asks them
  ...['.1password', '.dbus', '.screen', '.pm2', '.watchman', '.local/state/watchman', '.orbstack', '.rd'],
  // what was typed once
  ...['.bash_history', '.zsh_history', '.histfile', '.local/share/fish/fish_history', '.python_history'],
  ...[
    '.node_repl_history',
    '.psql_history',
    '.mysql_history',
    '.rediscli_history',
    '.sqlite_history',
    '.lesshst',
    '.viminfo',
  ],
  ...['.local/share/atuin', '.local/state/bash/history', '.local/state/zsh/history'],
  // other agents
  ...[
    '.claude',
    '.claude.json',
    '.codex',
    '.gemini',
    '.cursor',
    '.config/github-copilot',
    '.local/share/opencode',
    '.aider.conf.yml',
  ],
  ...['.continue', '.config/io.datasette.llm', '.config/goose', '.maru'],
  // macOS
  ...['Library/Keychains', 'Library/Cookies', 'Library/Mail', 'Library/Messages', 'Library/Safari', 'Library/Accounts'],
  ...[
    'Library/Application Support/Google',
    'Library/Application Support/Firefox',
    'Library/Application Support/BraveSoftware',
  ],
  ...[
    'Library/Application Support/Microsoft Edge',
    'Library/Application Support/com.apple.TCC',
    'Library/Group Containers',
  ],
]

// A user could not read these; where Maru runs as root, a command of root's could.
const OF_THE_SYSTEM = [
  ...[
    '/etc/shadow',
    '/etc/shadow-',
    '/etc/gshadow',
    '/etc/gshadow-',
    '/etc/sudoers',
    '/etc/sudoers.d',
    '/etc/ssl/private',
  ],
  ...[
    '/etc/ssh',
    '/etc/kubernetes',
    '/etc/rancher',
    '/etc/docker',
    '/etc/wireguard',
    '/etc/openvpn',
    '/etc/letsencrypt',
  ],
  ...[
    '/var/lib/docker',
    '/var/lib/containerd',
    '/var/lib/kubelet',
    '/var/lib/rancher',
    '/var/lib/postgresql',
    '/var/lib/mysql',
  ],
  ...['/var/spool/cron', '/var/spool/mail', '/var/mail', '/var/log', '/var/backups', '/boot', '/lost+found'],
]

/** Something that a command finds empty. */
export interface HiddenPlace {
  readonly path: string
  readonly isDirectory: boolean
  /** Which one it is: a mount goes away with the file that it lies on. */
  readonly identity: string
}

/** The secret files and directories that are there now, by their real paths. */
export function findHiddenPlaces({
  home,
  maruHome,
  isRoot,
}: {
  home: string
  maruHome: string
  isRoot: boolean
}): HiddenPlace[] {
  const candidates = [maruHome, ...namesIn(home), ...(isRoot ? OF_THE_SYSTEM : [])]
  const found = new Map<string, HiddenPlace>()
  for (const candidate of candidates) {
    const place = look(candidate)
    if (place) found.set(place.path, place)
  }
  return withoutNested([...found.values()])
}

/** The same as names, whether they are there or not: for a system that forbids by name. */
export function namesOfHiddenPlaces(home: string, maruHome: string): string[] {
  return [maruHome, ...namesIn(home)]
}

const namesIn = (home: string) => IN_HOME.map((name) => `${home}/${name}`)

function look(path: string): HiddenPlace | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return undefined
  const { dev, ino } = stats
  return { path: realpathSync.native(path), isDirectory: stats.isDirectory(), identity: `${dev}:${ino}` }
}

function withoutNested(places: HiddenPlace[]): HiddenPlace[] {
  return places.filter(({ path }) => !places.some((other) => other.path !== path && path.startsWith(`${other.path}/`)))
}
