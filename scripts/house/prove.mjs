import { ensureInstalled } from './install.mjs'
import { runInTerminal } from './process.mjs'

/**
 * Installs, then runs the long proof that the arguments name.
 * @param {import('./command.mjs').House} house
 * @param {string[]} args
 */
export async function main(house, args) {
  await ensureInstalled(house)
  return runInTerminal(process.execPath, ['--import', 'tsx', 'proofs/run.ts', ...args], { cwd: house.root })
}
