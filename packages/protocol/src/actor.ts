import * as s from './shape.ts'

/** Where a person or program comes in. */
export const Door = s.oneOf(['terminal', 'web', 'widget', 'editor', 'api', 'import'])
export type Door = s.Infer<typeof Door>

/** Who did it. */
export const Actor = s.object({
  kind: s.oneOf(['person', 'agent', 'system', 'program']),
  id: s.string(),
  door: s.optional(Door),
})
export type Actor = s.Infer<typeof Actor>
