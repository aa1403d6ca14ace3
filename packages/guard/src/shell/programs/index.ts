import type { Judge } from '../call.ts'
import { builtins } from './builtins.ts'
import { carriers } from './carriers.ts'
import { checks } from './checks.ts'
import { containers } from './containers.ts'
import { databases } from './databases.ts'
import { files } from './files.ts'
import { judgeGit } from './git.ts'
import { interpreters } from './interpreters.ts'
import { network } from './network.ts'
import { packagers } from './packagers.ts'
import { readers, tellers } from './readers.ts'
import { searchers } from './searchers.ts'
import { shells } from './shells.ts'
import { isShown, orShows } from './shows.ts'
import { findSystem, system } from './system.ts'

type Family = Readonly<Record<string, Judge>> | ((name: string) => Judge | undefined)

// The first that has a name counts. Apart as they are: made into one table, they cost a start more than all else here.
const FAMILIES: readonly Family[] = [
  { git: judgeGit },
  builtins,
  carriers,
  shells,
  system,
  findSystem,
  packagers,
  interpreters,
  containers,
  databases,
  network,
  files,
  searchers,
  tellers,
  readers,
  checks,
]

// Programs that only say which release they are, and by which word.
const VERSION_WORDS: Record<string, readonly string[]> = {
  java: ['-version', '--version'],
  javac: ['-version', '--version'],
  go: ['version'],
  node: ['--version', '-v'],
  ruby: ['--version', '-v'],
  php: ['--version', '-v'],
  perl: ['--version', '-v'],
  ssh: ['-V'],
  tsc: ['--version', '-v'],
  bun: ['--version', '-v'],
  python: ['--version', '-V'],
  python3: ['--version', '-V'],
  mvn: ['--version', '-v'],
  gradle: ['--version', '-v'],
  cargo: ['--version', '-V', 'version'],
  rustc: ['--version', '-V', '-vV'],
  dotnet: ['--version', '--info', '--list-sdks', '--list-runtimes'],
  docker: ['--version', '-v'],
  openssl: ['version'],
  scala: ['--version', '-version'],
  kotlin: ['-version'],
  kotlinc: ['-version'],
  lua: ['-v'],
  ffmpeg: ['-version'],
  ffprobe: ['-version'],
  tmux: ['-V'],
  nginx: ['-v'],
  zig: ['version'],
}
const TELLS_VERSION = new Set(
  'node npm npx pnpm yarn bun deno python python3 pip pip3 pipx uv poetry tsc eslint prettier biome vitest jest go cargo rustc rustup java javac kotlin kotlinc scala mvn gradle ruby gem bundle rails php composer perl lua gcc g++ cc clang clang++ make cmake ninja docker podman docker-compose helm terraform gh aws psql mysql sqlite3 redis-cli mongosh curl wget ssh rg fd jq yq bash zsh fish dash vim nvim emacs code dotnet swift dart flutter elixir mix ghc stack openssl ffmpeg convert magick tar zip unzip rsync gpg brew rustfmt redis-server mongod protoc buf pre-commit R julia luajit gcloud az apt systemctl ffprobe delta hyperfine watch tmux nginx zig just task shfmt ninja ctest uvx conda pipenv ruff black mypy pytest rubocop rspec phpunit'.split(
    ' ',
  ),
)

const found = new Map<string, Judge>()

/** The judge of a program, by its name. */
export function findProgram(name: string): Judge | undefined {
  return byName(name) ?? byName(plainName(name))
}

function byName(name: string): Judge | undefined {
  const known = found.get(name)
  if (known) return known
  const judge = findIn(FAMILIES, name)
  const whole = TELLS_VERSION.has(name) ? orVersion(name, judge) : judge && orShown(name, judge)
  // What nobody knows is not kept: there is no end of it.
  if (whole) found.set(name, whole)
  return whole
}

function orShown(name: string, judge: Judge): Judge {
  return isShown(name) || findIn([system, findSystem], name) === judge ? orShows(name, judge) : judge
}

function findIn(families: readonly Family[], name: string): Judge | undefined {
  for (const family of families) {
    const judge = typeof family === 'function' ? family(name) : Object.hasOwn(family, name) ? family[name] : undefined
    if (judge) return judge
  }
  return undefined
}

// Not those that show a page of a manual by another program, or load the project first.
function isHelp(name: string, word: string): boolean {
  return word === '--help' && !/^(?:bundle|rails|gem|npx|aws|man)$/.test(name)
}

function orVersion(name: string, judge: Judge | undefined): Judge {
  const words = VERSION_WORDS[name] ?? ['--version']
  return (call) => {
    const [only] = call.args
    if (call.args.length === 1 && only?.isExact && (words.includes(only.text) || isHelp(name, only.text))) return
    if (judge) judge(call)
    else call.note('unknown', 'unknown-program')
  }
}

// python3.11, mkfs.ext4, gcc-12: the same program under the name of a release or a kind.
function plainName(name: string): string {
  const [, base = name] = /^(mkfs|fsck|ld-linux|python|pip|ruby|perl|php|node)[\d.-]*(?:\.\w+)?/.exec(name) ?? []
  return base === 'ld-linux' ? 'ld.so' : base
}
