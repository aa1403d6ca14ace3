import { ensureBuilt } from './build.mjs'
import { main as check } from './check.mjs'
import { ensureInstalled } from './install.mjs'
import { packageCommand, runInTerminal } from './process.mjs'
import { providePrograms } from './programs.mjs'

/**
 * Everything from a bare checkout to the closing line. Arguments go to vitest; they mean that someone is at work on a
 * part, so the check is left for the end of that work.
 * @param {import('./command.mjs').House} house
 * @param {string[]} args
 */
export async function main(house, args) {
  await ensureInstalled(house)
  const programs = await providePrograms(house)
  if (args.length === 0) {
    const failed = await check(house)
    if (failed !== 0) return failed
  } else {
    house.say('check skipped: only the tests asked for are run')
  }
  await ensureBuilt(house)
  return runInTerminal(process.execPath, [packageCommand(house.root, 'vitest'), 'run', ...args], {
    cwd: house.root,
    env: { ...process.env, ...programs },
  })
}
