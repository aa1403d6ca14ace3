import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

/** @type {readonly NodeJS.Signals[]} */
const ENDINGS = ['SIGINT', 'SIGTERM', 'SIGHUP']
const PATIENCE_MS = 1_000

/**
 * Runs a program and keeps what it prints; it is for the caller to decide whether anyone wants to see that.
 * A program that cannot be started gives code 127 and the reason as output.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeout?: number, shell?: boolean }} [options]
 * @returns {Promise<{ code: number, output: string }>}
 */
export function runQuietly(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = own(spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] }))
    /** @type {Buffer[]} */
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('error', (error) => resolve({ code: 127, output: error.message }))
    child.on('close', (code, signal) => {
      resolve({ code: exitCode(code, signal), output: Buffer.concat(chunks).toString('utf8') })
    })
  })
}

/**
 * Runs a program that talks to the terminal itself, and gives its exit code.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<number>}
 */
export function runInTerminal(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...options, stdio: 'inherit' })
    // Ctrl-C reaches the child by itself: the parent only has to outlive it, to pass on its exit code.
    const outlive = () => {}
    const pass = () => child.kill('SIGTERM')
    process.on('SIGINT', outlive)
    process.on('SIGTERM', pass)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      process.off('SIGINT', outlive)
      process.off('SIGTERM', pass)
      resolve(exitCode(code, signal))
    })
  })
}

/**
 * The JavaScript file behind an installed package's command, so that no shell or `.cmd` shim is needed.
 * @param {string} root
 * @param {string} name of the package
 * @param {string} [command] when it is not called like the package
 */
export function packageCommand(root, name, command = name) {
  const folder = join(root, 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[command])
}

/** @type {Set<import('node:child_process').ChildProcess>} */
const owned = new Set()
/** @type {number | undefined} */
let endingWith

/**
 * Ends a child when this process is told to end, and only then ends itself: an npm left alone goes on for a while in a
 * folder that the next command would believe to be its own.
 * @template {import('node:child_process').ChildProcess} T
 * @param {T} child
 */
function own(child) {
  if (owned.size === 0) for (const signal of ENDINGS) process.on(signal, endAll)
  owned.add(child)
  child.on('close', () => {
    owned.delete(child)
    if (owned.size > 0) return
    if (endingWith !== undefined) process.exit(endingWith)
    for (const signal of ENDINGS) process.off(signal, endAll)
  })
  return child
}

/** @param {NodeJS.Signals} signal */
function endAll(signal) {
  endingWith = exitCode(null, signal)
  for (const child of owned) {
    child.kill(signal)
    setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
  }
}

/**
 * @param {number | null} code
 * @param {NodeJS.Signals | null} signal
 */
function exitCode(code, signal) {
  return signal === null ? (code ?? 1) : 128 + constants.signals[signal]
}
