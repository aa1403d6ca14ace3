import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createTranslator } from '@maru/i18n'
import { expect, onTestFinished, test } from 'vitest'
import { readConfigFiles } from '../src/config/read-config-files.ts'
import { resolveSettings } from '../src/config/settings.ts'
import type { Patient, Probe } from '../src/doctor/check.ts'
import { createModelServersProbe } from '../src/doctor/model-servers.ts'
import { providersProbe } from '../src/doctor/settings.ts'
import { shellProbe } from '../src/doctor/shell.ts'
import { terminalProbe } from '../src/doctor/terminal.ts'
import type { Environment } from '../src/environment.ts'
import { makeDirectory } from './run.ts'

async function look(probe: Probe, env: Environment, more: Partial<Patient> = {}) {
  const root = await makeDirectory()
  const place = { home: join(root, 'home'), repo: root }
  const patient: Patient = {
    env: { LANG: 'C.UTF-8', ...env },
    ...place,
    lang: 'en',
    t: createTranslator('en'),
    files: await readConfigFiles(place),
    resolved: resolveSettings({ flags: {}, env, user: {}, project: {} }),
    hasColour: true,
    terminal: { isTerminal: true, columns: 100 },
    nodeVersion: '20.19.0',
    ...more,
  }
  return probe.look(patient, new AbortController().signal)
}

async function serveModels(...ids: string[]): Promise<number> {
  const server = createServer((_request, response) => response.end(JSON.stringify({ data: ids.map((id) => ({ id })) })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

// Who answers at all does so before this is over, however busy the machine is.
const PATIENT_MS = 60_000

const ours = (baseUrl: string) => ({ MARU_PROVIDER: 'openai-chat', OPENAI_BASE_URL: baseUrl })

test('models that this machine offers are listed, all of them in the details', async () => {
  const port = await serveModels('a', 'b', 'c', 'd', 'e')
  expect(await look(createModelServersProbe([{ name: 'Ollama', port }], PATIENT_MS), {})).toEqual([
    {
      id: 'local-models',
      status: 'ok',
      message: 'Models on this machine: Ollama (a, b, c, … +2)',
      detail: ['a', 'b', 'c', 'd', 'e'].map((id) => `http://127.0.0.1:${port} ${id}`).join('\n'),
    },
  ])
})

test('no model server is no fault', async () => {
  expect(await look(createModelServersProbe([{ name: 'Ollama', port: 1 }]), {})).toEqual([
    { id: 'local-models', status: 'ok', message: 'No model server on this machine; ports asked: 1' },
  ])
})

test('a server that is configured and silent is told, with what to do', async () => {
  const url = 'http://127.0.0.1:1/v1'
  expect(await look(createModelServersProbe([]), ours(url))).toEqual([
    {
      id: 'local-models',
      status: 'warning',
      message: `${url}, which is configured, lists no model`,
      hint: 'Start the server there, or set another address: maru config set baseUrl URL',
    },
  ])
  const port = await serveModels('mine')
  expect(await look(createModelServersProbe([], PATIENT_MS), ours(`http://localhost:${port}`))).toMatchObject([
    { status: 'ok', message: 'Models on this machine: config.json (mine)' },
  ])
})

test('an address elsewhere is never asked', async () => {
  for (const url of ['https://models.example.com', 'http://127.0.0.1:1/own/path'])
    expect(await look(createModelServersProbe([]), ours(url))).toMatchObject([{ status: 'ok' }])
})

test('a server of one’s own needs no key', async () => {
  expect(await look(providersProbe, ours('http://127.0.0.1:11434'))).toEqual([
    { id: 'providers', status: 'ok', message: 'Provider openai-chat at http://127.0.0.1:11434, without a key' },
  ])
})

test.each([
  [{ COLORTERM: 'truecolor', TERM: 'xterm-256color' }, 'Terminal: true colours, UTF-8, 100 columns, language en'],
  [{ TERM: 'tmux-256color', TMUX: '/tmp/s,1,0' }, 'Terminal: 256 colours, UTF-8, 100 columns, tmux, language en'],
  [{ TERM: 'linux' }, 'Terminal: 16 colours, UTF-8, 100 columns, language en'],
])('what the terminal can do is told: %j', async (env, message) => {
  expect(await look(terminalProbe, env)).toEqual([{ id: 'terminal', status: 'ok', message }])
})

test('a narrow terminal is told, a pipe has no width', async () => {
  expect(await look(terminalProbe, {}, { terminal: { isTerminal: true, columns: 40 } })).toMatchObject([
    { id: 'terminal', status: 'ok' },
    { id: 'terminal-width', status: 'warning', message: 'The terminal has 40 columns: lines will be broken' },
  ])
  const [check] = await look(terminalProbe, {}, { terminal: { isTerminal: false, columns: 0 }, hasColour: false })
  expect(check?.message).toBe('Terminal: no colours, UTF-8, language en')
})

test('completions that are missing are a hint, those that are there are found', async () => {
  const HOME = await makeDirectory({ '.zshrc': 'source <(maru completions zsh)\n', '.bashrc': '' })
  for (const shell of ['bash', 'fish']) {
    expect(await look(shellProbe, { HOME, SHELL: `/bin/${shell}` })).toEqual([
      {
        id: 'completions',
        status: 'ok',
        message: `Completions for ${shell} are not installed`,
        hint: 'maru completions -h',
      },
    ])
  }
  expect(await look(shellProbe, { HOME, SHELL: '/bin/zsh' })).toMatchObject([
    { message: 'Completions for zsh are installed' },
  ])
  const fish = await makeDirectory({ '.config/fish/completions/maru.fish': '' })
  expect(await look(shellProbe, { HOME: fish, SHELL: '/usr/bin/fish' })).toMatchObject([
    { message: 'Completions for fish are installed' },
  ])
  expect(await look(shellProbe, { HOME, SHELL: '/bin/tcsh' })).toEqual([])
})
