import * as s from './shape.ts'

/** What a person is asked. Without options any words will do. */
export const Question = s.object({
  question: s.string(),
  options: s.optional(s.array(s.string())),
  allowFreeText: s.optional(s.boolean()),
})
export type Question = s.Infer<typeof Question>

/** A question's answer. Cancelling is an answer. */
export const Answer = s.union('kind', [
  s.object({ kind: s.literal('option'), option: s.string() }),
  s.object({ kind: s.literal('words'), words: s.string() }),
  s.object({ kind: s.literal('cancel') }),
])
export type Answer = s.Infer<typeof Answer>
