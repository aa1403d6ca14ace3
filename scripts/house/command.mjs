import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * Runs one of the npm scripts: checks Node, then loads and runs `main(house, args)`, whose number is the exit code.
 *
 * This file and its callers parse on any Node with ES modules, so that an old one gets the line below and not a
 * SyntaxError; that is why the rest is loaded only after the check.
 * @param {() => Promise<{ main: (house: House, args: string[]) => Promise<number | undefined> }>} load
 */
export function runCommand(load) {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const complaint = complainAboutNode(process.versions.node, engines.node)
  if (complaint !== undefined) {
    process.stderr.write(`${complaint}\n`)
    process.exitCode = 2
    return
  }
  load()
    .then((module) => module.main({ root, say }, process.argv.slice(2)))
    .then(
      (code) => {
        if (code !== undefined) process.exitCode = code
      },
      (error) => {
        process.exitCode = 1
        // A HouseError is an expected failure that already says what to do: its stack would only hide that.
        if (error.name !== 'HouseError') process.stderr.write(`${error.stack}\n`)
        else process.stderr.write(`${error.detail === '' ? '' : `${error.detail}\n`}house: ${error.message}\n`)
      },
    )
}

/**
 * One line in English and Korean when this Node is older than `engines.node` (`>=MAJOR.MINOR`) asks for.
 * @param {string} version
 * @param {string} wanted
 * @returns {string | undefined}
 */
export function complainAboutNode(version, wanted) {
  const least = wanted.replace('>=', '')
  const [major, minor] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = least.split('.').map(Number)
  if (Number(major) > Number(leastMajor)) return undefined
  if (major === leastMajor && Number(minor) >= Number(leastMinor)) return undefined
  return (
    `Maru needs Node ${least} or newer and this is ${version}: install it from nodejs.org and run this again. ` +
    `Maru는 Node ${least} 이상이 필요합니다(지금 ${version}). nodejs.org에서 설치한 뒤 다시 실행하세요.`
  )
}

/** @param {string} line */
function say(line) {
  process.stderr.write(`house: ${line}\n`)
}

/**
 * What every part of the house is given: where the checkout is, and where progress lines go.
 * @typedef {{ root: string, say: (line: string) => void }} House
 */
