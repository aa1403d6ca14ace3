import * as z from 'zod/mini'

/** What a person is asked. Without options any words will do. */
export const Question = z.object({
  question: z.string(),
  options: z.exactOptional(z.array(z.string())),
  allowFreeText: z.exactOptional(z.boolean()),
})
export type Question = z.infer<typeof Question>

/** A question's answer. Cancelling is an answer. */
export const Answer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('option'), option: z.string() }),
  z.object({ kind: z.literal('words'), words: z.string() }),
  z.object({ kind: z.literal('cancel') }),
])
export type Answer = z.infer<typeof Answer>
