import { findMisfit } from '@maru/agent'
import type { Json } from '@maru/protocol'
import type { Invocation } from '../command.ts'
import { printable } from '../terminal/printable.ts'
import type { Result } from './door.ts'

/**
 * Whether an answer is what the schema asks for: the value that it is, or why not. A vendor promises as much only for
 * some schemas, and a server at home not at all. A run that did not come to its end has no answer to check.
 */
export async function checkAnswer(
  result: Result | undefined,
  schema: { [key: string]: Json } | undefined,
  { t }: Pick<Invocation, 't'>,
): Promise<Pick<Result, 'output' | 'misfit'>> {
  if (result?.reason !== 'done' || schema === undefined) return {}
  const { session, text } = result
  const output = parsed(text)
  if (output === undefined) return { misfit: t('session.not-json', { session }) }
  const broken = await findMisfit(schema, output)
  if (!broken) return { output }
  return {
    misfit: t('session.misfit', { place: printable(broken.place), keyword: printable(broken.keyword), session }),
  }
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
