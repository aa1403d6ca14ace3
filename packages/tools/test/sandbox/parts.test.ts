import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryDirectory } from '@maru/testkit'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  bwrapArguments,
  type Confinement,
  onStageArguments,
  stageArguments,
} from '../../src/sandbox/bwrap-arguments.ts'
import { findSockets } from '../../src/sandbox/find-sockets.ts'
import { isHarmlessGit } from '../../src/sandbox/harmless-git.ts'
import { findHiddenPlaces } from '../../src/sandbox/hidden-places.ts'
import { allowanceOf, allowedAddresses, readAuthority } from '../../src/sandbox/host-rules.ts'
import { createProtectedTree } from '../../src/sandbox/protected-tree.ts'
import { sandboxHints } from '../../src/sandbox/sandbox-hint.ts'
import { seatbeltProfile } from '../../src/sandbox/seatbelt-profile.ts'
import { findSystemProgram } from '../../src/sandbox/system-program.ts'

let place: Awaited<ReturnType<typeof temporaryDirectory>>
let base = ''
beforeAll(async () => {
  place = await temporaryDirectory()
  base = place.path
})
afterAll(() => place.dispose())

const confinement: Confinement = {
  level: 'full',
  isSealed: true,
  roots: ['/home/me/repo'],
  protectedPlaces: [
    { path: '/home/me/repo/.git', kind: 'fixed', identity: '1:1' },
    { path: '/home/me/repo/.git/config', kind: 'read-only', identity: '1:2' },
  ],
  hiddenPlaces: [
    { path: '/home/me/.ssh', isDirectory: true, identity: '1:3' },
    { path: '/home/me/.netrc', isDirectory: false, identity: '1:4' },
    { path: '/tmp/secret', isDirectory: true, identity: '1:5' },
  ],
  session: { temporary: '/s/tmp', emptyFile: '/s/empty' },
  temporaryPlaces: ['/tmp'],
  emptied: ['/run'],
  network: 'own',
  user: { uid: 1000, gid: 1000 },
  isRoot: false,
  shown: [],
}

describe('the options of bubblewrap', () => {
  const text = bwrapArguments(confinement).join(' ')

  test('unshare everything, drop everything, and end with us', () => {
    for (const word of ['user', 'pid', 'ipc', 'uts', 'cgroup-try', 'net']) expect(text).toContain(`--unshare-${word}`)
    expect(text).toContain('--die-with-parent --new-session --cap-drop ALL')
    expect(text).toContain('--disable-userns')
  })

  test('lay the narrow over the wide, and what is hidden over everything', () => {
    const order = [
      '--ro-bind / /',
      '--bind /s/tmp /tmp',
      '--bind /home/me/repo /home/me/repo',
      '--bind-try /home/me/repo/.git /home/me/repo/.git',
      '--ro-bind-try /home/me/repo/.git/config /home/me/repo/.git/config',
      '--tmpfs /home/me/.ssh --remount-ro /home/me/.ssh',
      '--ro-bind /s/empty /home/me/.netrc',
    ]
    const places = order.map((part) => text.indexOf(part))
    expect(places.every((at) => at >= 0)).toBe(true)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    // It is not there anyway, and a mount would make it.
    expect(text).not.toContain('/tmp/secret')
  })

  test('a root inside a hidden place stays, and the rest of that place is hidden', () => {
    const words = bwrapArguments({ ...confinement, roots: ['/home/me/.ssh/repo'], protectedPlaces: [] }).join(' ')
    expect(words.indexOf('--tmpfs /home/me/.ssh ')).toBeLessThan(words.indexOf('--bind /home/me/.ssh/repo'))
    expect(words).not.toContain('--remount-ro /home/me/.ssh')
  })

  test('to root, the files of the kernel are read-only', () => {
    expect(bwrapArguments({ ...confinement, isRoot: true }).join(' ')).toContain('--proc /proc --remount-ro /proc')
    expect(onStageArguments({ ...confinement, isRoot: true }).join(' ')).toContain('--proc /proc --remount-ro /proc')
  })

  test('a stage has all the mounts, and a command on it all the namespaces', () => {
    const mounts = text.slice(text.indexOf('--tmpfs /run'))
    expect(stageArguments(confinement).join(' ')).toContain(mounts)
    const command = onStageArguments(confinement).join(' ')
    expect(command).toContain('--unshare-pid')
    expect(command).not.toContain('--unshare-net')
  })
})

describe('a program of the system', () => {
  const isRoot = process.getuid?.() === 0

  test('is not taken from a workspace, or where others could have put it', () => {
    const make = (name: string, mode: number) => {
      const directory = join(base, name)
      mkdirSync(directory)
      writeFileSync(join(directory, 'bwrap'), '#!/bin/sh\n', { mode: 0o755 })
      chmodSync(join(directory, 'bwrap'), 0o755)
      chmodSync(directory, mode)
      return directory
    }
    const [good, open] = [make('good', 0o755), make('open', 0o777)]
    symlinkSync(join(good, 'bwrap'), join(open, 'linked'))
    const find = (directory: string, roots: string[] = []) =>
      findSystemProgram('bwrap', { roots, directories: [directory] })
    expect(find(open)).toBeUndefined()
    expect(find(good, [good])).toBeUndefined()
    expect(find(good, [base])).toBeUndefined()
    if (isRoot) expect(find(good)).toBe(join(good, 'bwrap'))
    else expect(find(good)).toBeUndefined()
    expect(find(join(base, 'nowhere'))).toBeUndefined()
  })
})

describe('hidden places', () => {
  test('are those that are there, by their real paths, and no inner one twice', () => {
    const home = join(base, 'home')
    mkdirSync(join(home, '.docker'), { recursive: true })
    mkdirSync(join(home, 'elsewhere'))
    mkdirSync(join(home, '.maru'))
    writeFileSync(join(home, '.netrc'), '')
    symlinkSync(join(home, 'elsewhere'), join(home, '.ssh'))
    const found = findHiddenPlaces({ home, maruHome: join(home, '.maru'), isRoot: false })
    expect(
      found
        .map(({ path, isDirectory }) => [path.slice(home.length + 1), isDirectory])
        .toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    ).toEqual([
      ['.docker', true],
      ['.maru', true],
      ['.netrc', false],
      ['elsewhere', true],
    ])
  })

  test('sockets that can be reached are among them, and nothing else from the table', () => {
    const socket = join(base, 'a socket')
    writeFileSync(socket, '')
    const table = [
      'Num       RefCount Protocol Flags    Type St Inode Path',
      `0000000000000000: 00000002 00000000 00010000 0001 01 12345 ${socket}`,
      '0000000000000000: 00000002 00000000 00010000 0001 01 12346 @abstract',
      '0000000000000000: 00000003 00000000 00000000 0001 03 12347',
      `0000000000000000: 00000002 00000000 00010000 0001 01   999 ${base}/gone`,
    ].join('\n')
    expect(findSockets(table).map(({ path }) => path)).toEqual([socket])
  })
})

describe('protected names in a tree', () => {
  test('are found at any depth, when they appear, and not among dependencies', () => {
    const root = join(base, 'tree')
    mkdirSync(join(root, 'a/b/.vscode'), { recursive: true })
    mkdirSync(join(root, 'node_modules/x/.vscode'), { recursive: true })
    mkdirSync(join(root, '.github/workflows'), { recursive: true })
    writeFileSync(join(root, 'a/CLAUDE.md'), '')
    const tree = createProtectedTree(root)
    const paths = () =>
      tree
        .refresh()
        .map(({ path }) => path)
        .sort()
    expect(paths()).toEqual(['.github/workflows', 'a/CLAUDE.md', 'a/b/.vscode'])
    expect(paths()).toEqual(['.github/workflows', 'a/CLAUDE.md', 'a/b/.vscode'])
    mkdirSync(join(root, 'a/b/c'))
    writeFileSync(join(root, 'a/b/c/.EnvRC'), '')
    expect(paths()).toEqual(['.github/workflows', 'a/CLAUDE.md', 'a/b/.vscode', 'a/b/c/.EnvRC'])
  })
})

describe('a repository that a command has made', () => {
  const make = (name: string, config: string, files: Record<string, string> = {}) => {
    const root = join(base, name)
    mkdirSync(join(root, '.git/hooks'), { recursive: true })
    writeFileSync(join(root, '.git/config'), config)
    writeFileSync(join(root, '.git/hooks/pre-commit.sample'), '')
    for (const [path, text] of Object.entries(files)) writeFileSync(join(root, '.git', path), text)
    return isHarmlessGit(root, '.git')
  }
  const plain = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n'

  test.each([
    ['as git makes it', plain, {}, true],
    ['with where it was cloned from', `${plain}[remote "origin"]\n\turl = https://example.com/x.git\n`, {}, true],
    ['with a hook', plain, { 'hooks/pre-commit': '' }, false],
    ['with a program to watch files', `${plain}\tfsmonitor = ./evil\n`, {}, false],
    ['with hooks elsewhere', `${plain}\thooksPath = ../hooks\n`, {}, false],
    ['with another file', `${plain}[include]\n\tpath = ../x\n`, {}, false],
    ['with an address that is a program', `${plain}[remote "origin"]\n\turl = ext::sh -c evil\n`, {}, false],
    ['with a line that goes on in the next', `${plain}[user]\n\tname = a\\\n`, {}, false],
    ['with other settings', plain, { commondir: '../x' }, false],
    ['with two things in a line', '[core] fsmonitor = evil\n', {}, false],
  ])('%s', (name, config, files, expected) => {
    expect(make(`repository ${name}`, config, files)).toBe(expected)
  })
})

describe('hosts', () => {
  test.each([
    ['example.com:443', { host: 'example.com', port: 443 }],
    ['EXAMPLE.com.:443', { host: 'example.com', port: 443 }],
    ['[::1]:80', { host: '::1', port: 80 }],
    ['10.0.0.1:80', { host: '10.0.0.1', port: 80 }],
    ['example.com', undefined],
    ['example.com:0', undefined],
    ['evil.com\0.example.com:443', undefined],
    ['a b:443', undefined],
    ['2130706433:80', undefined],
    ['0x7f.1:80', undefined],
    ['127.1:80', undefined],
    ['user@example.com:80', undefined],
  ])('%j is read as it would be resolved', (text, expected) => {
    expect(readAuthority(text)).toEqual(expected)
  })

  test('no list allows nothing, and an entry only what it says', () => {
    const wanted = { host: 'registry.npmjs.org', port: 443 }
    expect(allowanceOf(wanted, [])).toBeUndefined()
    expect(allowanceOf(wanted, ['npmjs.org', 'registry.npmjs.org.evil.com', ''])).toBeUndefined()
    expect(allowanceOf(wanted, ['registry.npmjs.org:80'])).toBeUndefined()
    expect(allowanceOf(wanted, ['registry.npmjs.org'])).toBe('literal')
    expect(allowanceOf(wanted, ['Registry.NPMJS.org:443'])).toBe('literal')
    expect(allowanceOf(wanted, ['*.npmjs.org'])).toBe('domain')
    expect(allowanceOf({ host: 'npmjs.org', port: 443 }, ['*.npmjs.org'])).toBeUndefined()
    expect(allowanceOf({ host: 'evilnpmjs.org', port: 443 }, ['*.npmjs.org'])).toBeUndefined()
  })

  test('no spelling of another host is taken for one that is allowed', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (text) => {
        const read = readAuthority(`${text}:443`)
        if (read && allowanceOf(read, ['example.com'])) expect(read.host).toBe('example.com')
      }),
    )
  })

  const reach = (host: string, addresses: string[], allowance: 'literal' | 'domain' = 'literal') =>
    allowedAddresses({ host, port: 443 }, allowance, { addresses, isOwn: (address) => address === '93.184.216.99' })

  test('a name that leads into this machine or to its keys is refused, whoever allowed it', () => {
    const bad = ['127.0.0.1', '169.254.169.254', '::1', '0.0.0.0', 'fe80::1', '::ffff:127.0.0.1', '93.184.216.99']
    expect(reach('example.com', [...bad, '93.184.216.34'])).toEqual(['93.184.216.34'])
  })

  test('a private network is for hosts that were named, this machine for who named it', () => {
    expect(reach('git.corp.example', ['10.0.0.7'])).toEqual(['10.0.0.7'])
    expect(reach('git.corp.example', ['10.0.0.7'], 'domain')).toEqual([])
    expect(reach('localhost', ['127.0.0.1'])).toEqual(['127.0.0.1'])
    expect(reach('127.0.0.1', ['127.0.0.1'])).toEqual(['127.0.0.1'])
  })
})

describe('hints', () => {
  test.each([
    ['touch: cannot touch: Read-only file system', 1],
    ['curl: (6) Could not resolve host: example.com', 1],
    ['Error: getaddrinfo EAI_AGAIN registry.npmjs.org\nEROFS: read-only file system', 2],
    ['expected 1 to be 2', 0],
  ])('%j', (text, count) => {
    expect(sandboxHints(text)).toHaveLength(count)
  })
})

describe('the profile for macOS, which was never run on one', () => {
  const options = {
    roots: ['/Users/me/a "repo"'],
    home: '/Users/me',
    maruHome: '/Users/me/.maru',
    temporary: '/private/tmp/x',
  }
  const profile = seatbeltProfile({ ...options, hasNetwork: false })

  test('denies by default, writes only where it may, and what is protected and secret last', () => {
    const order = [
      '(deny default)',
      '(allow file-read*)',
      '(allow file-write* (subpath "/Users/me/a \\"repo\\""))',
      '(deny file-write* (regex',
      '(deny file-read* file-write* (subpath "/Users/me/.ssh"))',
    ].map((part) => profile.indexOf(part))
    expect(order.every((at) => at >= 0)).toBe(true)
    expect(order).toEqual([...order].sort((a, b) => a - b))
  })

  test('its patterns match what is protected, in any case, there or not', () => {
    const patterns = [...profile.matchAll(/\(deny file-write\* \(regex #"(.*)"\)\)/g)].map(
      ([, source = '']) => new RegExp(source),
    )
    const isDenied = (path: string) => patterns.some((pattern) => pattern.test(`/Users/me/a "repo"/${path}`))
    for (const path of ['.git/hooks/x', '.GIT/config', 'sub/.git/config', '.vscode/a/b', 'x/.envrc', 'agents.MD']) {
      expect([path, isDenied(path)]).toEqual([path, true])
    }
    for (const path of ['.git/index', '.git/objects/ab', 'src/config', '.github/x'])
      expect([path, isDenied(path)]).toEqual([path, false])
  })

  test('has a network only if it may', () => {
    expect(profile).not.toContain('(allow network*)')
    expect(profile).toContain('(remote ip "localhost:*")')
    expect(seatbeltProfile({ ...options, hasNetwork: true })).toContain('(allow network*)')
  })
})
