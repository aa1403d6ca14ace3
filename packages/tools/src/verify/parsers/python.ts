import { type Failure, type ParseReport, placeOf, reportOf } from '../report.ts'

/** pytest's own words, with short tracebacks. */
export const parsePytest: ParseReport = ({ stdout }) => {
  const summary = [...stdout.matchAll(/^=*\s*((?:\d+ [a-z]+(?:, )?)+|no tests ran)(?: in [\d.:]+s?.*?)?\s*=*$/gm)].at(
    -1,
  )?.[1]
  if (summary === undefined || !/(?:passed|failed|error|skipped|deselected|no tests ran|xfailed)/.test(summary))
    return undefined
  const count = (...words: string[]) => {
    const found = words.map((word) => Number(new RegExp(`(\\d+) ${word}\\b`).exec(summary)?.[1] ?? 0))
    return found.reduce((total, one) => total + one, 0)
  }
  const blocks = blocksOf(stdout)
  const failures = [...stdout.matchAll(/^(FAILED|ERROR) (\S.*?)(?: - (.*))?$/gm)].map(([, , id = '', brief = '']) => {
    const [file, ...parts] = id.split('::')
    const block = blocks.get(parts.join('.')) ?? blocks.get(id) ?? { message: '' }
    // The place in the test file itself says more than one in a helper or a library.
    const line = block.places?.findLast((place) => place.file === file)?.line
    return {
      name: id,
      ...placeOf(file, line === undefined ? undefined : String(line)),
      message: block.message || brief,
    }
  })
  return reportOf(
    { passed: count('passed', 'xpassed'), failed: count('failed', 'errors?'), skipped: count('skipped', 'xfailed') },
    failures,
  )
}

interface Block {
  message: string
  places?: { file: string; line: number }[]
}

function blocksOf(stdout: string): Map<string, Block> {
  const blocks = new Map<string, Block>()
  for (const part of stdout.split(/^(?=_{3,} .* _{3,}$)/m)) {
    const title = /^_{3,} (?:ERROR (?:at setup of|at teardown of|collecting) )?(.*?) _{3,}$/m.exec(part)?.[1]
    if (title === undefined) continue
    const body = part.split(/^={3,} /m)[0] ?? ''
    const message = [...body.matchAll(/^E {3}(.*)$/gm)].map(([, text = '']) => text.trimEnd()).join('\n')
    const places = [...body.matchAll(/^(\S.*?):(\d+): /gm)].map(([, file = '', line]) => ({ file, line: Number(line) }))
    blocks.set(title, { message, places })
  }
  return blocks
}

/** Python's own unittest, on stderr. */
export const parseUnittest: ParseReport = ({ stdout, stderr }) => {
  const text = /^Ran \d+ tests? in /m.test(stderr) ? stderr : stdout
  const ran = /^Ran (\d+) tests? in /m.exec(text)?.[1]
  if (ran === undefined) return undefined
  const ending = text.slice(text.lastIndexOf('\nRan '))
  const count = (word: string) => Number(new RegExp(`\\b${word}=(\\d+)`).exec(ending)?.[1] ?? 0)
  const failed = count('failures') + count('errors') + count('unexpected successes')
  const skipped = count('skipped') + count('expected failures')
  const failures = text
    .split(/^={70}$/m)
    .slice(1)
    .map(readCase)
  return reportOf({ passed: Math.max(Number(ran) - failed - skipped, 0), failed, skipped }, failures)
}

function readCase(part: string): Failure {
  const name = /^(?:FAIL|ERROR): (.*)$/m.exec(part)?.[1] ?? 'a test'
  const body = part.split(/^-{70}$/m)[1] ?? ''
  const [, file, line] = [...body.matchAll(/^ {2}File "(.*?)", line (\d+)/gm)].at(-1) ?? []
  const message = body
    .replace(/^Traceback .*$/m, '')
    .replace(/^ {2}.*(?:\n|$)/gm, '')
    .trim()
  return { name, ...placeOf(file, line), message }
}
