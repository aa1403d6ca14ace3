'use strict'
// The least that does an agent's work: no log, no policy, no checks, nothing kept. A bound to measure by, not a rival.
const fs = require('node:fs/promises')
const http = require('node:http')

const FRAME_MS = 16
const address = new URL('/v1/messages', process.env['ANTHROPIC_BASE_URL'])
const agent = new http.Agent({ keepAlive: true })
const tools = [
  describeTool('ReadFile', ['path']),
  describeTool('WriteFile', ['path', 'content']),
  describeTool('RunCommand', ['command']),
  describeTool('ApplyPatch', ['patch']),
]

/**
 * @typedef {{ type: string, text?: string, id?: string, name?: string, input?: unknown }} Block
 * @typedef {{ path: string, content: string, command: string, patch: string }} Arguments
 */

/** @type {{ role: string, content: unknown }[]} */
const messages = [{ role: 'user', content: process.argv[2] }]
let pending = ''
/** @type {NodeJS.Timeout | undefined} */
let timer

void work()

async function work() {
  for (;;) {
    const blocks = await ask()
    messages.push({ role: 'assistant', content: blocks })
    const calls = blocks.filter(({ type }) => type === 'tool_use')
    if (calls.length === 0) break
    const results = []
    for (const { id, name, input } of calls) {
      const content = await callTool(name, /** @type {Arguments} */ (input))
      results.push({ type: 'tool_result', tool_use_id: id, content })
    }
    messages.push({ role: 'user', content: results })
  }
  print()
  agent.destroy()
}

/** @returns {Promise<Block[]>} */
function ask() {
  const body = JSON.stringify({
    model: 'claude-sonnet-4-5',
    max_tokens: 8192,
    stream: true,
    system: 'You are a coding agent.',
    tools,
    messages,
  })
  const headers = {
    'content-type': 'application/json',
    'x-api-key': process.env['ANTHROPIC_API_KEY'],
    'anthropic-version': '2023-06-01',
  }
  return new Promise((resolve, reject) => {
    const request = http.request(address, { method: 'POST', agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`the model answered ${response.statusCode}`))
      /** @type {Block[]} */
      const blocks = []
      let rest = ''
      let json = ''
      response.setEncoding('utf8')
      response.on('data', (text) => {
        const events = (rest + text).split('\n\n')
        rest = events.pop() ?? ''
        for (const event of events) json = step(blocks, json, JSON.parse(event.slice(event.indexOf('data: ') + 6)))
      })
      response.on('end', () => resolve(blocks))
    })
    request.on('error', reject)
    request.end(body)
  })
}

/**
 * @param {Block[]} blocks
 * @param {string} json the arguments of the open call, as far as they have come
 * @param {any} event
 */
function step(blocks, json, event) {
  const open = blocks.at(-1)
  if (event.type === 'content_block_start') blocks.push(event.content_block)
  else if (event.type === 'content_block_delta') {
    if (event.delta.type === 'input_json_delta') return json + event.delta.partial_json
    if (open) open.text += event.delta.text
    pending += event.delta.text
    timer ??= setTimeout(print, FRAME_MS)
  } else if (event.type === 'content_block_stop' && open?.type === 'tool_use') open.input = JSON.parse(json)
  else return json
  return ''
}

function print() {
  clearTimeout(timer)
  timer = undefined
  if (pending !== '') process.stdout.write(pending)
  pending = ''
}

/**
 * @param {string | undefined} name
 * @param {Arguments} args
 */
async function callTool(name, { path, content, command, patch }) {
  if (name === 'ReadFile') return fs.readFile(path, 'utf8')
  if (name === 'RunCommand') return runCommand(command)
  if (name === 'ApplyPatch') return applyPatch(patch)
  await fs.writeFile(path, content)
  return 'written'
}

/**
 * One hunk of one line in one file, and no checks.
 * @param {string} patch
 */
async function applyPatch(patch) {
  const [, path = '', before = '', after = ''] = /^--- a\/(.*)\n.*\n.*\n-(.*)\n\+(.*)\n$/.exec(patch) ?? []
  const text = await fs.readFile(path, 'utf8')
  await fs.writeFile(path, text.replace(before, after))
  return 'patched'
}

/**
 * @param {string} command
 * @returns {Promise<string>}
 */
function runCommand(command) {
  const childProcess = require('node:child_process')
  return new Promise((resolve) => {
    const words = ['--noprofile', '--norc', '-c', command]
    const child = childProcess.spawn('/bin/bash', words, { stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (text) => (output += text))
    child.stderr.on('data', (text) => (output += text))
    child.on('close', (code) => resolve(`exit ${code}\n${output}`))
  })
}

/**
 * @param {string} name
 * @param {string[]} required
 */
function describeTool(name, required) {
  const properties = Object.fromEntries(required.map((property) => [property, { type: 'string' }]))
  return { name, description: name, input_schema: { type: 'object', properties, required } }
}
