import type { Call, Judge } from '../call.ts'
import { checkPath, shown, type Use } from '../check-path.ts'
import { parseOptions, readSpec, type Spec } from '../options.ts'
import { isVital, resolvePath } from '../place.ts'
import type { Field } from '../scope.ts'

const MAKE_FOLDER = readSpec('-pv -m: --parents --verbose --mode:')
const TOUCH = readSpec('-acmh -d: -r< -t: --date: --no-create --reference<')
const TEE = readSpec('-aip --append --ignore-interrupts')
const TRUNCATE = readSpec('-co -s: -r< --size: --no-create --reference<')

/** Programs that change files. They are asked about at least, so that only what they touch matters. */
export const files: Record<string, Judge> = {
  rm: removes,
  unlink: removes,
  shred: removes,
  srm: removes,
  wipe: removes,
  trash: removes,
  rmdir: (call) => each(call, 'delete', 'changes'),
  mkdir: (call) => each(call, 'create', 'changes', MAKE_FOLDER),
  touch: (call) => each(call, 'create', 'changes', TOUCH),
  mkfifo: (call) => each(call, 'create', 'changes'),
  mknod: (call) => call.privilege('a device'),
  mktemp: (call) => call.note('effects', 'changes', 'temporary files'),
  tee: (call) => each(call, 'write', 'writes', TEE),
  truncate(call) {
    each(call, 'write', 'writes', TRUNCATE)
    call.note('irreversible', 'destroys', 'what the file holds')
  },
  cp: copies('read'),
  install: copies('read'),
  mv: copies('delete'),
  ln(call) {
    const isSoft = call.args.some(({ text }) => /^-\w*s|^--symbolic/.test(text))
    const operands = call.args.filter(({ text }) => !text.startsWith('-'))
    const last = operands.at(-1)
    call.note('effects', 'changes', operands.map(shown).join(' '))
    if (last && operands.length > 1) checkPath(call, last, 'create')
    if (!isSoft) for (const source of operands.slice(0, -1)) checkPath(call, source, 'read')
  },
  dd(call) {
    call.note('effects', 'changes', 'files')
    for (const arg of call.args) {
      const [, key, path] = /^(if|of)=(.*)$/s.exec(arg.text) ?? []
      if (path !== undefined) checkPath(call, { ...arg, text: path }, key === 'of' ? 'write' : 'read')
    }
  },
  chmod: changesMode,
  chgrp: (call) => each({ ...call, args: call.args.slice(1) }, 'write', 'changes'),
  chown(call) {
    const operands = call.args.filter(({ text }) => !text.startsWith('-'))
    const [owner, ...paths] = operands
    if (owner && /^(?:root|0)(?::|$)/.test(owner.text)) call.privilege(`chown ${shown(owner)}`)
    call.note('effects', 'changes', paths.map(shown).join(' '))
    for (const path of paths) changes(call, path)
  },
  chattr: (call) => call.privilege('chattr'),
  setfacl: (call) => call.privilege('setfacl'),
  xattr: (call) => call.note('effects', 'changes', 'attributes'),
  patch(call) {
    call.note('effects', 'changes', 'files')
    for (const [at, arg] of call.args.entries()) {
      const value = call.args[at + 1]
      if (value && /^-(?:i|-input)$/.test(arg.text)) checkPath(call, value, 'read')
      if (value && /^-(?:o|d|-output|-directory)$/.test(arg.text)) checkPath(call, value, 'write')
      else if (!arg.text.startsWith('-')) checkPath(call, arg, 'write')
    }
  },
  split: outputs,
  csplit: outputs,
  tar: judgeTar,
  bsdtar: judgeTar,
  unzip(call) {
    if (/^-[lZ]\w*$/.test(call.args[0]?.text ?? '') && call.args.length === 2 && call.args[1])
      return checkPath(call, call.args[1], 'read')
    extracts(call, /^-\w*o/)
  },
  zipinfo: (call) => each(call, 'read', 'changes', undefined, 'read-only'),
  zip(call) {
    if (call.args.some(({ text }) => /^-\w*TT|^--unzip-command/.test(text)))
      call.note('hostile', 'runs-program', 'zip -TT')
    if (call.args.some(({ text }) => /^-\w*m|^--move/.test(text)))
      call.note('irreversible', 'destroys', 'what is packed')
    outputs(call)
  },
  gzip: outputs,
  gunzip: outputs,
  bzip2: outputs,
  bunzip2: outputs,
  xz: outputs,
  unxz: outputs,
  zstd: outputs,
  '7z': (call) => extracts(call, /^-y/),
  unrar: (call) => extracts(call, /^-o\+/),
  cpio: (call) => extracts(call, /^-\w*u/),
  rsync: synchronizes,
  rename: (call) => call.note('unknown', 'runs-code', 'rename'),
  uuencode: outputs,
  dos2unix: (call) => each(call, 'write', 'changes'),
}

const REMOVE = readSpec(
  '-dfiIrRvzxu -n: -s: --recursive --force --dir --verbose --interactive? --one-file-system --preserve-root? --no-preserve-root --remove? --zero --iterations:',
)

function removes(call: Call): void {
  const { operands } = parseOptions(call, REMOVE, 'irreversible')
  call.note('irreversible', 'destroys', operands.map(shown).join(' '))
  for (const operand of operands) checkPath(call, operand, 'delete')
}

function each(
  call: Call,
  use: Use,
  code: 'changes' | 'writes',
  spec?: Spec,
  proven: 'effects' | 'read-only' = 'effects',
): void {
  const { operands } = spec
    ? parseOptions(call, spec, 'effects')
    : { operands: call.args.filter(({ text }) => !text.startsWith('-')) }
  call.note(proven, code, operands.map(shown).join(' '))
  for (const operand of operands) checkPath(call, operand, use)
}

const COPY = readSpec(
  '-abdfHilLnpPrRsTuvxZcCDF -t> -S: -m: -o: -g: --target-directory> --suffix: --mode: --owner: --group: --backup? --parents --recursive --force --verbose --archive --no-clobber --preserve? --no-preserve: --update? --reflink? --sparse: --no-target-directory --strip-program! --remove-destination --directory',
)

function copies(source: 'read' | 'delete'): Judge {
  return (call) => {
    const { operands, given } = parseOptions(call, COPY, 'effects')
    const hasTarget = given.has('-t') || given.has('--target-directory')
    const target = hasTarget ? undefined : operands.at(-1)
    const sources = hasTarget ? operands : operands.slice(0, -1)
    call.note('effects', 'changes', target ? shown(target) : 'files')
    if (target) checkPath(call, target, 'write')
    for (const from of sources) {
      checkPath(call, from, source)
      if (source === 'delete') checkPath(call, from, 'read')
    }
  }
}

function changesMode(call: Call): void {
  const [mode, ...paths] = call.args.filter(({ text }, at) => !/^-(?:[Rcfv]+|-\w+)/.test(text) || at > 1)
  const isSetuid =
    mode &&
    (/[ugoa,]*[+=][rwxXt]*s/.test(mode.text) || /^[2467]\d{3}$/.test(mode.text) || /^0[2467]\d{3}$/.test(mode.text))
  if (isSetuid) call.privilege(`chmod ${shown(mode)}`)
  call.note('effects', 'changes', paths.map(shown).join(' '))
  for (const path of paths) changes(call, path)
}

// The rights of everything are as good as everything.
function changes(call: Call, field: Field): void {
  const isRecursive = call.args.some(({ text }) => /^-\w*R|^--recursive$/.test(text))
  const path = resolvePath(call.scope.cwd ?? '/', field.text.replace(/\/\*$/, '/'), call.place)
  if (isRecursive && isVital(path, call.place) && path !== call.place.root)
    call.note('catastrophe', 'catastrophe', shown(field))
  checkPath(call, field, 'write')
}

function outputs(call: Call): void {
  const paths = call.args.filter(({ text }) => !text.startsWith('-'))
  if (call.args.some(({ text }) => text.startsWith('--filter')))
    call.note('hostile', 'runs-program', `${call.name} --filter`)
  call.note('effects', 'writes', paths.map(shown).join(' '))
  for (const path of paths)
    checkPath(call, path, path.text.includes('/') || !/^\d+[a-zA-Z]*$/.test(path.text) ? 'write' : 'read')
}

function extracts(call: Call, overwrites: RegExp): void {
  call.note('effects', 'writes', 'what is packed')
  if (call.args.some(({ text }) => overwrites.test(text))) call.note('irreversible', 'destroys', 'files that are there')
  for (const arg of call.args) if (!arg.text.startsWith('-')) checkPath(call, arg, 'read')
  const at = call.args.findIndex(({ text }) => text === '-d')
  const folder = call.args[at + 1]
  if (at >= 0 && folder) checkPath(call, folder, 'create')
}

const TAR_RUNS = /^(?:--(?:to-c|use-c|rsh|rmt|info-s|new-v)|-I|-F)/

function judgeTar(call: Call) {
  const { args } = call
  const [first] = args
  const letters = first && !first.text.startsWith('--') ? first.text.replace(/^-/, '') : ''
  const runs =
    args.find(({ text }) => TAR_RUNS.test(text) || /^--checkpoint-a\S*=exec/.test(text)) ??
    (/[IF]/.test(letters) ? first : undefined)
  if (runs) call.note('hostile', 'runs-program', `tar ${shown(runs)}`)
  const action = args.findIndex(({ text }) => text === '--checkpoint-action')
  if (action >= 0 && args[action + 1]?.text.startsWith('exec'))
    call.note('hostile', 'runs-program', 'tar --checkpoint-action')
  if (args.some(({ text }) => text === '--remove-files')) call.note('irreversible', 'destroys', 'what is packed')
  const archive = listedArchive(args)
  if (archive) return opens(call, archive)
  call.note('effects', 'writes', letters.includes('x') ? 'what is packed' : 'an archive')
  const isCreating = /[cru]/.test(letters) || args.some(({ text }) => /^--(?:create|append|update)$/.test(text))
  for (const [at, arg] of args.entries()) {
    const before = args[at - 1]?.text ?? ''
    if (arg.text.startsWith('-') || (at === 0 && arg === first)) continue
    if (before === '-C' || before === '--directory') checkPath(call, arg, isCreating ? 'read' : 'write')
    else if (/^-?\w*f$/.test(before) || before === '--file') {
      if (/^[^/:]+:/.test(arg.text)) opens(call, arg)
      else checkPath(call, arg, isCreating ? 'write' : 'read')
    } else if (isCreating) checkPath(call, arg, 'read')
  }
}

// What lists an archive, and nothing else: the archive.
function listedArchive(args: readonly Field[]): Field | undefined {
  const [first, second, third] = args
  const word = first?.text ?? ''
  // What unpacks a stream is found where programs of the system are, as tar itself is.
  const isList = /^-?[jJvz]*t[jJvz]*f$/.test(word) && args.length === 2
  if (isList) return second
  return word === '--list' && args.length === 3 && /^-(?:v?f|-file)$/.test(second?.text ?? '') ? third : undefined
}

// With a colon in its name, an archive is on another machine.
function opens(call: Call, archive: Field): void {
  const [, host] = /^([^/:]+):/.exec(archive.text) ?? []
  if (host === undefined) checkPath(call, archive, 'read')
  else call.reach(host.replace(/^.*@/, ''))
}

const PLAIN_SSH = /^ssh(?: -(?:[46CTqvx]|p ?\d+))*$/

function synchronizes(call: Call): void {
  const runs = call.args.find(({ text }, at) => {
    if (!/^-\w*e$|^-e|^--rsh|^--rsync-path/.test(text)) return false
    const value = /^-\w*e$|^--rsh$/.test(text) ? call.args[at + 1]?.text : text.replace(/^(?:-e|--rsh=)/, '')
    return !PLAIN_SSH.test(value ?? '')
  })
  if (runs) call.note('hostile', 'runs-program', `rsync ${shown(runs)}`)
  const operands = call.args.filter(({ text }) => !text.startsWith('-'))
  if (call.args.some(({ text }) => /^--(?:del|remove-source)/.test(text)))
    call.note('irreversible', 'destroys', 'files that are there')
  call.note('effects', 'changes', operands.map(shown).join(' '))
  for (const [at, operand] of operands.entries()) {
    const [, host] = /^(?:rsync:\/\/)?(?:[^@/]*@)?([\w.-]+)::?/.exec(operand.text) ?? []
    if (host !== undefined) call.reach(host)
    else checkPath(call, operand, at === operands.length - 1 ? 'write' : 'read')
  }
}
