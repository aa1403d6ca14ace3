import { mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { git, makeRepository, put } from '../git/repositories.ts'

const FILES: Record<string, string> = {
  'README.md': '# hello\n',
  'src/a.ts': 'export const a = 1\r\n',
  'src/deep/b.ts': 'export const b = 2\n',
  'src/deep/c.bin': 'a\0b',
  'bin/tool': '#!/bin/sh\n',
  'lf.txt': 'no final newline',
}

/** A work tree in one of the states that repositories are found in; gives back its root. */
export const SITUATIONS: Record<string, (base: string) => Promise<string>> = {
  'a folder without git': async (base) => {
    for (const [path, content] of Object.entries(FILES)) await put(base, path, content)
    await furnish(base)
    return base
  },
  'a repository with staged changes': async (base) => {
    await makeRepository(base, FILES)
    await put(base, 'src/a.ts', 'staged\n')
    await put(base, 'staged-new.txt', 'new\n')
    await git(base, 'add', '-A')
    await put(base, 'src/a.ts', 'and changed again\n')
    await put(base, 'stashed.txt', 'x')
    await git(base, 'stash', 'push', '-q', '-u', 'stashed.txt')
    await furnish(base)
    return base
  },
  'a detached HEAD': async (base) => {
    await makeRepository(base, FILES)
    await git(base, 'commit', '-q', '--allow-empty', '-m', 'second')
    await git(base, 'checkout', '-q', '--detach', 'HEAD~1')
    await furnish(base)
    return base
  },
  'a repository with a submodule': async (base) => {
    await makeRepository(join(base, 'other'), { 'inner.txt': 'inner\n', 'lib/x.c': 'int x;\n', '.gitignore': '*.o\n' })
    const root = join(base, 'main')
    await makeRepository(root, FILES)
    await git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', join(base, 'other'), 'sub')
    await git(root, 'commit', '-qm', 'with a submodule')
    await put(root, 'sub/inner.txt', 'changed within\n')
    await furnish(root)
    return root
  },
  'a repository without a commit': async (base) => {
    await git(base, 'init', '-q', '-b', 'main')
    for (const [path, content] of Object.entries(FILES)) await put(base, path, content)
    await git(base, 'add', 'README.md')
    await furnish(base)
    return base
  },
  'a linked work tree with line ends converted': async (base) => {
    const main = join(base, 'main')
    await makeRepository(main, { ...FILES, '.gitattributes': '* text=auto eol=crlf\n*.ts ident\n' })
    await git(main, 'worktree', 'add', '-q', '-b', 'side', join(base, 'side'))
    await furnish(join(base, 'side'))
    return join(base, 'side')
  },
  'a directory below the top of a repository': async (base) => {
    await makeRepository(base, Object.fromEntries(Object.entries(FILES).map(([path, text]) => [`in/${path}`, text])))
    await furnish(join(base, 'in'))
    return join(base, 'in')
  },
}

async function furnish(root: string): Promise<void> {
  await put(root, '.gitignore', 'node_modules/\n*.log\n')
  await put(root, 'node_modules/dep/index.js', 'ignored\n')
  await put(root, 'debug.log', 'ignored\n')
  await mkdir(join(root, 'empty/inner'), { recursive: true })
  await symlink('src/a.ts', join(root, 'link'))
  await symlink('/nowhere', join(root, 'broken'))
  await put(root, 'loose.txt', 'untracked\n')
}

/** What git knows of a work tree, byte for byte where it can be; nothing without git. */
export async function gitState(root: string): Promise<Record<string, string>> {
  const directory = (await git(root, 'rev-parse', '--absolute-git-dir').catch(() => '')).trim()
  if (directory === '') return {}
  const common = (await git(root, 'rev-parse', '--path-format=absolute', '--git-common-dir')).trim()
  const quietly = ['--no-optional-locks', '-c', 'core.quotePath=false']
  return {
    status: await git(root, ...quietly, 'status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all'),
    index: await readFile(join(directory, 'index'), 'base64').catch(() => ''),
    head: await readFile(join(directory, 'HEAD'), 'utf8'),
    config: await readFile(join(common, 'config'), 'utf8'),
    refs: await git(root, 'for-each-ref'),
    stash: await git(root, 'stash', 'list'),
    objects: await git(root, 'count-objects', '-v'),
  }
}
