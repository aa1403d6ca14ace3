import type { Call, Judge } from '../call.ts'
import { checkPath, shown } from '../check-path.ts'
import { exact, type Field } from '../scope.ts'
import { textOf } from './carriers.ts'

/** Programs that reach into the network. Sending files away is refused; the rest is asked, by host. */
export const network: Record<string, Judge> = {
  curl: fetches,
  wget: fetches,
  aria2c: fetches,
  axel: fetches,
  http: fetches,
  https: fetches,
  xh: fetches,
  lynx: fetches,
  w3m: fetches,
  links: fetches,
  nc: pipes,
  ncat: pipes,
  netcat: pipes,
  socat: pipes,
  telnet: pipes,
  ssh: connects,
  mosh: connects,
  autossh: connects,
  scp: connects,
  sftp: connects,
  sshfs: connects,
  'ssh-copy-id': (call) => call.note('hostile', 'persistence', 'ssh-copy-id'),
  ftp: reachesFirst,
  tftp: reachesFirst,
  lftp: reachesFirst,
  whois: resolves,
  nslookup: resolves,
  dig: resolves,
  host: resolves,
  drill: resolves,
  ping: resolves,
  ping6: resolves,
  traceroute: resolves,
  tracepath: resolves,
  mtr: resolves,
  nmap: resolves,
  getent: resolves,
  tcpdump: (call) => call.privilege('packets of others'),
  tshark: (call) => call.privilege('packets of others'),
  rclone: reachesFirst,
  s3cmd: reachesFirst,
  gsutil: reachesFirst,
  aws: clouds,
  gcloud: clouds,
  az: clouds,
  doctl: clouds,
  heroku: clouds,
  flyctl: clouds,
  fly: clouds,
  vercel: clouds,
  netlify: clouds,
  wrangler: clouds,
  firebase: clouds,
  railway: clouds,
  supabase: clouds,
  gh: forges,
  glab: forges,
  hub: forges,
  mail: sends,
  mailx: sends,
  sendmail: sends,
  mutt: sends,
  ngrok: (call) => call.note('hostile', 'exfiltration', 'this machine, open to the network'),
  cloudflared: (call) => call.note('hostile', 'exfiltration', 'this machine, open to the network'),
  localtunnel: (call) => call.note('hostile', 'exfiltration', 'this machine, open to the network'),
}

/** The host of an address, as far as it is literal. */
export function hostOf(text: string): string {
  const [, host] = /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:[^@/\s]*@)?(\[[^\]]*\]|[^/:?#\s]+)/i.exec(text) ?? []
  return host ?? text
}

const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0)$/

const VALUES =
  /^-(?:[XHAbcdDeEFKmoOuUTyYzCQrtw]|-(?:request|header|user-agent|cookie|data\S*|form\S*|max-time|output|output-document|user|upload-file|url|config|proxy|retry|connect-timeout|referer|range|write-out|json|post-data|post-file|body-data|body-file|cacert|cert|key|resolve|interface|method|directory-prefix|input-file|use-askpass|compressed-ssh))$/

function fetches(call: Call): void {
  const { args } = call
  const hosts = new Set<string>()
  for (const [at, arg] of args.entries()) {
    const before = args[at - 1]?.text ?? ''
    const isValue =
      VALUES.test(before) && !(call.name === 'wget' && /^-[cmrFdbUHET]$/.test(before) && !/^-[UH]$/.test(before))
    if (/^(?:file|dict|gopher|tftp):/i.test(arg.text))
      checkPath(call, { ...arg, text: arg.text.replace(/^\w+:\/*/, '/') }, 'read')
    else if (/^(?:--use-askpass|--engine|--netrc-file|-K|--config)/.test(arg.text) && !/^--config$|^-K$/.test(arg.text))
      call.note('hostile', 'runs-program', shown(arg))
    else if (!arg.text.startsWith('-') && !isValue) hosts.add(hostOf(arg.text))
    else if (arg.text.startsWith('--url=')) hosts.add(hostOf(arg.text.slice(6)))
    if (/^-K$|^--config$/.test(before)) checkPath(call, arg, 'read')
    checkOutput(call, arg, before)
  }
  for (const host of hosts.size > 0 ? hosts : ['*']) call.reach(host)
  if ([...hosts].every((host) => LOCAL.test(host))) return
  for (const [at, arg] of args.entries()) checkUpload(call, arg, args[at - 1]?.text ?? '')
  // Data that a command gives leaves with the address.
  for (const arg of args)
    if (arg.source !== undefined && !arg.text.startsWith('-')) call.note('hostile', 'exfiltration', shown(arg))
}

function checkOutput(call: Call, arg: Field, before: string): void {
  const isWget = call.name === 'wget'
  const [, attached] =
    /^(?:--output(?:-document|-dir)?=|--directory-prefix=|--dump-header=|--cookie-jar=|--trace\S*=|--stderr=)(.*)$/s.exec(
      arg.text,
    ) ?? []
  const isFile =
    /^(?:--output(?:-document|-dir)?|--directory-prefix|--dump-header|--cookie-jar|--stderr)$/.test(before) ||
    (isWget ? /^-\w*[OPoa]$/ : /^-\w*[oDc]$/).test(before)
  const path = attached ?? (isFile ? arg.text : undefined)
  const [, glued] = (isWget ? /^-q?[OP](.+)$/s : /^-[sSfLk]*o(.+)$/s).exec(arg.text) ?? []
  for (const each of [path, glued]) {
    if (each === undefined || each === '-') continue
    call.note('effects', 'writes', each)
    checkPath(call, { ...arg, text: each }, 'write')
  }
}

function checkUpload(call: Call, arg: Field, before: string): void {
  const isData = /^(?:-\w*[dFT]|--(?:data\S*|form\S*|upload-file|json|post-file|body-file))$/.test(before)
  const [, glued] =
    /^(?:-[dFT]|--(?:data\S*?|form\S*?|upload-file|json|post-file|body-file)=)(.+)$/s.exec(arg.text) ?? []
  const text = glued ?? (isData ? arg.text : undefined)
  if (text === undefined) return
  const isFile =
    /T$|upload-file|post-file|body-file/.test(before) || /^(?:-T|--upload-file|--post-file|--body-file)/.test(arg.text)
  const [, path] = isFile ? [undefined, text] : (/^(?:[^=@]*[=])?[@<](.*)$/s.exec(text) ?? [])
  if (path === undefined && arg.source === undefined && arg.variable === undefined) return
  call.note('hostile', 'exfiltration', shown({ ...arg, text }))
  if (path !== undefined && path !== '-' && path !== '') checkPath(call, { ...arg, text: path }, 'read')
}

function pipes(call: Call): void {
  const line = textOf(call.args)
  call.reach(call.args.map(({ text }) => text).find((text) => /^[\w.-]+$/.test(text) && !text.startsWith('-')) ?? line)
  if (/(?:^|\s)-\w*[ec]\b|--(?:exec|sh-exec)|exec:|system:|\bsh\b/i.test(line))
    call.note('hostile', 'remote-code', line)
  if (call.input.kind !== 'none' || /open:|file:/i.test(line)) call.note('hostile', 'exfiltration', line)
}

const SSH_RUNS =
  /proxycommand|localcommand|knownhostscommand|permitlocalcommand|pkcs11provider|securitykeyprovider|match\s+exec/i

function connects(call: Call): void {
  for (const [at, { text }] of call.args.entries()) {
    const value = call.args[at + 1]?.text ?? ''
    if (
      (text.startsWith('-o') && SSH_RUNS.test(text + value)) ||
      (call.name === 'scp' && /^-[SD]/.test(text)) ||
      (call.name === 'sftp' && /^-[SD]/.test(text)) ||
      /^-[FI]$/.test(text)
    ) {
      call.note('hostile', 'runs-program', `${call.name} ${text} ${value}`)
    }
    if (/^-\w*[RD]\w*$/.test(text) && call.name === 'ssh') call.note('hostile', 'exfiltration', `${text} ${value}`)
  }
  const operands = call.args.filter(
    ({ text }, at) => !text.startsWith('-') && !/^-[bcDEeFIiJLlmOopQRSWw]$/.test(call.args[at - 1]?.text ?? ''),
  )
  if (call.name === 'scp') {
    for (const [at, operand] of operands.entries()) {
      const [, host] = /^(?:[^@/]*@)?([\w.-]+):/.exec(operand.text) ?? []
      if (host !== undefined) call.reach(host)
      else checkPath(call, operand, at === operands.length - 1 ? 'write' : 'read')
    }
  } else {
    call.reach(hostOf(operands[0]?.text ?? ''))
    // What runs over there is another machine's, which can be lost as well.
    if (call.name === 'ssh' && operands.length > 1) call.probe(textOf(operands.slice(1)))
  }
  const key = call.args.findIndex(({ text }) => text === '-i')
  const identity = call.args[key + 1]
  if (key >= 0 && identity) checkPath(call, identity, 'read')
}

function reachesFirst(call: Call): void {
  call.reach(hostOf(call.args.find(({ text }) => !text.startsWith('-'))?.text ?? call.name))
  for (const arg of call.args) if (/^[/~]/.test(arg.text)) checkPath(call, arg, 'read')
}

// A name that is asked for reaches whoever answers for it: what a command puts into it is sent away.
function resolves(call: Call) {
  if (call.name === 'getent' && /^(?:passwd|shadow)$/.test(call.args[0]?.text ?? '')) {
    if (call.args[0]?.text === 'shadow') checkPath(call, exact('/etc/shadow'), 'read')
    return call.note('unknown', 'outside', 'users of the machine')
  }
  const name = call.args.find(({ text }) => !/^[-+@]/.test(text))
  call.reach(hostOf(name ? shown(name) : call.name))
  for (const arg of call.args) {
    if (arg.source !== undefined || arg.variable !== undefined)
      call.note('hostile', 'exfiltration', `${call.name} ${shown(arg)}`)
    if (/^-f$/.test(arg.text)) call.note('hostile', 'exfiltration', `${call.name} -f`)
  }
  if (call.input.kind === 'pipe' && call.name === 'xargs') call.note('hostile', 'exfiltration', call.name)
}

const CREDENTIALS =
  /\b(?:auth\s+(?:token|print-\S+)|get-(?:secret-value|session-token|login-password|parameter\S*)|print-access-token|print-identity-token|application-default\s+print|get-access-token|export-credentials|configure\s+get|keyvault\s+secret|secrets?\s+(?:versions\s+access|get|view|list)|sso\s+login|sts\s+get-(?:session|federation)|assume-role|config:get|kv\s+get)\b/

function clouds(call: Call): void {
  const line = textOf(call.args)
  call.reach('*', line)
  if (CREDENTIALS.test(line)) call.note('hostile', 'credentials', line)
  if (/\b(?:rm|rb|delete|terminate|destroy|remove|purge|wipe|drop|stop)(?:-|\b)/.test(line))
    call.note('irreversible', 'destroys', line)
  for (const arg of call.args)
    if (/^[/~]|^file:/.test(arg.text)) checkPath(call, { ...arg, text: arg.text.replace(/^fileb?:\/\//, '') }, 'read')
}

function forges(call: Call): void {
  const line = textOf(call.args)
  call.reach('*', 'github.com')
  if (/^auth\s+(?:token|status\b.*(?:-t|--show-token)|refresh|login|setup-git)/.test(line))
    call.note('hostile', 'credentials', `${call.name} ${line}`)
  else if (
    /^(?:gist\s+create|secret\s+set|ssh-key\s+add|gpg-key\s+add|alias\s+(?:set|import)|extension\s+install|codespace\s+ssh|variable\s+set)/.test(
      line,
    )
  )
    call.note('hostile', /^alias|^extension/.test(line) ? 'persistence' : 'exfiltration', `${call.name} ${line}`)
  else if (
    /\b(?:create|merge|delete|close|edit|release|archive|rename|fork|comment|review|upload|rerun|run|transfer|enable|disable|sync|api\b.*(?:-X|--method|-f|-F|--input))\b/.test(
      line,
    )
  )
    call.note('irreversible', 'publishes', `${call.name} ${line}`)
}

function sends(call: Call): void {
  call.reach('*', 'mail')
  call.note('hostile', 'exfiltration', `mail to ${textOf(call.args)}`)
}
