import type { Call, Judge } from '../call.ts'
import { checkPath, shown } from '../check-path.ts'
import { readSpec } from '../options.ts'
import { exact, type Field } from '../scope.ts'
import { skipOptions, textOf } from './carriers.ts'

const SUDO = readSpec(
  '-AbEHiKklnPSsv -C: -g: -h: -p: -r: -t: -T: -u: -U: -D: -c: --user: --group: --stdin --login --shell --preserve-env?',
)

/** Programs that reach for the machine itself: more rights, other processes, what runs later, disks and power. */
export const system: Record<string, Judge> = {
  sudo: withMoreRights,
  doas: withMoreRights,
  pkexec: withMoreRights,
  runuser: withMoreRights,
  su: withMoreRights,
  run0: withMoreRights,
  gosu: withMoreRights,
  ufw: (call) => call.note('catastrophe', 'privilege', words(call)),
  systemctl: services,
  service: services,
  'rc-service': services,
  launchctl: services,
  loginctl: services,
  crontab(call) {
    if (call.args.length === 1 && call.args[0]?.text === '-l') return call.note('unknown', 'process', 'crontab -l')
    call.note('hostile', 'persistence', `crontab ${words(call)}`)
  },
  kill: kills,
  pkill: kills,
  killall: kills,
  xkill: kills,
  renice: (call) => call.note('unknown', 'process', words(call)),
  gdb: attaches,
  lldb: attaches,
  dmesg: (call) => call.note('unknown', 'outside', 'messages of the kernel'),
  journalctl: (call) => call.note('unknown', 'outside', 'messages of the system'),
  yes: (call) => call.note('unknown', 'process', 'yes'),
  'ld-linux-x86-64.so.2': loads,
  'ld-linux-aarch64.so.1': loads,
  'ld-linux.so.2': loads,
  'ld.so': loads,
  'ld-musl-x86_64.so.1': loads,
}

// Many of one kind.
const GROUPS: readonly (readonly [names: string, judge: Judge])[] = [
  [
    'visudo vipw vigr passwd chpasswd chage chfn chsh useradd userdel usermod adduser deluser groupadd groupdel groupmod gpasswd newgrp sg setcap setpriv capsh nsenter unshare chroot mount umount losetup insmod rmmod modprobe depmod sysctl iptables ip6tables nft firewall-cmd pfctl setenforce semanage setsebool aa-disable aa-teardown auditctl apparmor_parser mokutil efibootmgr grub-install hostnamectl timedatectl localectl machinectl systemd-run systemd-nspawn sysrc visudo dpkg-divert update-alternatives dpkg-reconfigure csrutil spctl dscl dseditgroup nvram kextload tccutil',
    (call) => call.privilege(words(call)),
  ],
  [
    'mkfs mke2fs mkswap wipefs fdisk sfdisk cfdisk gdisk sgdisk parted cryptsetup hdparm blkdiscard badblocks pvremove vgremove lvremove mdadm zpool zfs fsck tune2fs resize2fs diskutil',
    (call) => call.note('catastrophe', 'catastrophe', words(call)),
  ],
  [
    'shutdown reboot halt poweroff init telinit killall5 swapoff swapon kexec pm-suspend pm-hibernate',
    (call) => call.note('catastrophe', 'catastrophe', `what runs: ${words(call)}`),
  ],
  [
    'update-rc.d chkconfig rc-update atrm anacron incrontab osascript defaults',
    (call) => call.note('hostile', 'persistence', `${call.name} ${words(call)}`),
  ],
  [
    'dbus-send gdbus busctl qdbus xdg-open open gnome-open xdotool wmctrl notify-send wall write mesg code subl atom idea charm explorer',
    (call) => {
      call.note('unknown', 'desktop', words(call))
      for (const { text } of call.args) if (/\s/.test(text)) call.probe(text)
    },
  ],
  [
    'security keyring secret-tool pass gopass op bw lpass vault gpg gpg2 gpgconf ssh-add ssh-keygen certutil pk12util kwallet-query',
    credentials,
  ],
  ['vi vim nvim view ex ed vimdiff rvim emacs emacsclient nano pico joe micro', edits],
  ['xclip xsel pbcopy pbpaste wl-copy wl-paste', (call) => call.note('unknown', 'desktop', 'the clipboard')],
  ['apt apt-get aptitude dnf yum zypper pacman apk port snap flatpak brew dpkg rpm', packages],
]

/** The same for those of which there are many: looked up, not spread out, as a start pays for each name. */
export function findSystem(name: string): Judge | undefined {
  return GROUPS.find(([names]) => names.split(' ').includes(name))?.[1]
}

function words({ name, args }: Call): string {
  return [name, ...args.map(shown)].join(' ')
}

function withMoreRights(call: Call): void {
  call.privilege(words(call))
  const rest = skipOptions(call, SUDO)
  const code = call.args.findIndex(({ text }) => text === '-c')
  if (call.name === 'su' || call.name === 'runuser') {
    if (code >= 0) call.script(call.args[code + 1]?.text ?? '')
  } else if (rest.length > 0) call.run(rest.filter(({ text }, at) => at > 0 || !/^\w+=/.test(text)))
}

const POWER = /^(?:poweroff|reboot|halt|kexec|suspend|hibernate|rescue|emergency|isolate|switch-root|exit)$/

const SHOWS = /^(?:status|is-(?:active|enabled|failed|system-running)|get-default|list-\S+|show|cat|list|print|help)?$/

function services(call: Call): void {
  const verb = call.args.map(({ text }) => text).find((text) => !text.startsWith('-')) ?? ''
  if (POWER.test(verb)) call.note('catastrophe', 'catastrophe', words(call))
  else if (
    SHOWS.test(verb) ||
    (/^(?:rc-)?service$/.test(call.name) && /^(?:status|--help)$/.test(call.args[1]?.text ?? ''))
  )
    call.note('unknown', 'process', words(call))
  else call.note('hostile', 'persistence', words(call))
}

function kills(call: Call): void {
  if (call.args.length === 1 && /^-(?:l|L|-list)$/.test(call.args[0]?.text ?? '')) return
  call.note('irreversible', 'process', words(call))
  if (call.name !== 'kill') {
    if (call.args.some(({ text }) => /^(?:\.|\.\*|-u|root|systemd|init|sshd|Xorg|dockerd)$/.test(text)))
      call.note('catastrophe', 'catastrophe', 'every process')
    return
  }
  // The first word with a dash is the signal; -1 behind it is everything, and 1 is what everything hangs on.
  const signal = call.args[0]?.text ?? ''
  const skipped = /^-(?:s|n|-signal)$/.test(signal) ? 2 : signal.startsWith('-') ? 1 : 0
  const targets = call.args.slice(skipped).filter(({ text }) => text !== '--')
  const isAll = targets.some(({ text }) => text === '-1' || text === '1') || (targets.length === 0 && signal === '-1')
  if (isAll) call.note('catastrophe', 'catastrophe', 'every process')
}

function attaches(call: Call) {
  if (call.args.some(({ text }) => /^-p(?:\d+)?$|^--pid|^--attach/.test(text))) return call.privilege('another process')
  call.note('unknown', 'runs-code', words(call))
  for (const { text } of call.args) {
    if (/^\s*(?:!|shell\b|python\b|source\b)/.test(text)) call.note('hostile', 'hidden', text)
    call.probe(text.replace(/^\s*(?:!|shell)\s*/, ''))
  }
}

function credentials(call: Call): void {
  const isSecret =
    /find-\w+-password|dump|export-secret|--export|-w\b|lookup|\bread\b|\bget\b|show|unlock|-d\b|--decrypt/.test(
      textOf(call.args),
    )
  if (
    ['gpg', 'gpg2', 'ssh-keygen', 'gpgconf', 'certutil'].includes(call.name) &&
    !/export-secret|private|id_/.test(textOf(call.args))
  ) {
    call.note('unknown', 'credentials', words(call))
  } else call.note(isSecret ? 'hostile' : 'unknown', 'credentials', words(call))
  for (const arg of call.args) if (/^[/~]/.test(arg.text)) checkPath(call, arg, 'read')
}

function edits(call: Call): void {
  call.note('unknown', 'runs-code', 'an editor')
  for (const [at, arg] of call.args.entries()) {
    const { text } = arg
    const isCommand =
      /^(?:-c|-es?|-s?c|--cmd|--eval|-f|-S|--load|-\w*c)$/.test(call.args[at - 1]?.text ?? '') || /^[+]/.test(text)
    if (isCommand && /[!]|\bsystem\b|\bshell-command\b|\bpy\w*\b|\blua\b|\bterm/.test(text)) {
      call.note('hostile', 'runs-program', text)
      call.probe(text.replace(/^\+?:?!?/, ''))
    } else if (!isCommand && !text.startsWith('-')) checkPath(call, arg, 'write')
  }
}

const ASKS_ONLY =
  /^(?:list|search|show|info|policy|depends|outdated|deps|leaves|-l|-s|-L|-q\w*|--list|--version|home|config|doctor)$/

function packages(call: Call) {
  const verb = call.args.map(({ text }) => text).find((text) => !text.startsWith('-') || /^-[lsLq]/.test(text)) ?? ''
  if (call.args.some(({ text }) => /APT::\S*::|Pre-Invoke|Post-Invoke|DPkg::/i.test(text)))
    call.note('hostile', 'runs-program', words(call))
  if (ASKS_ONLY.test(verb)) return call.note('unknown', 'outside', 'packages of the system')
  if (/^(?:remove|purge|autoremove|uninstall|erase|-R\w*|-r|-P|--purge|--remove)$/.test(verb))
    call.note('irreversible', 'destroys', words(call))
  call.reach('*', 'the packages of the system')
  call.note('unknown', 'changes', 'programs of the system')
}

function loads(call: Call): void {
  call.note('hostile', 'hidden', words(call))
  const at = call.args.findIndex(({ text }: Field) => !text.startsWith('-'))
  if (at >= 0) call.run(call.args.slice(at).map((word, index) => (index === 0 ? exact(word.text) : word)))
}
