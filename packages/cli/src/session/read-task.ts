import { usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'

/** The task, as words behind the command or from standard input where they are "-". */
export async function readTask(command: string, invocation: Invocation): Promise<string> {
  const words = invocation.positionals.join(' ')
  // Only to look at standard input costs something.
  const task = words === '-' ? await readAll(invocation.stdin) : words
  if (task.trim() === '') throw usageError(invocation.t('session.no-task', { command }))
  return task
}

/** Standard input to its end. */
export async function readAll(stdin: Invocation['stdin']): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stdin) text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}
