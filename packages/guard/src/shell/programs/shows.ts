import type { Call, Judge } from '../call.ts'
import { shown } from '../check-path.ts'

// How programs that are refused otherwise only show something. The words are compared as one line.
const SHOWS: readonly (readonly [names: string, line: RegExp])[] = [
  ['mount', /^(?:-[lv]|-t [\w,]+)?$/],
  ['sysctl', /^(?:-[aAnNbe]+|[a-z][\w.*-]*)(?: (?:-[aAnNbe]+|[a-z][\w.*-]*))*$/],
  [
    'iptables ip6tables',
    /^(?=.*(?:-L|-S|--list))(?:-[LSnv]+|-t \w+|--(?:list|list-rules|numeric|verbose|line-numbers)|[A-Z]+)(?: (?:-[LSnv]+|-t \w+|--(?:list|list-rules|numeric|verbose|line-numbers)|[A-Z]+))*$/,
  ],
  ['nft', /^(?:-\w+ )*list [\w ]+$/],
  ['ufw', /^status(?: (?:verbose|numbered))?$/],
  ['firewall-cmd', /^--(?:state|list-[\w-]+|get-[\w-]+)$/],
  ['hostnamectl timedatectl localectl', /^(?:status|show|list-\w+)?$/],
  ['machinectl', /^(?:list|(?:status|show) [\w-]+)?$/],
  ['passwd', /^(?:-S|--status)(?: \w+)?$/],
  ['chage', /^(?:-l|--list) \w+$/],
  ['swapon', /^(?:-s|--show|--summary)$/],
  ['fdisk sfdisk parted', /^(?:-l|--list)$/],
  ['zpool zfs', /^(?:status|list|get|iostat)(?: [\w/@,.-]+)*$/],
  ['mdadm', /^--(?:detail|examine) (?:--scan|\/dev\/\w+)$/],
  ['losetup', /^(?:-a|-l|--all|--list)?$/],
  ['modprobe', /^(?:-n|--dry-run|--show-depends) \w+$/],
  ['update-alternatives', /^--(?:list|display|query) [\w.+-]+$/],
  ['dpkg-divert chkconfig', /^--list$/],
  ['defaults', /^(?:domains|(?:read|read-type)(?: [\w.-]+)*)$/],
  ['csrutil', /^status$/],
  ['spctl', /^--status$/],
  ['diskutil', /^(?:list|info(?: \w+)?)$/],
  ['capsh', /^--print$/],
  ['mokutil', /^--sb-state$/],
  ['efibootmgr', /^(?:-v)?$/],
  ['auditctl', /^-[ls]$/],
  ['setpriv', /^(?:-d|--dump)$/],
  ['sudo', /^-[Vh]$/],
  ['ngrok', /^version$/],
  ['bind', /^-[lpPsSvV]$/],
  ['fc', /^-l[nr]*(?: -?\d+)*$/],
]
const HELP = /^--(?:help|version)$/

/** A judge for programs that are refused, but asked about where they only show something, their help say. */
export function orShows(name: string, judge: Judge): Judge {
  const line = SHOWS.find(([names]) => names.split(' ').includes(name))?.[1]
  return (call) => (showsOnly(call, line) ? call.note('unknown', 'outside', name) : judge(call))
}

function showsOnly({ args }: Call, line: RegExp | undefined): boolean {
  if (args.some(({ isExact, isGlob }) => !isExact || isGlob)) return false
  const words = args.map(shown).join(' ')
  return HELP.test(words) || line?.test(words) === true
}

/** Whether a program has rows here that are not those of the system. */
export function isShown(name: string): boolean {
  return name === 'bind' || name === 'fc' || name === 'ngrok' || name === 'tcpdump'
}
