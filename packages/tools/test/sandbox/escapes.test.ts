import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codesOf } from '../bench-of-tools.ts'
import { isRunning, runningWith } from '../command/processes.ts'
import { type Held, makeRepository, openHeld, USERS, whyNoSandbox } from './held.ts'

const missing = await whyNoSandbox()

describe.each(USERS)('inside the sandbox, run by %s,', (user) => {
  let held: Held
  beforeAll(async () => {
    if (missing === undefined) held = await openHeld(user)
  })
  beforeEach((context) => {
    if (missing !== undefined) context.skip(missing)
  })
  afterAll(() => held?.dispose())

  const fails = async (command: string) => {
    const result = await held.run(command)
    expect([command, result.ok, result.stdout ?? '']).toEqual([command, false, expect.not.stringContaining('DONE')])
    return result
  }

  test('the sandbox is a full one', async () => {
    expect(await held.state()).toMatchObject({ level: 'full', program: expect.stringMatching(/^\/.*bwrap$/) })
  })

  test.each([
    ['beside the workspace', 'echo x > ../outside.txt && echo DONE'],
    ['in the home', 'echo x > ~/new && echo DONE'],
    ['a start-up file', 'echo x >> ~/.bashrc && echo DONE'],
    ['a key that is hidden', 'mkdir -p ~/.ssh && echo x > ~/.ssh/authorized_keys && echo DONE'],
    ['in the system', 'echo x > /etc/maru-test && echo DONE'],
    ['in /usr/local', 'echo x > /usr/local/bin/maru-test && echo DONE'],
    ['to the kernel', 'echo x > /proc/sys/kernel/hostname && echo DONE'],
    ['what the kernel runs', 'cp /proc/sys/kernel/core_pattern p; cat p > /proc/sys/kernel/core_pattern && echo DONE'],
    ['through a link', 'ln -s ../outside.txt out; echo x > out && echo DONE'],
    ['through the root of a process', 'echo x > /proc/1/root/etc/maru-test && echo DONE'],
    ['through an open directory', 'cd /proc/self/cwd/.. && echo x > outside.txt && echo DONE'],
    ['to a disk', 'ls /dev/[hsv]d[a-z] /dev/nvme* && echo DONE'],
    ['by a device of its own', 'mknod disk b 8 0 && echo DONE'],
  ])('a write fails: %s', async (_, command) => {
    await fails(command)
    expect(readFileSync(join(held.base, 'outside.txt'), 'utf8')).toBe('as it was\n')
    expect(readdirSync(held.home).sort()).toEqual(['.npmrc', '.ssh', 'plain.txt'])
    expect(existsSync('/etc/maru-test') || existsSync('/usr/local/bin/maru-test')).toBe(false)
  })

  test('a write outside carries a hint for the model', async () => {
    const { diagnostics } = await held.run('echo x > ~/new')
    expect(diagnostics).toMatchObject([{ code: 'sandbox', hint: expect.stringContaining('ask the user') }])
  })

  test('secrets are not there, the rest of the home is', async () => {
    const { stdout } = await held.run('cat ~/.ssh/id_ed25519; cat ~/.npmrc; ls -A ~/.ssh; cat ~/plain.txt')
    expect(stdout).toBe('plain\n')
    await fails(`cat ${held.home}/.ssh/id_ed25519 && echo DONE`)
    await fails(`ls /proc/*/root${held.home}/.ssh/id_ed25519 && echo DONE`)
    await fails(`cat ${held.maruHome}/sandbox.json && echo DONE`)
    await fails('cat /etc/shadow && test -s /etc/shadow && echo DONE')
  })

  test.each([
    ['a link to it', 'ln -s ~/.ssh keys; cat keys/id_ed25519 && echo DONE'],
    ['moving what hides it', 'mv ~/.ssh ~/.ssh2 && echo DONE'],
    ['taking away what hides it', 'umount ~/.ssh && echo DONE'],
    ['a namespace of its own', 'unshare -Urm sh -c "umount ~/.ssh && cat ~/.ssh/id_ed25519" && echo DONE'],
  ])('a secret cannot be uncovered: %s', async (_, command) => {
    const { stdout = '' } = await fails(command)
    expect(stdout).not.toContain('PRIVATE KEY')
  })

  test.each([
    ['a mount', 'mount -t tmpfs none /mnt && echo DONE'],
    ['a remount', 'mount -o remount,rw / && echo DONE'],
    [
      'a bind mount in a namespace of its own',
      'unshare -Urm sh -c "mount -o remount,rw,bind / && touch /etc/maru-test" && echo DONE',
    ],
    ['another root', 'chroot / true && echo DONE'],
    ['another user', 'su -c true nobody && echo DONE'],
    ['sudo', 'sudo -n true && echo DONE'],
    ['a capability', "grep -q 'CapEff:\t0000000000000000' /proc/self/status || echo DONE; exit 1"],
    ['new privileges', "grep -q 'NoNewPrivs:\t1' /proc/self/status || echo DONE; exit 1"],
    ['a kernel module', 'modprobe dummy && echo DONE'],
    ['the clock', 'date -s 2001-01-01 && echo DONE'],
  ])('no rights are to be had: %s', async (_, command) => {
    await fails(command)
  })

  test('a program that is set to run as its owner does not', async () => {
    await held.run('cp /usr/bin/id mine; chmod u+s mine')
    const { stdout = '' } = await held.run('./mine -u; id -u')
    const [first, second] = stdout.trim().split('\n')
    expect(first).toBe(second)
    expect((await held.run('mount | grep " / " | grep -c nosuid')).stdout).toBe('1\n')
  })

  test('other processes are neither seen nor stopped', async () => {
    const stranger = spawn('sleep', ['300.5'], {
      stdio: 'ignore',
      ...(user === 'nobody' && { uid: 65_534, gid: 65_534 }),
    })
    try {
      await fails(`kill -9 ${stranger.pid} && echo DONE`)
      await fails(`cat /proc/${stranger.pid}/cmdline | grep -q 300.5 && echo DONE`)
      await fails('cat /proc/*/cmdline | tr "\\0" " " | grep -q "sleep 300[.]5" && echo DONE')
      await fails(`ls /proc/${stranger.pid}/root/etc && test "$(cat /proc/${stranger.pid}/comm)" = sleep && echo DONE`)
      await held.run('kill -9 -1')
      expect(await isRunning(String(stranger.pid))).toBe(true)
    } finally {
      stranger.kill('SIGKILL')
    }
  })

  test('nothing outside is traced', async () => {
    const python =
      'import ctypes,os,sys; l=ctypes.CDLL(None,use_errno=True); sys.exit(0 if l.ptrace(16,int(sys.argv[1]),0,0)==0 else 1)'
    const { pid } = held.process
    await fails(`command -v python3 >/dev/null && python3 -c '${python}' ${pid} && echo DONE`)
    await fails(`cat /proc/${pid}/environ && grep -q run-held /proc/${pid}/cmdline && echo DONE`)
  })

  test('a daemon that is left behind does not live on', async () => {
    const word = `3601.${Math.random().toString().slice(2, 12)}`
    const line = `( ( setsid env -i sleep ${word} </dev/null >/dev/null 2>&1 & ) & ); sleep 0.1; echo ok`
    const result = await held.run(line)
    expect([result.stdout, codesOf(result)]).toEqual(['ok\n', ['left-processes']])
    expect(await runningWith(word)).toEqual([])
  })

  describe('with servers outside', () => {
    const servers: Server[] = []
    let port = 0
    let path = ''
    // Nobody else's: another run of these tests may be under way on this machine.
    const abstract = `maru-test-${randomUUID()}`
    beforeAll(async () => {
      if (missing !== undefined) return
      path = join(held.root, '..', 'agent.sock')
      const listen = (where: string | number) =>
        new Promise<Server>((resolve) => {
          const server = createServer((socket) => socket.end('REACHED'))
          servers.push(server)
          if (typeof where === 'number') server.listen(where, '127.0.0.1', () => resolve(server))
          else server.listen(where, () => resolve(server))
        })
      const tcp = await listen(0)
      await listen(path)
      chmodSync(path, 0o777)
      await listen(`\0${abstract}`)
      port = (tcp.address() as { port: number }).port
    })
    afterAll(() => {
      for (const server of servers) server.close()
    })
    const connect = (where: string) =>
      `node -e "require('net').connect(${where}).on('data', (d) => console.log('DONE', String(d))).on('error', () => process.exit(1))"`

    test.each([
      ['a port of this machine', () => connect(`{ port: ${port}, host: '127.0.0.1' }`)],
      ['an abstract socket', () => connect(`'\\\\0${abstract}'`)],
      ['a socket that somebody listens at', () => connect(`'${path}'`)],
      ['an address far away', () => connect("{ port: 80, host: '1.1.1.1' }")],
      ['a name', () => 'getent hosts example.com && echo DONE'],
      ['the daemon of containers', () => 'ls /run/docker.sock /var/run/docker.sock /run/user && echo DONE'],
      ['the message bus', () => 'ls /run/dbus/system_bus_socket && echo DONE'],
      ['a raw socket', () => 'ping -c1 -W1 127.0.0.2 && ping -c1 -W1 1.1.1.1 && echo DONE'],
    ])('nobody is reached: %s', async (_, command) => {
      await fails(command())
    })
  })

  test('nothing can be typed into the terminal of the user', async () => {
    const python = 'import fcntl,termios; fcntl.ioctl(open("/dev/tty"), termios.TIOCSTI, b"x"); print("DONE")'
    await fails(`python3 -c '${python}'`)
    expect((await held.run('tty; ps -o tty= -p $$ 2>/dev/null')).stdout).toMatch(/^not a tty\n/)
  })

  test('limits hold: processes, the size of a file', async () => {
    const { stdout = '' } = await held.run('ulimit -u; ulimit -f; ulimit -c; ulimit -d')
    const [processes, file, core, data] = stdout.trim().split('\n')
    expect([Number(processes), core]).toEqual([4096, '0'])
    expect([Number(file) > 0, Number(data) > 0]).toEqual([true, true])
    await fails('truncate -s 40G big && echo DONE')
  })
})

describe.each(USERS)('protected files, run by %s,', (user) => {
  let held: Held
  beforeAll(async () => {
    if (missing !== undefined) return
    held = await openHeld(user)
    makeRepository(held, user)
    held.put('AGENTS.md', 'rules\n')
    held.put('.vscode/tasks.json', '{}')
    held.put('.github/workflows/ci.yml', 'on: push\n')
    held.put('packages/a/.npmrc', 'registry=x\n')
    held.put('packages/a/index.js', '')
    held.put('.git/modules/sub/HEAD', 'ref: refs/heads/main\n')
    held.put('.git/modules/sub/config', '[core]\n')
  })
  beforeEach((context) => {
    if (missing !== undefined) context.skip(missing)
  })
  afterAll(() => held?.dispose())

  test.each([
    ['a hook', 'echo x > .git/hooks/pre-commit && echo DONE'],
    ['the config, by writing', 'echo "[core]" >> .git/config && echo DONE'],
    ['the config, by git', 'git config core.fsmonitor ./evil && echo DONE'],
    ['the config, by another in its place', 'cp .git/config c && mv -f c .git/config && echo DONE'],
    ['the config, by taking it away', 'rm -f .git/config && echo DONE'],
    ['the hooks, by moving them', 'mv .git/hooks .git/h && echo DONE'],
    ['the config of a submodule', 'echo x >> .git/modules/sub/config && echo DONE'],
    ['the whole repository, by moving it', 'mv .git .git2 && echo DONE'],
    ['the whole repository, by removing it', 'rm -rf .git && echo DONE'],
    ['rules for agents', 'echo x >> AGENTS.md && echo DONE'],
    ['rules for agents, by removing them', 'rm AGENTS.md && echo DONE'],
    ['tasks of an editor', 'echo x > .vscode/tasks.json && echo DONE'],
    ['tasks of an editor, by moving', 'mv .vscode v && echo DONE'],
    ['a new file among those of an editor', 'echo x > .vscode/settings.json && echo DONE'],
    ['what runs on other machines', 'echo x >> .github/workflows/ci.yml && echo DONE'],
    ['one deep down', 'echo x >> packages/a/.npmrc && echo DONE'],
    ['through a link', 'ln -sfn .git link && echo x >> link/config && echo DONE'],
    ['through a second name', 'ln .git/config second && echo x >> second && echo DONE'],
    ['through the open file of another', 'exec 3<.git/config; echo x >> /proc/self/fd/3 && echo DONE'],
  ])('stay as they are: %s', async (_, command) => {
    const before = readFileSync(join(held.root, '.git/config'), 'utf8')
    const result = await held.run(command)
    expect([result.ok, result.stdout ?? '']).toEqual([false, expect.not.stringContaining('DONE')])
    expect(readFileSync(join(held.root, '.git/config'), 'utf8')).toBe(before)
    expect(readFileSync(join(held.root, 'AGENTS.md'), 'utf8')).toBe('rules\n')
    expect(readdirSync(join(held.root, '.vscode'))).toEqual(['tasks.json'])
    expect(readFileSync(join(held.root, '.vscode/tasks.json'), 'utf8')).toBe('{}')
    expect(readFileSync(join(held.root, 'packages/a/.npmrc'), 'utf8')).toBe('registry=x\n')
    expect(existsSync(join(held.root, '.git/hooks/pre-commit'))).toBe(false)
  })

  test.each([
    ['an environment for a shell', 'echo x > .envrc', '.envrc'],
    ['a folder of an editor', 'mkdir -p .idea && echo x > .idea/workspace.xml', '.idea'],
    ['hooks in a folder', 'mkdir .husky && echo x > .husky/pre-commit', '.husky'],
    ['our own settings', 'echo "{}" > maru.json', 'maru.json'],
    ['deep down', 'mkdir -p x/y && echo x > x/y/.envrc', 'x/y/.envrc'],
    ['in another spelling', 'echo x > Agents.MD', 'Agents.MD'],
    ['as a link', 'ln -s a.txt CLAUDE.md', 'CLAUDE.md'],
    ['moved there', 'echo x > plain && mv plain .gitattributes', '.gitattributes'],
    ['the place of other settings of git', 'echo ../evil > .git/commondir', '.git/commondir'],
    [
      'attributes inside the repository',
      'mkdir -p .git/info; echo "* filter=x" > .git/info/attributes',
      '.git/info/attributes',
    ],
    [
      'a repository with a hook',
      'git init -q sub && printf "#!/bin/sh\\n" > sub/.git/hooks/post-checkout && chmod +x sub/.git/hooks/post-checkout',
      'sub/.git',
    ],
    ['a repository with orders', 'git init -q other && git -C other config core.fsmonitor ./evil', 'other/.git'],
    ['a file in the place of a repository', 'mkdir in && echo "gitdir: /somewhere/else" > in/.git', 'in/.git'],
    [
      'by another parent',
      'mv packages/a packages/b && mkdir packages/a && echo evil > packages/a/.npmrc',
      'packages/a/.npmrc',
    ],
  ])('that are new do not stay: %s', async (_, command, path) => {
    const result = await held.run(command)
    expect([result.ok, codesOf(result)]).toEqual([false, ['protected']])
    expect(result.diagnostics?.[0]?.message).toContain(path)
    expect(existsSync(join(held.root, path))).toBe(false)
    const moved = readdirSync(join(held.maruHome, 'moved-away'), { recursive: true }).map(String)
    expect(moved.some((name) => name.endsWith(path))).toBe(true)
  })

  test('leave no trace of having been held', async () => {
    const tree = () => readdirSync(held.root, { recursive: true }).map(String).sort()
    const before = tree()
    await held.run('true')
    expect(tree()).toEqual(before)
  })

  test('written by a tool of ours stay, also while a command runs', async () => {
    const started = await held.call('RunCommand', { command: 'sleep 300', background: true })
    const id = (started.data as { id: string }).id
    await held.call('WriteFile', { path: '.envrc', content: 'export A=1\n' })
    await held.run('true')
    await held.call('CommandOutput', { id, stop: true })
    expect(readFileSync(join(held.root, '.envrc'), 'utf8')).toBe('export A=1\n')
    await held.run('true')
    const changed = await held.run('echo x >> .envrc')
    expect(changed.ok).toBe(false)
  })

  test('made in the background do not stay either', async () => {
    const command = 'until test -e go; do sleep 0.02; done; echo x > .mcp.json; echo made; sleep 300'
    const started = await held.call('RunCommand', { command, background: true })
    const id = (started.data as { id: string }).id
    await held.run('touch go; until test -e .mcp.json; do sleep 0.02; done')
    expect(existsSync(join(held.root, '.mcp.json'))).toBe(false)
    await held.call('CommandOutput', { id, stop: true })
  })

  test('are writable to a command that a person has let out', async () => {
    const permit = { isConfined: false, hosts: ['*'] }
    expect(await held.run('echo x >> AGENTS.md && mkdir .zed && echo ok', { permit })).toMatchObject({ stdout: 'ok\n' })
    await held.run('true')
    expect(existsSync(join(held.root, '.zed'))).toBe(true)
    await held.run('printf "rules\\n" > AGENTS.md; rmdir .zed', { permit })
  })

  test('a link to a file of the user is not moved away in its place', async () => {
    mkdirSync(join(held.root, 'linked'))
    symlinkSync(join(held.home, '.npmrc'), join(held.root, 'linked', '.npmrc'))
    held.own()
    await held.run('echo x >> linked/.npmrc; rm -f linked/.npmrc; echo evil > linked/.npmrc')
    expect(readFileSync(join(held.home, '.npmrc'), 'utf8')).toContain('TOKEN')
    expect(existsSync(join(held.root, 'linked/.npmrc'))).toBe(false)
  })
})
