import type { Context } from './context.ts'
import { addDoubt } from './findings.ts'
import type { WhyCode } from './why.ts'

// Words that are clear in any dialect. They refuse; nothing is allowed by them, so that a miss is only asked.
const GRAVE: readonly [RegExp, WhyCode, string][] = [
  [/\brm\s+(?:-\w+\s+)*-\w*[rf]\w*\s+(?:\S+\s+)*["']?(?:[~/]|\$HOME|\.\.)/i, 'catastrophe', 'a home or the machine'],
  [
    /\br\^?d\^?\b.*\/s\b|\brmdir\b.*\/s\b|\bdel\b.*\/[sq]\b.*(?:[a-z]:\\|\*|%)|\berase\b.*\/s\b/i,
    'catastrophe',
    'a drive or a folder',
  ],
  [/\b(?:set|call)\b.*\b(?:rd|del|format|erase)\b/i, 'catastrophe', 'a drive or a folder'],
  [
    /\b(?:remove-item|ri|rm|rmdir|del|erase|rd)\b.*(?:[a-z]:[\\/]?(?:\s|$|["'*])|\$home|\$env:|~|-r\w*\b.*-f|\s\.\s|\\\*)/i,
    'catastrophe',
    'a drive or a home',
  ],
  [/\b(?:remove-item|ri)\b.*-r/i, 'catastrophe', 'a folder'],
  [
    /\b(?:format(?:-volume)?|clear-disk|diskpart|initialize-disk|cipher\s+\/w|bcdedit|vssadmin\s+delete)\b/i,
    'catastrophe',
    'a disk',
  ],
  [/\b(?:shutdown|stop-computer|restart-computer|reboot|halt)\b/i, 'catastrophe', 'what runs'],
  [
    /\b(?:iex|invoke-expression)\b|downloadstring|downloadfile|frombase64string|\[scriptblock\]::create|&\s*\(\s*['"$]/i,
    'remote-code',
    'text',
  ],
  [/(?:powershell|pwsh)(?:\.exe)?["']?\s.*-e(?:nc?\w*|c)?\b/i, 'hidden', 'encoded text'],
  [
    /\b(?:certutil\b.*-urlcache|bitsadmin\b.*\/transfer|mshta|regsvr32|rundll32|wscript|cscript|installutil|msiexec\b.*http)\b/i,
    'remote-code',
    'the network',
  ],
  [
    /\b(?:curl|wget|iwr|irm|invoke-webrequest|invoke-restmethod|start-bitstransfer)\b.*(?:\||;|&&).*\b(?:sh|bash|zsh|cmd|python\d?|iex|start)\b/i,
    'remote-code',
    'the network',
  ],
  [
    /\b(?:reg\s+(?:add|delete|import)|schtasks\b.*\/create|sc\s+(?:create|config|delete)|new-service|register-scheduledtask|new-scheduledtask\w*|set-itemproperty\b.*\\run|wmic\b.*\bcreate|startup\\)/i,
    'persistence',
    'the system',
  ],
  [
    /\b(?:set-executionpolicy|set-mppreference|add-mppreference|netsh\b.*firewall|disable-\w+|takeown|icacls\b.*\/grant|unblock-file)\b/i,
    'privilege',
    'security',
  ],
  [/\b(?:runas|sudo|doas|net\s+(?:user|localgroup))\b|-verb\s+runas/i, 'privilege', 'another user'],
  [
    /\$psdefaultparametervalues|\$profile\b|\$env:(?:path|psmodulepath)\s*=|\bset-alias\b|\bnew-alias\b|\bset\s+(?:path|comspec|pathext)=/i,
    'persistence',
    'later commands',
  ],
  [/%comspec%|\bcmd(?:\.exe)?\s+\/c\s+(?:rd|del|format)|\bfor\s+\/f\b.*\b(?:rd|del|format)\b/i, 'hidden', 'a command'],
  [/(?:\.ssh|id_rsa|\.aws|\.netrc|\\sam\b|lsass|mimikatz)/i, 'credentials', 'keys'],
]

/** A line for another shell: never allowed, and refused where its words are clear. */
export function judgeForeignLine(line: string, shell: string, context: Context): void {
  context.doubt('shell', shell)
  const plain = line.replace(/[\^`](?=\w)/g, '')
  for (const [pattern, code, what] of GRAVE) {
    if (!pattern.test(plain)) continue
    const proven = code === 'catastrophe' ? 'catastrophe' : 'hostile'
    addDoubt(context.findings, { code, program: shell, what }, proven)
  }
}
