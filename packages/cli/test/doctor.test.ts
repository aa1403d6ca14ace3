import { execFileSync } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTranslator } from '@maru/i18n'
import { expect, test } from 'vitest'
import { readConfigFiles } from '../src/config/read-config-files.ts'
import { resolveSettings } from '../src/config/settings.ts'
import { type Check, examine, type Patient } from '../src/doctor/check.ts'
import { nodeProbe } from '../src/doctor/programs.ts'
import { createSandboxProbe } from '../src/doctor/sandbox.ts'
import { makeDirectory, run } from './run.ts'

const goodPrograms = { git: 'echo git version 2.45.1' }

// What it says of the sandbox depends on the machine that the tests run on: it is the system's, never one in PATH. Where
// the machine is busy it may say that looking at it took too long.
const SANDBOX_LINES = /^\S+ +((Sandbox|샌드박스): |.*"sandbox").*\n( +→.*\n)?/m

// Which servers run here depends on the machine too.
const MODEL_LINE = /^\S+ +(Models on this machine|No model server).*\n/m

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
      .replace(SANDBOX_LINES, '')
      .replace(MODEL_LINE, '')
      .replace(/\d warnings?$/m, 'N warnings')
      .replaceAll(machine.root, ''),
  }).toEqual({
    code: 0,
    stderr: '',
    stdout: `ok       Node ${process.versions.node}
ok       git 2.45.1
ok       ripgrep V
ok       /home/config.json is valid
ok       No /repo/maru.json
ok       Keys: anthropic (ANTHROPIC_API_KEY)
ok       Data directory /home
ok       N GB free on the disk
ok       1 session, 1 KB
ok       Terminal: no colours, UTF-8, language en

0 problems, N warnings
`,
  })
})

test('on a bare machine each warning says what to do, in Korean too', async () => {
  const machine = await makeMachine({ programs: {} })
  const { code, stdout } = await run(['doctor', '--quiet', '--lang', 'ko'], machine)
  expect([code, stdout.replace(SANDBOX_LINES, '')]).toEqual([
    0,
    `주의  git을 찾을 수 없습니다
      → git을 설치하십시오. 없으면 폴더로만 다루며, 비교할 이력이 없습니다
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

const sandboxOf = async (trial: Awaited<ReturnType<Parameters<typeof createSandboxProbe>[0]>>) => {
  const patient = await patientOf(await makeMachine())
  const [check] = await createSandboxProbe(async () => trial).look(patient, new AbortController().signal)
  return check
}

test('a sandbox that the system refuses is none, with the reason made safe to print', async () => {
  const state = { level: 'none', reason: 'refused', detail: 'bwrap: no permission \x1b[31m' } as const
  expect(await sandboxOf({ state, kept: [] })).toMatchObject({
    status: 'warning',
    message: 'Sandbox: none, bubblewrap is there but this system does not let it work',
    detail: 'bwrap: no permission \\x1b[31m',
    hint: expect.stringContaining('kernel.unprivileged_userns_clone=1'),
  })
})

test('a sandbox that is not there is none, and what to install is said', async () => {
  expect(await sandboxOf({ state: { level: 'none', reason: 'missing' }, kept: [] })).toMatchObject({
    status: 'warning',
    message: 'Sandbox: none, bubblewrap (bwrap) was not found',
    hint: expect.stringContaining('Install bubblewrap'),
  })
})

test('inside a container that refuses only a fresh /proc, the sandbox still holds', async () => {
  const state = { level: 'shared-proc', program: '/usr/bin/bwrap' } as const
  expect(await sandboxOf({ state, kept: [{ promise: 'network', isKept: true }] })).toEqual({
    id: 'sandbox',
    status: 'ok',
    message: 'Sandbox: full (bubblewrap, without a /proc of its own)',
    detail: '/usr/bin/bwrap\nthe network',
  })
})

test('a sandbox that does not hold what it should is a problem', async () => {
  const state = { level: 'full', program: '/usr/bin/bwrap' } as const
  const kept = [
    { promise: 'network', isKept: false },
    { promise: 'secrets', isKept: true },
  ] as const
  expect(await sandboxOf({ state, kept })).toMatchObject({
    status: 'problem',
    message: 'The sandbox does not hold what it should: the network',
  })
})

test('the sandbox of this machine holds what it should, or is none', async () => {
  const check = (await examined(await makeMachine())).get('sandbox')
  expect(check?.status).not.toBe('problem')
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
  const terminal = { isTerminal: false, columns: 0 }
  return { env, home: env.MARU_HOME, repo, files, resolved, terminal, ...rest }
}

test('a program that hangs costs its own check and no other', async () => {
  const machine = await makeMachine()
  const hanging = createSandboxProbe(() => new Promise(() => undefined))
  const never = new AbortController().signal
  const patient = await patientOf(machine)
  expect(await examine([hanging, nodeProbe], patient, { signal: never, limitMs: 200 })).toEqual([
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
