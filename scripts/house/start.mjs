import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'

/**
 * From a bare checkout to a server with something in it, in this very process: keys and signals then reach it with nothing
 * in between.
 * @param {import('./command.mjs').House} house
 * @param {string[]} args
 */
export async function main(house, args) {
  await ensureInstalled(house)
  await ensureBuilt(house)
  const bin = join(house.root, 'packages/cli/bin/maru.cjs')
  process.argv = [process.execPath, bin, 'serve', '--demo', ...args]
  createRequire(bin)(bin)
  // The exit code is the command's own.
  return undefined
}
