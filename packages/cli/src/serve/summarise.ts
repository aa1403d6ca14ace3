import { summarise } from '@maru/agent'
import type { Summarise } from '@maru/store'
import type { Invocation } from '../command.ts'
import { createModelSide } from '../session/model-side.ts'

/** Summaries by the model that is configured; nothing where there is none. Its key is asked for with the first. */
export async function openSummarise(invocation: Invocation): Promise<Summarise | undefined> {
  const { settings } = await invocation.config()
  const { baseUrl, keys, provider: vendor } = settings
  const isOwnServer = vendor === 'openai-chat' && baseUrl !== undefined
  if (keys[vendor] === undefined && !isOwnServer) return undefined
  return async (messages, { maxWords, signal }) => {
    const { provider, model } = await createModelSide(settings, invocation, undefined)
    const spoken = messages.flatMap(({ role, content }) =>
      role === 'note' ? [] : [{ role, parts: [{ type: 'text' as const, text: content }] }],
    )
    const { text, by, failure } = await summarise(spoken, { provider, model, maxWords }, signal)
    // What the log itself gives is for who has no other; a model that is there is asked again later.
    if (by === 'log' && failure) throw new Error(failure.message)
    return text
  }
}
