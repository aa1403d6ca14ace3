import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const BEAT_MS = 5_000
const SILENT_MS = 30_000
const POLL_MS = 200

/**
 * Does `work` while no other command works on this checkout; waits for its turn, and says so once.
 *
 * The lock stands beside node_modules because `npm ci` empties that folder. Its holder touches it every few seconds;
 * it counts as left behind when its process is gone, or (another machine or container, a reused process id) when
 * nobody has touched it for long.
 * @template T
 * @param {import('./command.mjs').House} house
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock({ root, say }, work) {
  const file = join(root, '.house-lock')
  const mine = `${process.pid} ${hostname()} ${Date.now()}`
  let said = false
  while (!take(file, mine)) {
    const holder = readHolder(file)
    if (holder === undefined) continue
    if (isLeftBehind(holder)) {
      removeLeftBehind(file, holder.text)
      continue
    }
    if (!said) say(`waiting for another command that installs or builds here (process ${holder.pid})`)
    said = true
    await sleep(POLL_MS)
  }
  const beat = setInterval(() => touch(file, mine), BEAT_MS)
  const release = () => {
    clearInterval(beat)
    if (readHolder(file)?.text === mine) rmSync(file, { force: true })
  }
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

/**
 * @param {string} file
 * @param {string} mine
 */
function take(file, mine) {
  try {
    writeFileSync(file, mine, { flag: 'wx' })
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

/**
 * @param {string} file
 * @returns {Holder | undefined} undefined when the lock has just been given back
 */
function readHolder(file) {
  try {
    const text = readFileSync(file, 'utf8')
    const [pid = '', host = ''] = text.split(' ')
    return { text, pid: Number(pid), host, silentMs: Date.now() - statSync(file).mtimeMs }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** @param {Holder} holder */
function isLeftBehind({ text, pid, host, silentMs }) {
  if (silentMs > SILENT_MS) return true
  // An empty file is a lock between its creation and the writing of its text.
  return text !== '' && host === hostname() && !isAlive(pid)
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}

/**
 * Moves the lock aside before removing it: of two commands that both found it left behind, one moves the old lock and
 * the other may move the new lock of the first, which it then finds to be alive and puts back.
 * @param {string} file
 * @param {string} text
 */
function removeLeftBehind(file, text) {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return
    throw error
  }
  if (readFileSync(aside, 'utf8') === text) rmSync(aside, { force: true })
  else renameSync(aside, file)
}

/**
 * @param {string} file
 * @param {string} mine
 */
function touch(file, mine) {
  const now = new Date()
  if (readHolder(file)?.text === mine) utimesSync(file, now, now)
}

/**
 * @param {unknown} error
 * @param {string} code
 */
function isCode(error, code) {
  return error instanceof Error && 'code' in error && error.code === code
}

/** @typedef {{ text: string, pid: number, host: string, silentMs: number }} Holder */
