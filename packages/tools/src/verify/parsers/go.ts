import { type Failure, type ParseReport, placeOf, reportOf } from '../report.ts'

interface Event {
  Action?: string
  Package?: string
  ImportPath?: string
  Test?: string
  Output?: string
}

/** The events of `go test -json`. Groups are not counted, only what has no subtests. */
export const parseGoJson: ParseReport = ({ stdout, stderr, isCut }) => {
  const events = stdout.split('\n').flatMap(parseEvent)
  if (events.length === 0 || isCut) return undefined
  const outcomes = new Map<string, Event>()
  const outputs = new Map<string, string>()
  for (const event of events) {
    const key = `${event.Package ?? event.ImportPath ?? ''}\n${event.Test ?? ''}`
    if (event.Action === 'output' || event.Action === 'build-output') {
      outputs.set(key, (outputs.get(key) ?? '') + (event.Output ?? ''))
    } else if (/^(?:pass|fail|skip|build-fail)$/.test(event.Action ?? '')) outcomes.set(key, event)
  }
  const keys = [...outcomes.keys()]
  const tests = [...outcomes].filter(([key, { Test }]) => Test && !keys.some((other) => other.startsWith(`${key}/`)))
  const count = (action: string) => tests.filter(([, event]) => event.Action === action).length
  const failed = tests.filter(([, event]) => event.Action === 'fail')
  // A package that fails without a failed test did not compile, or ended before its time.
  const broken = [...outcomes].filter(([, { Test, Action, Package }]) => {
    return !Test && Action === 'fail' && !failed.some(([, event]) => event.Package === Package)
  })
  const failures = [
    ...failed.map(([key, { Test = '', Package = '' }]) => failureOf(Test, Package, outputs.get(key) ?? '')),
    ...broken.map(([, { Package = '' }]) => brokenPackage(Package, outputs, stderr)),
  ]
  return reportOf({ passed: count('pass'), failed: failed.length + broken.length, skipped: count('skip') }, failures)
}

function parseEvent(line: string): Event[] {
  if (!line.startsWith('{"') || !line.endsWith('}')) return []
  try {
    const event = JSON.parse(line) as Event
    return typeof event.Action === 'string' ? [event] : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}

function failureOf(test: string, where: string, output: string): Failure {
  const [, file, line] = /^\s+(\S+\.go):(\d+):/m.exec(output) ?? []
  const lines = output.split('\n').filter((text) => !/^\s*(?:=== |--- |FAIL\b|exit status)/.test(text))
  return { name: `${test} (${where})`, ...placeOf(file, line), message: lines.join('\n').trim() }
}

function brokenPackage(name: string, outputs: ReadonlyMap<string, string>, stderr: string): Failure {
  const built = [...outputs].filter(([key]) => key.startsWith(`${name} [`) || key.startsWith(`${name}\n`))
  const all = `${built.map(([, text]) => text).join('')}\n${stderr}`
  const [, file, line] = /^(?:\.\/)?(\S+\.go):(\d+):/m.exec(all) ?? []
  const lines = all.split('\n').filter((text) => !/^(?:FAIL\b|#|ok\b)/.test(text))
  return { name: `package ${name} could not be tested`, ...placeOf(file, line), message: lines.join('\n').trim() }
}
