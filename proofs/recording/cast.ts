import { createEmulator, type Picture } from './emulator.ts'
import type { Output } from './terminal-session.ts'

/** A recording: what was written when, in steps of `STEP_MS`. */
export interface Cast {
  readonly columns: number
  readonly rows: number
  readonly title: string
  readonly outputs: readonly Output[]
}

/** One picture of a recording, shown until the next. */
export interface Frame {
  readonly ms: number
  readonly picture: Picture
}

/** Finer than this nobody sees it, and two recordings would differ more than they have to. */
export const STEP_MS = 50

/** The outputs in steps: what lies within one is written at once. */
export function inSteps(outputs: readonly Output[]): Output[] {
  const steps = new Map<number, string>()
  for (const { ms, text } of outputs) {
    const step = Math.round(ms / STEP_MS) * STEP_MS
    steps.set(step, (steps.get(step) ?? '') + text)
  }
  return [...steps].map(([ms, text]) => ({ ms, text }))
}

/** As a file in asciicast v2: a head and one JSON array per line. */
export function writeCast({ columns, rows, title, outputs }: Cast): string {
  const head = { version: 2, width: columns, height: rows, title, env: { TERM: 'xterm-256color' } }
  return [head, ...outputs.map(({ ms, text }) => [ms / 1000, 'o', text])]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}

/** Reads what `writeCast` writes; throws with the line that is something else. */
export function readCast(file: string): Cast {
  const [first = '', ...rest] = file.trimEnd().split('\n')
  const head = JSON.parse(first) as { version?: unknown; width?: unknown; height?: unknown; title?: unknown }
  const { version, width, height, title } = head
  if (version !== 2 || typeof width !== 'number' || typeof height !== 'number' || typeof title !== 'string') {
    throw new Error(`line 1 is no head of asciicast v2: ${first}`)
  }
  let last = 0
  const outputs = rest.map((line, at) => {
    const [seconds, kind, text, ...more] = JSON.parse(line) as unknown[]
    const isOutput = typeof seconds === 'number' && kind === 'o' && typeof text === 'string' && more.length === 0
    if (!isOutput || seconds < last) throw new Error(`line ${at + 2} is no output in order of time: ${line}`)
    last = seconds
    return { ms: Math.round(seconds * 1000), text }
  })
  return { columns: width, rows: height, title, outputs }
}

/** The recording as pictures, one for each moment at which something changed. */
export function playCast({ columns, rows, outputs }: Cast): Frame[] {
  const emulator = createEmulator({ columns, rows })
  return outputs.map(({ ms, text }) => {
    emulator.write(text)
    return { ms, picture: emulator.picture() }
  })
}
