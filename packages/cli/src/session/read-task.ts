import { usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'

/** The task, as words behind the command or from standard input where they are "-". */
export async function readTask(command: string, { positionals, stdin, t }: Invocation): Promise<string> {
  const words = positionals.join(' ')
  const task = words === '-' ? await readAll(stdin) : words
  if (task.trim() === '') throw usageError(t('session.no-task', { command }))
  return task
}

async function readAll(stdin: Invocation['stdin']): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stdin) text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}
