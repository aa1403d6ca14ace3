import { ensureBuilt } from './build.mjs'
import { ensureInstalled } from './install.mjs'

/**
 * From a bare checkout to a `maru` that starts.
 * @param {import('./command.mjs').House} house
 */
export async function main(house) {
  await ensureInstalled(house)
  await ensureBuilt(house)
  house.say('maru is built: npx maru --help')
  return 0
}
