import type { BlobStore, ModelRequest } from '@maru/protocol'
import { renderConversation } from '../summarise/render-conversation.ts'
import { isMostlyKorean, summaryRequest } from '../summarise/summary-request.ts'
import type { ContextMessage } from './context.ts'

/** The request that asks for a summary of turns: built from them alone, so that it can be built again. */
export async function buildSummaryRequest(
  dropped: readonly ContextMessage[],
  { model, room, words, focus }: { model: string; room: number; words: number; focus?: string },
  { id, blobs }: { id: string; blobs: BlobStore },
): Promise<ModelRequest> {
  const conversation = await renderConversation(dropped, room, async ({ hash }) => {
    const bytes = await blobs.get(id, hash)
    return bytes && new TextDecoder().decode(bytes)
  })
  const isKorean = isMostlyKorean(
    dropped.flatMap(({ role, parts }) =>
      role === 'user' ? parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
    ),
  )
  return summaryRequest(conversation, { model, words, isKorean, about: 'work', ...(focus !== undefined && { focus }) })
}
