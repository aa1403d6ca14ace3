import { appendFile, mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { git, gitOrNot, makeRepository, put, putScript } from './repositories.ts'

/** A repository that runs a script when plain git reads it. */
export interface Trap {
  readonly name: string
  /** Makes `root` a repository that runs `script`. */
  set(root: string, script: string): Promise<void>
  /** The harmless-looking call that runs it. */
  readonly call: readonly string[]
  /** Where plain git has to be called; the root, if not said. */
  readonly below?: string
}

/** Every way that was found to run code by reading a repository. */
export const TRAPS: readonly Trap[] = [
  {
    name: 'core.fsmonitor',
    call: ['status'],
    set: async (root, script) => {
      await plain(root)
      await git(root, 'config', 'core.fsmonitor', script)
    },
  },
  {
    name: 'a post-index-change hook',
    call: ['status'],
    set: async (root, script) => {
      await plain(root)
      await putScript(join(root, '.git/hooks/post-index-change'), script)
      await age(root)
    },
  },
  {
    name: 'core.hooksPath in the tree',
    call: ['status'],
    set: async (root, script) => {
      await plain(root)
      await putScript(join(root, 'tools/post-index-change'), script)
      await git(root, 'config', 'core.hooksPath', 'tools')
      await age(root)
    },
  },
  {
    name: 'diff.external',
    call: ['diff'],
    set: async (root, script) => {
      await plain(root)
      await git(root, 'config', 'diff.external', script)
    },
  },
  {
    name: 'an attribute with a diff command',
    call: ['diff'],
    set: async (root, script) => {
      await plain(root, '* diff=evil\n')
      await git(root, 'config', 'diff.evil.command', script)
    },
  },
  {
    name: 'an attribute with textconv, by a macro',
    call: ['diff'],
    set: async (root, script) => {
      await plain(root, '[attr]nice diff=evil\n* nice\n')
      await git(root, 'config', 'diff.evil.textconv', script)
    },
  },
  {
    name: 'textconv in the staged diff',
    call: ['diff', '--cached'],
    set: async (root, script) => {
      await plain(root, '* diff=evil\n')
      await git(root, 'add', '-A')
      await git(root, 'config', 'diff.evil.textconv', script)
    },
  },
  {
    name: 'a clean filter',
    call: ['status'],
    set: async (root, script) => {
      await plain(root, '*.txt filter=evil\n')
      await age(root)
      await git(root, 'config', 'filter.evil.clean', script)
    },
  },
  {
    name: 'a filter process that is required, in info/attributes',
    call: ['diff'],
    set: async (root, script) => {
      await plain(root)
      await put(root, '.git/info/attributes', '* filter=evil\n')
      await age(root)
      await git(root, 'config', 'filter.evil.process', script)
      await git(root, 'config', 'filter.evil.required', 'true')
    },
  },
  {
    name: 'an included file of settings',
    call: ['status'],
    set: async (root, script) => {
      await plain(root, '*.txt filter=evil\n')
      await put(root, 'settings', `[core]\n\tfsmonitor = ${script}\n[filter "evil"]\n\tclean = ${script}\n`)
      await git(root, 'config', 'include.path', '../settings')
    },
  },
  {
    name: 'a file that is included for this branch',
    call: ['diff'],
    set: async (root, script) => {
      await plain(root)
      await put(root, 'settings', `[diff]\n\texternal = ${script}\n`)
      await git(root, 'config', 'includeIf.onbranch:main.path', '../settings')
    },
  },
  {
    name: 'settings of the work tree',
    call: ['status'],
    set: async (root, script) => {
      await plain(root)
      await git(root, 'config', 'core.repositoryformatversion', '1')
      await git(root, 'config', 'extensions.worktreeConfig', 'true')
      await put(root, '.git/config.worktree', `[core]\n\tfsmonitor = ${script}\n`)
    },
  },
  {
    name: 'the settings of a submodule',
    call: ['status'],
    set: async (root, script) => {
      await plain(root)
      await makeRepository(join(root, 'sub'), { 'a.txt': 'a\n' })
      await git(root, 'add', 'sub')
      await git(join(root, 'sub'), 'config', 'core.fsmonitor', script)
    },
  },
  {
    name: 'a filter of a submodule',
    call: ['status'],
    set: async (root, script) => {
      await plain(root)
      const sub = join(root, 'sub')
      await makeRepository(sub, { 'b.txt': 'b\n' })
      await git(root, 'add', 'sub')
      await put(sub, '.git/info/attributes', '* filter=evil\n')
      await age(sub)
      await git(sub, 'config', 'filter.evil.clean', script)
    },
  },
  {
    name: 'the diff of a submodule',
    call: ['diff'],
    set: async (root, script) => {
      await plain(root)
      const sub = join(root, 'sub')
      await makeRepository(sub, { 'a.txt': 'a\n' })
      await git(root, 'add', 'sub')
      await put(sub, 'a.txt', 'b\n')
      await git(sub, 'commit', '-qam', 'second')
      await git(sub, 'config', 'diff.external', script)
      await git(root, 'config', 'diff.submodule', 'diff')
    },
  },
  {
    name: 'an embedded bare repository',
    call: ['status'],
    below: 'docs',
    set: async (root, script) => {
      await plain(root)
      await git(root, 'init', '-q', '--bare', 'docs')
      const settings = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${script}\n`
      await put(root, 'docs/config', settings)
    },
  },
  {
    name: 'a program that checks signatures',
    call: ['log'],
    set: async (root, script) => {
      await plain(root)
      const [head = ''] = (await git(root, 'rev-parse', 'HEAD')).split('\n')
      const commit = await git(root, 'cat-file', 'commit', head)
      const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n AAAA\n -----END PGP SIGNATURE-----\n'
      await put(root, '.git/signed', commit.replace(/\n\n/, `\n${signature}\n`))
      const signed = (await git(root, 'hash-object', '-t', 'commit', '-w', '.git/signed')).trim()
      await git(root, 'update-ref', 'HEAD', signed)
      await git(root, 'config', 'gpg.program', script)
      await git(root, 'config', 'log.showSignature', 'true')
    },
  },
  {
    name: 'a remote that missing objects are fetched from',
    call: ['diff'],
    set: async (root, script) => {
      await plain(root)
      const blob = (await git(root, 'rev-parse', 'HEAD:a.txt')).trim()
      await rm(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)))
      await git(root, 'config', 'core.repositoryformatversion', '1')
      await git(root, 'config', 'extensions.partialClone', 'origin')
      await git(root, 'config', 'remote.origin.url', `file://${root}`)
      await git(root, 'config', 'remote.origin.promisor', 'true')
      await git(root, 'config', 'remote.origin.uploadpack', script)
    },
  },
  {
    name: 'ssh to a remote that missing objects are fetched from',
    call: ['diff'],
    set: async (root, script) => {
      await plain(root)
      const blob = (await git(root, 'rev-parse', 'HEAD:a.txt')).trim()
      await rm(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)))
      await git(root, 'config', 'core.repositoryformatversion', '1')
      await git(root, 'config', 'extensions.partialClone', 'origin')
      await git(root, 'config', 'remote.origin.url', 'ssh://nobody@localhost/x')
      await git(root, 'config', 'core.sshCommand', script)
    },
  },
  {
    name: 'an alias',
    call: ['st'],
    set: async (root, script) => {
      await plain(root)
      for (const name of ['st', 'status', 'diff', 'log', 'config'])
        await git(root, 'config', `alias.${name}`, `!${script}`)
    },
  },
]

// One file that is committed, one that has changed since, and one that nobody knows.
async function plain(root: string, attributes = ''): Promise<void> {
  await makeRepository(root, { 'a.txt': 'a\n', 'b.txt': 'b\n' })
  await writeFile(join(root, 'a.txt'), 'changed\n')
  await put(root, 'new/c.txt', 'c\n')
  if (attributes !== '') await put(root, '.gitattributes', attributes)
  await mkdir(join(root, '.git/info'), { recursive: true })
}

// A file with another time than the index knows is looked into.
async function age(root: string): Promise<void> {
  await utimes(join(root, 'b.txt'), 1_000_000_000, 1_000_000_000)
}

/** Lets plain git walk into a trap. */
export async function spring(root: string, { call, below = '.' }: Trap): Promise<void> {
  await gitOrNot(join(root, below), ...call)
}

/** A script for a trap: it notes that it ran, and lets git go on. */
export async function makeCanary(base: string): Promise<{ script: string; canary: string }> {
  const canary = join(base, 'canary')
  const script = await putScript(join(base, 'evil.sh'), `echo "$0 $*" >> '${canary}'\nexit 0`)
  await appendFile(script, '')
  return { script, canary }
}
