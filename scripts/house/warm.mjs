import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runQuietly } from './process.mjs'

const PATIENCE_MS = 20_000

/**
 * Runs a new command through a whole small task, so that the compiled code which it leaves for later starts holds what
 * a session needs, not only what `--version` does. The model is a few fixed answers.
 * @param {string} bin
 */
export async function runSampleTask(bin) {
  const place = mkdtempSync(join(tmpdir(), 'maru-warm-'))
  const server = createServer((request, response) => {
    request.resume()
    request.once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(
        answers
          .shift()
          ?.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
          .join(''),
      )
    })
  })
  const answers = [
    call('ReadFile', { path: 'a.txt' }),
    call('WriteFile', { path: 'a.txt', content: 'b\n' }),
    call('ApplyPatch', { patch: '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-b\n+c\n' }),
    call('RunCommand', { command: 'grep -q c a.txt && echo "it is there" | head -1' }),
    done(),
  ]
  try {
    writeFileSync(join(place, 'a.txt'), 'a\n')
    const url = await listen(server)
    const env = { PATH: process.env['PATH'], MARU_HOME: join(place, 'home'), MARU_LANG: 'en' }
    const key = { ANTHROPIC_API_KEY: 'none', ANTHROPIC_BASE_URL: url }
    return await runQuietly(process.execPath, [bin, 'run', '--yes', '--repo', place, 'Write b.'], {
      env: { ...env, ...key },
      timeout: PATIENCE_MS,
    })
  } finally {
    server.close()
    server.closeAllConnections()
    rmSync(place, { recursive: true, force: true })
  }
}

/**
 * @param {import('node:http').Server} server
 * @returns {Promise<string>}
 */
function listen(server) {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address && typeof address === 'object') resolve(`http://127.0.0.1:${address.port}`)
    })
  })
}

/**
 * @param {string} name
 * @param {object} args
 */
function call(name, args) {
  const block = { type: 'tool_use', id: `call_${name}`, name, input: {} }
  return message('tool_use', block, { type: 'input_json_delta', partial_json: JSON.stringify(args) })
}

function done() {
  return message('end_turn', { type: 'text', text: '' }, { type: 'text_delta', text: 'Done.' })
}

/**
 * @param {string} stop
 * @param {object} block
 * @param {object} delta
 */
function message(stop, block, delta) {
  const usage = { input_tokens: 1, output_tokens: 1 }
  return [
    { type: 'message_start', message: { id: 'msg', type: 'message', role: 'assistant', content: [], usage } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stop }, usage },
    { type: 'message_stop' },
  ]
}
