import { CliError, usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'
import { EXIT } from '../exit-code.ts'
import { openLinePrompt } from '../first-run/line-prompt.ts'

const LEAST = 8

/** Reads one line from stdin as a password. */
export async function readPasswordLine(invocation: Invocation): Promise<string> {
  const { stdin, t } = invocation
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stdin) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    if (text.includes('\n')) break
  }
  const password = text.replace(/\r?\n[\s\S]*$/, '')
  if (password === '') throw usageError(t('user.no-password'))
  await warnOfShort(invocation, password)
  return password
}

/** Asks a person twice, without showing what is typed; nothing where the first answer is empty. */
export async function askPassword(invocation: Invocation, question: string): Promise<string | undefined> {
  const { stdin, stderr, signal, t } = invocation
  // What is asked is for the person; stdout may go elsewhere.
  const prompt = openLinePrompt({ stdin, stdout: stderr, signal })
  try {
    const password = await prompt.askSecretly(question)
    const again = password ? await prompt.askSecretly(t('user.password-again')) : password
    if (prompt.isInterrupted()) throw new CliError('interrupted', t('user.interrupted'), { exit: EXIT.interrupted })
    if (password !== again) throw usageError(t('user.password-differs'))
    if (password === undefined || password === '') return undefined
    await warnOfShort(invocation, password)
    return password
  } finally {
    prompt.close()
  }
}

async function warnOfShort({ notice, t }: Invocation, password: string): Promise<void> {
  if ([...password].length < LEAST) await notice(t('user.password-short', { least: LEAST }))
}

/** A password as it is stored. The library for it is large: it comes with whoever needs it. */
export async function hashOf(password: string): Promise<string> {
  return (await import('@maru/server')).hashPassword(password)
}
