import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { runInTerminal } from './process.mjs'

/**
 * Installs and builds, then measures what the arguments name.
 * @param {import('./command.mjs').House} house
 * @param {string[]} args
 */
export async function main(house, args) {
  await ensureInstalled(house)
  await ensureBuilt(house)
  return runInTerminal(process.execPath, ['--import', 'tsx', 'bench/run.ts', ...args], { cwd: house.root })
}
