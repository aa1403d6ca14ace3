import * as z from 'zod/mini'

/** Where a person or program comes in. */
export const Door = z.enum(['terminal', 'web', 'widget', 'editor', 'api', 'import'])
export type Door = z.infer<typeof Door>

/** Who did it. */
export const Actor = z.object({
  kind: z.enum(['person', 'agent', 'system', 'program']),
  id: z.string(),
  door: z.exactOptional(Door),
})
export type Actor = z.infer<typeof Actor>
