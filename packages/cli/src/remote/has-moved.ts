import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { CliError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { printable } from '../terminal/printable.ts'

const TAIL = 512

/** Whether a session's file is only what stayed behind when it moved into the history: nothing follows that. */
export function hasMoved(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const tail = Buffer.alloc(Math.min(TAIL, size))
    readSync(file, tail, 0, tail.length, size - tail.length)
    const last = tail.toString('utf8').trimEnd().split('\n').at(-1) ?? ''
    return /^\{.*"type":"session-move"/.test(last)
  } finally {
    closeSync(file)
  }
}

/** Nothing can be written to what stayed behind; says where it can. */
export function movedAway(id: string, { t }: Pick<Invocation, 't'>): CliError {
  return new CliError('log-moved', t('session.moved', { id: printable(id) }))
}
