/**
 * What a name says of its value: `password`, one that people choose; `strong`, a key or token; `weak`, only a value that
 * cannot be anything else counts.
 */
export type NameStrength = 'password' | 'strong' | 'weak'

const PASSWORDS = new Set([
  ...['password', 'passwd', 'passphrase', 'passcode', 'passwort', 'pwd', 'pass', 'userpass', 'dbpass', 'pgpassword'],
  ...['userpw', 'dbpw', 'secret', 'motdepasse', 'contrasena', 'pswd', 'psw', 'mysqlpwd', 'requirepass', 'masterauth'],
])
const STRONG = new Set([
  ...['token', 'apikey', 'accesskey', 'secretkey', 'privatekey', 'clientsecret', 'authtoken', 'accesstoken', 'bearer'],
  ...['refreshtoken', 'idtoken', 'apitoken', 'authkey', 'apisecret', 'appsecret', 'authorization', 'credential'],
  ...['credentials', 'accountkey', 'sharedaccesskey', 'sharedaccesssignature', 'signingkey', 'encryptionkey'],
  ...['keydata', 'bottoken', 'servicekey', 'appkey', 'masterkey', 'securitytoken', 'sessiontoken', 'consumersecret'],
  ...['pw', 'psk', 'amzsignature'],
])
const WEAK = new Set(['key', 'auth', 'cookie', 'session', 'sessionid', 'sid', 'sig', 'signature', 'phpsessid', 'salt'])
// A key of this kind is a secret; most others open nothing.
const KEY_OF = new Set([
  ...['api', 'access', 'secret', 'private', 'signing', 'encryption', 'master', 'auth', 'account', 'storage', 'shared'],
  ...['service', 'admin', 'client', 'app', 'rest', 'webhook', 'license', 'session', 'jwt', 'hmac', 'ssh', 'deploy'],
  ...['subscription', 'consumer', 'server', 'crypt', 'crypto', 'cipher', 'aes', 'rsa', 'host', 'project', 'write'],
  ...[
    'read',
    'integration',
    'user',
    'bot',
    'openai',
    'anthropic',
    'stripe',
    'azure',
    'google',
    'aws',
    'kakao',
    'naver',
  ],
])
// Names of what opens nothing: places in a list, one try of a request, the half of a pair that everybody may have.
const OPEN = new Set([
  ...[
    'publickey',
    'pubkey',
    'socketkey',
    'websocketkey',
    'pagetoken',
    'nexttoken',
    'continuationtoken',
    'paginationtoken',
  ],
  ...['pagingtoken', 'synctoken', 'resumetoken', 'locktoken', 'changetoken', 'idempotencytoken', 'requesttoken'],
  ...['inputtoken', 'outputtoken', 'cancellationtoken', 'canceltoken', 'starttoken', 'cursortoken'],
])
// They say more about a secret that is one all the same.
const HARMLESS = new Set([
  ...['value', 'val', 'prod', 'production', 'dev', 'development', 'staging', 'stage', 'live', 'old', 'new', 'current'],
  ...['base64', 'b64', 'enc', 'encoded', 'plain', 'raw', 'string', 'str', 'text', 'default', 'data', 'main', 'primary'],
  ...['secondary', 'backup', 'test', 'local', 'here', 'base'],
])
const KOREAN_PASSWORDS = ['비밀번호', '비번', '암호', '패스워드', '비밀키', '인증번호', '접속암호']
const KOREAN_STRONG = [
  '토큰',
  '인증키',
  '시크릿',
  '개인키',
  '액세스키',
  '접근키',
  '서비스키',
  '보안키',
  'api키',
  '엑세스키',
  '앱키',
  '어드민키',
  '관리자키',
]

const known = new Map<string, NameStrength | undefined>()
const MOST_KNOWN = 4_000

/** What a name says of the value behind it. */
export function strengthOf(name: string): NameStrength | undefined {
  if (known.has(name)) return known.get(name)
  const strength = judge(name)
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(name, strength)
  return strength
}

function judge(name: string): NameStrength | undefined {
  if (/[\u0080-\uffff]/.test(name)) {
    const folded = name.toLowerCase()
    if (bothForms(KOREAN_PASSWORDS).some((word) => folded.includes(word))) return 'password'
    return bothForms(KOREAN_STRONG).some((word) => folded.includes(word)) ? 'strong' : undefined
  }
  const words = wordsOf(name)
  while (words.length > 1 && (HARMLESS.has(words.at(-1) ?? '') || /^\d+$/.test(words.at(-1) ?? ''))) words.pop()
  const last = (words.at(-1) ?? '').replace(/\d+$/, '')
  const pair = (words.at(-2) ?? '') + last
  if (OPEN.has(last) || OPEN.has(pair)) return undefined
  if (PASSWORDS.has(last) || PASSWORDS.has(pair)) return 'password'
  if (STRONG.has(last) || STRONG.has(pair) || /(?:password|passwd|secret|token|apikey)$/.test(last)) return 'strong'
  if (last === 'key' && KEY_OF.has(words.at(-2) ?? '')) return 'strong'
  return WEAK.has(last) ? 'weak' : undefined
}

function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

// Bytes that are no text are read as Latin-1, and Korean in UTF-8 among them looks like this.
function bothForms(words: readonly string[]): string[] {
  return [...words, ...words.map(asLatin1)]
}

/** A text as it looks where its UTF-8 is read as Latin-1. */
export function asLatin1(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('')
}
