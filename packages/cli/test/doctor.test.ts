import { execFileSync } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTranslator } from '@maru/i18n'
import { expect, test } from 'vitest'
import { readConfigFiles } from '../src/config/read-config-files.ts'
import { resolveSettings } from '../src/config/settings.ts'
import { type Check, examine, type Patient } from '../src/doctor/check.ts'
import { nodeProbe } from '../src/doctor/programs.ts'
import { sandboxProbe } from '../src/doctor/sandbox.ts'
import { makeDirectory, run } from './run.ts'

const goodPrograms = {
  git: 'echo git version 2.45.1',
  bwrap: 'exit 0',
}

interface Machine {
  readonly programs?: { readonly [name: string]: string }
  readonly files?: { readonly [path: string]: string }
}

async function makeMachine({ programs = goodPrograms, files = {} }: Machine = {}) {
  const root = await makeDirectory({ 'bin/x': '', 'repo/x': '', ...files })
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(root, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  }
  const env = { MARU_HOME: join(root, 'home'), PATH: join(root, 'bin'), LANG: 'C.UTF-8' }
  return { root, env, cwd: join(root, 'repo') }
}

async function examined(machine: Awaited<ReturnType<typeof makeMachine>>, env = {}): Promise<Map<string, Check>> {
  const { stdout } = await run(['doctor', '--json'], { ...machine, env: { ...machine.env, ...env } })
  const { checks } = JSON.parse(stdout) as { checks: Check[] }
  return new Map(checks.map((check) => [check.id, check]))
}

test('on a good machine every line is ok', async () => {
  const machine = await makeMachine({
    files: { 'home/config.json': '{ "model": "x" }', 'home/sessions/a.jsonl': '{}' },
  })
  await chmod(join(machine.root, 'home'), 0o700)
  await chmod(join(machine.root, 'home/sessions'), 0o700)
  const env = { ...machine.env, ANTHROPIC_API_KEY: 'sk-ant-0123456789' }
  const { code, stdout, stderr } = await run(['doctor'], { ...machine, env })
  expect({
    code,
    stderr,
    stdout: stdout
      .replace(/[\d.]+ [GM]B free/, 'N GB free')
      .replace(/ripgrep \d[\d.]*/, 'ripgrep V')
      .replaceAll(machine.root, ''),
  }).toEqual({
    code: 0,
    stderr: '',
    stdout: `ok       Node ${process.versions.node}
ok       git 2.45.1
ok       ripgrep V
ok       Sandbox: full (bubblewrap)
ok       /home/config.json is valid
ok       No /repo/maru.json
ok       Keys: anthropic (ANTHROPIC_API_KEY)
ok       Data directory /home
ok       N GB free on the disk
ok       1 session, 1 KB
ok       Terminal: no colours, language en

0 problems, 0 warnings
`,
  })
})

test('on a bare machine each warning says what to do, in Korean too', async () => {
  const machine = await makeMachine({ programs: {} })
  const { code, stdout } = await run(['doctor', '--quiet', '--lang', 'ko'], machine)
  expect([code, stdout]).toEqual([
    0,
    `주의  git을 찾을 수 없습니다
      → git을 설치하십시오. 없으면 폴더로만 다루며, 비교할 이력이 없습니다
주의  샌드박스: none, bubblewrap(bwrap)을 찾을 수 없습니다
      → bubblewrap을 설치하고 사용자 네임스페이스를 허용하십시오. 그전에는 승인을 더 자주 묻습니다
주의  설정된 API 키가 없습니다
      → ANTHROPIC_API_KEY를 설정하거나 다음을 실행하십시오: maru config set keys.anthropic -
`,
  ])
})

test('a wrong config file is a problem with all its errors, and the exit code tells', async () => {
  const machine = await makeMachine({ files: { 'home/config.json': '{ "modle": 1,\n "mode": "x" }' } })
  const { code, stdout } = await run(['doctor', '--json'], machine)
  const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Check[] }
  const file = join(machine.root, 'home/config.json')
  expect([code, ok]).toEqual([1, false])
  expect(checks.find(({ id }) => id === 'config-user')).toEqual({
    id: 'config-user',
    status: 'problem',
    message: `${file} has 2 problems`,
    detail: `${file}:1:3 unknown key "modle"; did you mean "model"?\n${file}:2:10 "mode" must be one of: ask, auto, read-only, yes`,
    hint: 'Correct the file; nothing was changed',
  })
})

test('no key is ever shown, wherever it stands', async () => {
  const config = '{ "keys": { "openai": "sk-0123456789abc", "openai-chat": { "command": "echo 0123456789" } } }'
  const machine = await makeMachine({ files: { 'home/config.json': config } })
  const env = { ...machine.env, ANTHROPIC_API_KEY: 'sk-ant-0123456789' }
  for (const args of [
    ['doctor', '--verbose'],
    ['doctor', '--json'],
  ]) {
    const { stdout, stderr } = await run(args, { ...machine, env })
    expect(stdout + stderr).not.toContain('0123456789')
  }
  expect((await examined(machine, { MARU_PROVIDER: 'anthropic' })).get('providers')).toEqual({
    id: 'providers',
    status: 'warning',
    message: 'No key for anthropic, which is chosen; there are: openai (config.json), openai-chat (from a command)',
    hint: 'Set ANTHROPIC_API_KEY, or run: maru config set keys.anthropic -',
  })
})

test('what others may read is warned about', async () => {
  const config = '{ "keys": { "anthropic": "sk-0123456789abc" } }'
  const machine = await makeMachine({ files: { 'home/config.json': config, 'home/sessions/a.jsonl': '{}' } })
  const home = join(machine.root, 'home')
  await chmod(home, 0o755)
  await chmod(join(home, 'config.json'), 0o644)
  await chmod(join(home, 'sessions'), 0o700)
  await chmod(join(home, 'sessions/a.jsonl'), 0o644)
  const checks = await examined(machine)
  expect(['config-user', 'data', 'sessions'].map((id) => [checks.get(id)?.status, checks.get(id)?.hint])).toEqual([
    ['warning', `chmod 600 ${home}/config.json`],
    ['warning', `chmod 700 ${home}`],
    ['warning', `chmod -R go-rwx ${home}/sessions`],
  ])
})

test('a data directory that is a file is a problem', async () => {
  const machine = await makeMachine({ files: { home: 'x' } })
  expect((await examined(machine)).get('data')?.status).toBe('problem')
})

test('a named pipe in place of a config file does not make it wait', async () => {
  const machine = await makeMachine()
  execFileSync('mkfifo', [join(machine.cwd, 'maru.json')])
  expect((await examined(machine)).get('config-project')).toMatchObject({ status: 'problem' })
})

test('wrong variables are told', async () => {
  const checks = await examined(await makeMachine(), { MARU_PROVIDER: 'nobody', MARU_LANG: 'fr', LANG: 'C' })
  expect(['environment', 'language', 'terminal'].map((id) => checks.get(id)?.status)).toEqual([
    'problem',
    'warning',
    'warning',
  ])
})

test('a sandbox that the system refuses is none, with the reason made safe to print', async () => {
  const bwrap = `printf 'bwrap: no permission \\033[31m\\n' >&2; exit 1`
  const machine = await makeMachine({ programs: { ...goodPrograms, bwrap } })
  expect((await examined(machine)).get('sandbox')).toMatchObject({
    status: 'warning',
    message: 'Sandbox: none, bubblewrap is there but this system does not let it work',
    detail: 'bwrap: no permission \\x1b[31m',
  })
})

test('inside a container that refuses only a fresh /proc, the sandbox still holds', async () => {
  const bwrap = 'case "$*" in *--proc*) exit 1;; *) exit 0;; esac'
  const machine = await makeMachine({ programs: { ...goodPrograms, bwrap } })
  expect((await examined(machine)).get('sandbox')).toMatchObject({
    status: 'ok',
    message: 'Sandbox: full (bubblewrap, without a /proc of its own)',
  })
})

test('programs of the repository itself are not run', async () => {
  const machine = await makeMachine({ programs: {} })
  await writeFile(join(machine.cwd, 'git'), `#!/bin/sh\necho git version 9.9.9\n`, { mode: 0o755 })
  for (const PATH of [machine.cwd, '.', '']) {
    expect((await examined(machine, { PATH })).get('git')?.message).toBe('git was not found')
  }
})

async function patientOf(machine: Awaited<ReturnType<typeof makeMachine>>): Promise<Patient> {
  const { cwd: repo, env } = machine
  const files = await readConfigFiles({ home: env.MARU_HOME, repo })
  const resolved = resolveSettings({ flags: {}, env, user: {}, project: {} })
  const rest = { lang: 'en', t: createTranslator('en'), hasColour: false, nodeVersion: '18.1.0' } as const
  return { env, home: env.MARU_HOME, repo, files, resolved, ...rest }
}

test('a program that hangs costs its own check and no other', async () => {
  const machine = await makeMachine({ programs: { bwrap: 'exec sleep 600' } })
  const never = new AbortController().signal
  const patient = await patientOf(machine)
  expect(await examine([sandboxProbe, nodeProbe], patient, { signal: never, limitMs: 200 })).toEqual([
    { id: 'sandbox', status: 'warning', message: 'Looking at "sandbox" took longer than 0.2 seconds' },
    {
      id: 'node',
      status: 'problem',
      message: 'Node 18.1.0 is too old: 20.19 or newer is needed',
      hint: 'Install a newer Node from https://nodejs.org',
    },
  ])
})

test('a probe that breaks is a finding, not the end', async () => {
  const broken = { id: 'broken', look: () => Promise.reject(new Error('no luck')) }
  const patient = await patientOf(await makeMachine())
  expect(await examine([broken], patient, { signal: new AbortController().signal, limitMs: 1000 })).toEqual([
    { id: 'broken', status: 'warning', message: 'Looking at "broken" failed: no luck' },
  ])
})
