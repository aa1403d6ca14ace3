import { type Failure, type ParseReport, placeOf, reportOf } from '../report.ts'

/** What Rust's test programs print, one after the other, and rustc's errors where nothing could be built. */
export const parseCargo: ParseReport = ({ stdout, stderr, isCut }) => {
  const results = [...stdout.matchAll(/^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/gm)]
  const errors = compileErrors(stderr)
  if (isCut || (results.length === 0 && errors.length === 0)) return undefined
  const sum = (at: number) => results.reduce((total, result) => total + Number(result[at] ?? 0), 0)
  const parts = stdout.split(/^(?=---- .* stdout ----$)/m).filter((part) => part.startsWith('---- '))
  return reportOf({ passed: sum(1), failed: sum(2) + errors.length, skipped: sum(3) }, [
    ...parts.map(readPart),
    ...errors,
  ])
}

function readPart(part: string): Failure {
  const name = /^---- (.*) stdout ----$/m.exec(part)?.[1] ?? ''
  // `panicked at file:line:col:` since 1.73, `panicked at 'message', file:line:col` before.
  const [, file, line] = /panicked at (?:'.*', )?([^\s:']+):(\d+):\d+/s.exec(part) ?? []
  const body = part.split(/^(?:failures:|stack backtrace:|note: )/m)[0] ?? ''
  const message = body
    .replace(/^---- .*$/m, '')
    .replace(/^thread '.*' .*panicked at [^']*:\d+:\d+:\n/m, '')
    .trim()
  return { name, ...placeOf(file, line), message }
}

function compileErrors(stderr: string): Failure[] {
  const parts = stderr.split(/^(?=error(?:\[E\d+\])?: )/m).filter((part) => /^error(?:\[E\d+\])?: /.test(part))
  return parts.flatMap((part) => {
    const [, file, line] = /^\s*--> (.*?):(\d+):\d+/m.exec(part) ?? []
    if (file === undefined) return []
    const message = (part.split(/^(?:warning|For more information)/m)[0] ?? '').trim()
    return [{ name: 'it does not compile', ...placeOf(file, line), message }]
  })
}
