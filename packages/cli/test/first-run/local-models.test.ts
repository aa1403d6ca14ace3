import { readFileSync, statSync } from 'node:fs'
import { createServer, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createTranslator } from '@maru/i18n'
import { startScriptedModel } from '@maru/scripted-model'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Invocation } from '../../src/command.ts'
import { createDesk } from '../../src/desk.ts'
import { firstRun } from '../../src/first-run/first-run.ts'
import { findLocalModels, modelsIn } from '../../src/first-run/local-models.ts'
import { readPastedKey } from '../../src/first-run/read-pasted-key.ts'
import { printable } from '../../src/terminal/printable.ts'
import { makeDirectory, run } from '../run.ts'

const never = new AbortController().signal
// Who answers at all does so before this is over, however busy the machine is.
const PATIENT_MS = 60_000

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const listing = (...ids: unknown[]) => JSON.stringify({ object: 'list', data: ids.map((id) => ({ id })) })

test('servers that list models are found; nobody, strangers and the slow are not', async () => {
  const asked: (string | undefined)[] = []
  const good = await serve(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    response.end(listing('qwen3:8b', 'nomic-embed-text', 'llama3'))
  })
  const strangers = await Promise.all([
    serve((_request, response) => void response.end('<html>a page</html>')),
    serve(
      (_request, response) => void response.writeHead(302, { location: `http://127.0.0.1:${good}/v1/models` }).end(),
    ),
    serve((_request, response) => void response.writeHead(404).end(listing('a'))),
    serve((_request, response) => void response.end(listing())),
    serve((_request, response) => void response.end(`${listing('a').slice(0, -1)}${' '.repeat(300_000)}}`)),
  ])
  const slow = await Promise.all([
    serve(() => undefined),
    serve((_request, response) => void response.write(listing('half').slice(0, 20))),
  ])
  const places = (...ports: number[]) => ports.map((port) => ({ name: `p${port}`, port }))
  expect(await findLocalModels(never, places(...slow))).toEqual([])
  expect(await findLocalModels(never, places(...strangers, good, 1), PATIENT_MS)).toEqual([
    { name: `p${good}`, url: `http://127.0.0.1:${good}`, models: ['qwen3:8b', 'llama3'] },
  ])
  expect(asked).toEqual(['GET /v1/models'])
})

test('whatever a port answers, only names that can be shown as they are come of it', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.array(fc.anything()).map((ids) => safeListing(ids)),
      ),
      (text) => {
        for (const name of modelsIn(text)) expect(printable(name)).toBe(name)
      },
    ),
  )
  expect(modelsIn(listing('a\x1b[31m', 'b', 'b', '', 5, null))).toEqual(['b'])
})

function safeListing(ids: unknown[]): string {
  try {
    return listing(...ids)
  } catch {
    // What JSON cannot say (a bigint), no port answers.
    return ''
  }
}

test('a pasted key is itself, whatever it was copied with', () => {
  const keys = fc.stringMatching(/^sk-[A-Za-z0-9_-]{20,60}$/)
  fc.assert(
    fc.property(keys, fc.constantFrom(...['"', "'", '']), fc.constantFrom('', ' ', '\t'), (key, quote, blank) => {
      const vendor = key.startsWith('sk-ant-') ? 'anthropic' : 'openai'
      for (const before of ['', 'export OPENAI_API_KEY=', 'OPENAI_API_KEY='])
        expect(readPastedKey(`${blank}${before}${quote}${key}${quote}${blank}`)).toEqual({ key, vendor })
    }),
  )
  expect(readPastedKey('  ')).toBe(undefined)
  expect(readPastedKey('sk-가나다라마바사아자차카타파하가나다라마바사')).toEqual({ fault: 'odd' })
})

async function invocationOf(args: readonly string[], types: string) {
  const home = join(await makeDirectory(), 'home')
  let screen = ''
  const stream = {
    isTTY: true,
    write: (text: string | Uint8Array) => {
      screen += typeof text === 'string' ? text : new TextDecoder().decode(text)
      return true
    },
  }
  const stdin = (async function* () {
    yield types
  })()
  const desk = await createDesk(args, {
    stdin: Object.assign(stdin, { isTTY: true }),
    stdout: stream,
    stderr: stream,
    env: { MARU_HOME: home, NO_COLOR: '1' },
    cwd: join(home, '..'),
    signal: never,
  })
  const invocation: Invocation = desk.invocation({ options: {}, positionals: [], problems: [] })
  return { invocation, home, screen: () => screen }
}

test('a model found on this machine is chosen by its number and used from then on', async () => {
  const model = await startScriptedModel({ script: () => ({ reply: [{ text: 'From next door.' }] }) })
  onTestFinished(() => model.close())
  // The scripted model lists its models to who has a key, as the vendors do; a server at home asks for none.
  const port = await serve((incoming, response) => {
    if (incoming.url === '/v1/models') response.end(listing('qwen3:8b', 'llama3'))
    else {
      const { headers, method } = incoming
      const outgoing = request(`${model.url}${incoming.url}`, { method, headers }, (answer) => answer.pipe(response))
      incoming.pipe(outgoing)
    }
  })
  const url = `http://127.0.0.1:${port}`
  const { invocation, home, screen } = await invocationOf([], '2\n2\n')
  expect(await firstRun(invocation, { places: [{ name: 'Ollama', port }], limitMs: PATIENT_MS })).toBe('ready')
  expect(screen().replace(/\s+/g, ' ')).toContain(`Ollama at ${url} (qwen3:8b, llama3)`)
  const file = join(home, 'config.json')
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    provider: 'openai-chat',
    baseUrl: url,
    model: 'llama3',
  })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const { code, stdout } = await run(['ask', 'x'], { env: { MARU_HOME: home } })
  expect([code, stdout]).toEqual([0, 'From next door.\n'])
})

test('where none answers, it is said which were asked', async () => {
  const { invocation, screen } = await invocationOf(['--lang', 'ko'], '\n')
  expect(await firstRun(invocation, { places: [{ name: 'Ollama', port: 1 }] })).toBe(2)
  expect(screen()).toContain(createTranslator('ko')('first.no-local', { list: 'Ollama 1' }))
})
