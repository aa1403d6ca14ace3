#!/usr/bin/env node
'use strict'
// Starts the bundle with the code that V8 compiled at an earlier start, kept beside it: most of a start is compiling.
requireNode()
const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')

const dist = path.join(__dirname, '../dist')
const entry = 'maru.cjs'
const keyLength = 64
const slow = new Set(
  ['crypto', 'fs/promises', 'os', 'child_process', 'worker_threads', 'readline', 'zlib'].map((name) => `node:${name}`),
)
/** @type {Map<string, { exports: unknown }>} */
const loaded = new Map()
/** @type {(() => void)[]} */
const unkept = []

if (!fs.existsSync(path.join(dist, entry))) build()
load(entry)
// At the end, so that it holds the functions which this run compiled on its way.
process.once('exit', () => {
  for (const keepOne of unkept) keepOne()
})

function load(/** @type {string} */ name) {
  const known = loaded.get(name)
  if (known) return known.exports
  const module = { exports: {} }
  loaded.set(name, module)
  const file = path.join(dist, name)
  // It is ASCII, and ends with a hash of itself: the key of what is kept, as V8 compares only the source's length.
  const source = fs.readFileSync(file, 'latin1')
  const key = source.slice(-keyLength)
  const kept = readKept(file, key)
  const script = new vm.Script(source, { filename: file, ...(kept && { cachedData: kept }) })
  if (!kept || script.cachedDataRejected) unkept.push(() => keep(file, key, script))
  // Each is a function. Code from V8's cache cannot import() by itself, so the build has put the last parameter where it does.
  script.runInThisContext()(module.exports, requireFrom, module, file, dist, nodeImport)
  return module.exports
}

// The files of the bundle ask for each other by './name'.
function requireFrom(/** @type {string} */ name) {
  if (name.startsWith('./')) return load(name.slice(2))
  return slow.has(name) ? whenUsed(name) : require(name)
}

// Each takes milliseconds to load, and most commands use few of them.
function whenUsed(/** @type {string} */ name) {
  return new Proxy({}, { get: (_, key) => require(name)[key] })
}

// What Node has itself needs no module loader, which takes some milliseconds to begin.
async function nodeImport(/** @type {string} */ name) {
  return name.startsWith('node:') ? require(name) : import(name)
}

// This file keeps to syntax that older versions of Node can parse, so that they get as far as this.
function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  process.stderr.write(`maru needs Node 20.19 or newer (this is ${process.versions.node}). `)
  process.stderr.write('Node 20.19 이상이 필요합니다.\n')
  process.exit(2)
}

function readKept(/** @type {string} */ file, /** @type {string} */ key) {
  try {
    const kept = fs.readFileSync(`${file}.cache`)
    return kept.toString('latin1', 0, keyLength) === key ? kept.subarray(keyLength) : undefined
  } catch {
    // Not there or not readable: the start is slower, and that is all.
    return undefined
  }
}

function keep(/** @type {string} */ file, /** @type {string} */ key, /** @type {import('node:vm').Script} */ script) {
  try {
    const fresh = `${file}.${process.pid}.new`
    fs.writeFileSync(fresh, Buffer.concat([Buffer.from(key, 'latin1'), script.createCachedData()]))
    fs.renameSync(fresh, `${file}.cache`)
  } catch {
    // A read-only place: the next start compiles again.
  }
}

function build() {
  const scripts = path.join(__dirname, '../../../scripts/build.mjs')
  if (!fs.existsSync(scripts)) {
    process.stderr.write(`maru: ${path.join(dist, entry)} is missing; install maru again.\n`)
    process.exit(1)
  }
  process.stderr.write('maru: not built yet; building it once\n')
  const { status } = require('node:child_process').spawnSync(process.execPath, [scripts], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status || 1)
}
