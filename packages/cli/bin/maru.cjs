#!/usr/bin/env node
'use strict'
// Starts the bundle with the code that V8 compiled at an earlier start, kept beside it: most of a start is compiling.
requireNode()
const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')

const bundle = path.join(__dirname, '../dist/maru.cjs')
const keptFile = `${bundle}.cache`
const keyLength = 64

if (!fs.existsSync(bundle)) build()
// The bundle is ASCII, and ends with a hash of itself: the key of what is kept, as V8 compares only the source's length.
const source = fs.readFileSync(bundle, 'latin1')
const key = source.slice(-keyLength)
const kept = readKept()
const script = new vm.Script(`(function(exports,require,module,__filename,__dirname,nodeImport){${source}\n})`, {
  filename: bundle,
  ...(kept && { cachedData: kept }),
})
// At the end, so that it holds the functions which this run compiled on its way.
if (!kept || script.cachedDataRejected) process.once('exit', keep)
const main = script.runInThisContext()
// Code from V8's cache cannot import() by itself, so the build has put the last parameter where it does.
main({}, require, { exports: {} }, bundle, path.dirname(bundle), nodeImport)

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

function readKept() {
  try {
    const file = fs.readFileSync(keptFile)
    return file.toString('latin1', 0, keyLength) === key ? file.subarray(keyLength) : undefined
  } catch {
    // Not there or not readable: the start is slower, and that is all.
    return undefined
  }
}

function keep() {
  try {
    const fresh = `${keptFile}.${process.pid}`
    fs.writeFileSync(fresh, Buffer.concat([Buffer.from(key, 'latin1'), script.createCachedData()]))
    fs.renameSync(fresh, keptFile)
  } catch {
    // A read-only place: the next start compiles again.
  }
}

function build() {
  const scripts = path.join(__dirname, '../../../scripts/build.mjs')
  if (!fs.existsSync(scripts)) {
    process.stderr.write(`maru: ${bundle} is missing; install maru again.\n`)
    process.exit(1)
  }
  process.stderr.write('maru: not built yet; building it once\n')
  const { status } = require('node:child_process').spawnSync(process.execPath, [scripts], { stdio: ['ignore', 2, 2] })
  if (status !== 0) process.exit(status || 1)
}
