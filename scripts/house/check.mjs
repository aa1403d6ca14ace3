import { ensureInstalled } from './install.mjs'
import { packageCommand, runQuietly } from './process.mjs'

/**
 * Installs what is missing and runs every step of the check; 1 when one of them fails.
 * @param {import('./command.mjs').House} house
 */
export async function main(house) {
  await ensureInstalled(house)
  const start = Date.now()
  const failed = await runSteps(house, checkSteps(house.root))
  const seconds = ((Date.now() - start) / 1000).toFixed(1)
  house.say(failed.length === 0 ? `check passed in ${seconds} s` : `check failed: ${failed.join(', ')}`)
  return failed.length === 0 ? 0 : 1
}

/**
 * Runs the steps two at a time (more only fight over two cores), prints each with its time, and shows what a failing
 * one has printed.
 * @param {import('./command.mjs').House} house
 * @param {Step[]} steps
 * @returns {Promise<string[]>} the names of the steps that failed
 */
export async function runSteps({ root, say }, steps) {
  const waiting = [...steps]
  /** @type {string[]} */
  const failed = []
  const work = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const start = Date.now()
      const { code, output } = await runQuietly(process.execPath, step.args, { cwd: root })
      const took = `${((Date.now() - start) / 1000).toFixed(1)} s`
      say(`${code === 0 ? '✓' : '✗'} ${step.name.padEnd(8)} ${took}`)
      if (code === 0) continue
      failed.push(step.name)
      if (output !== '') process.stdout.write(`${output.trimEnd()}\n`)
    }
  }
  await Promise.all([work(), work()])
  return failed
}

/**
 * The slowest first, so that two cores end at about the same time.
 * @param {string} root
 * @returns {Step[]}
 */
function checkSteps(root) {
  return [
    { name: 'oxlint', args: [packageCommand(root, 'oxlint'), '--type-aware', '--deny-warnings'] },
    { name: 'types', args: [packageCommand(root, 'typescript', 'tsc'), '--singleThreaded', '--pretty', 'false'] },
    { name: 'house', args: ['--import', 'tsx', 'scripts/check-house.ts'] },
    { name: 'biome', args: [packageCommand(root, '@biomejs/biome', 'biome'), 'check', '--error-on-warnings', '.'] },
  ]
}

/** @typedef {{ name: string, args: string[] }} Step */
