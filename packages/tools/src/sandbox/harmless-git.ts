import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'

// What `git init` and `git clone` write by themselves; nothing of it runs anything.
const HARMLESS_KEYS =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|worktree)|extensions\.(objectformat|refstorage)|remote\.(url|fetch)|branch\.(remote|merge|rebase)|user\.(name|email)|init\.defaultbranch|submodule\.(url|active))$/
const HARMLESS_URL = /^(https?:\/\/|ssh:\/\/|git@[\w.-]+:|\/|\.{1,2}\/)/

/**
 * Whether something that a command has made for git, at or below a `.git`, is as git makes it: no hook, no order in a
 * config. `path` is below `root`.
 */
export function isHarmlessGit(root: string, path: string): boolean {
  const parts = path.split('/')
  const at = parts.lastIndexOf('.git')
  if (at < 0) return false
  try {
    const full = join(root, path)
    if (at === parts.length - 1)
      return lstatSync(full).isFile() ? isHarmlessLink(root, full) : isHarmlessRepository(full)
    if (/^worktrees\/[^/]+\/(gitdir|commondir)$/.test(parts.slice(at + 1).join('/'))) return isHarmlessWorktree(full)
    return isHarmlessRepository(dirname(full))
  } catch {
    // What cannot be read is not known to be harmless.
    return false
  }
}

// Where git keeps the repositories of worktrees and submodules, and where a command's own are looked for.
function isHarmlessLink(root: string, file: string): boolean {
  const named = /^gitdir: (.+)\n?$/.exec(readFileSync(file, 'utf8'))?.[1]
  if (named === undefined) return false
  return /(^|\/)\.git\/(worktrees|modules)\/[^/]/.test(relative(root, resolve(dirname(file), named)))
}

function isHarmlessWorktree(file: string): boolean {
  return basename(file) === 'gitdir' || readFileSync(file, 'utf8').trim() === '../..'
}

function isHarmlessRepository(directory: string): boolean {
  if (!lstatSync(directory).isDirectory()) return false
  const has = (name: string) => lstatSync(join(directory, name), { throwIfNoEntry: false }) !== undefined
  if (['config.worktree', 'commondir', 'gitdir', 'info/attributes', 'modules', 'worktrees'].some(has)) return false
  const hooks = has('hooks') ? readdirSync(join(directory, 'hooks')) : []
  return hooks.every((name) => name.endsWith('.sample')) && isHarmlessConfig(join(directory, 'config'))
}

function isHarmlessConfig(path: string): boolean {
  if (!lstatSync(path).isFile()) return false
  let section = ''
  return readFileSync(path, 'utf8')
    .split('\n')
    .every((line) => {
      if (line.trim() === '') return true
      const heading = /^\s*\[([a-z]+)(?: "[^"\\]*")?\]\s*$/i.exec(line)
      if (heading) {
        section = heading[1]?.toLowerCase() ?? ''
        return true
      }
      const [, name, value = ''] = /^\s*([a-z][a-z0-9-]*)\s*=\s*([^\\]*)$/i.exec(line) ?? []
      const key = `${section}.${name?.toLowerCase()}`
      if (!HARMLESS_KEYS.test(key)) return false
      return !key.endsWith('.url') || HARMLESS_URL.test(value.trim())
    })
}
