import { usageError } from '../cli-error.ts'
import type { Invocation } from '../command.ts'

/** Asks before something is done that cannot be taken back easily. Where nobody can be asked, `--yes` has to say so. */
export async function confirm(
  invocation: Invocation,
  { question, isAnswered }: { question: string; isAnswered: boolean },
): Promise<boolean> {
  const { isInteractive, json, stderr, t } = invocation
  if (isAnswered) return true
  if (!isInteractive || json) throw usageError(t('sessions.needs-yes'))
  await stderr.write(`${question} ${t('sessions.yes-no')} `)
  return /^\s*(y|yes|네|예|ㅛ)\s*$/i.test(await readLine(invocation))
}

async function readLine({ stdin, signal }: Pick<Invocation, 'stdin' | 'signal'>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of stdin) {
      text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
      if (text.includes('\n')) break
    }
  } catch (error) {
    // An interrupt takes the input away from whoever waits for it.
    if (!signal.aborted) throw error
    return ''
  }
  return text.replace(/\r?\n[\s\S]*$/, '')
}
