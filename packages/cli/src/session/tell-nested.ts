import type { Access, Recorded, Tool } from '@maru/protocol'
import type { Toolbox } from '@maru/tools'
import type { NestedPlace } from './nested-instructions.ts'

/** Tools that tell the model of instructions further down, when a call first touches something below them. */
export function tellNested(tools: Toolbox, place: NestedPlace): { tools: Toolbox; fact(record: Recorded): void } {
  let { condensedSeq } = place
  const onTouch = async (access: readonly Access[]) => {
    const paths = access.flatMap((one) => ('path' in one && one.where === 'inside' ? [one.path] : []))
    if (paths.length === 0) return
    const { tellInstructions } = await import('./nested-instructions.ts')
    // A log that cannot be written says so to whoever writes next.
    await tellInstructions(paths, { ...place, condensedSeq }).catch(() => undefined)
  }
  const telling = (tool: Tool): Tool => ({
    spec: tool.spec,
    async prepare(...given) {
      const prepared = await tool.prepare(...given)
      return {
        ...prepared,
        async run(context) {
          const result = await prepared.run(context)
          if (result.ok) await onTouch(prepared.access)
          return result
        },
      }
    },
  })
  const known = new WeakMap<Tool, Tool>()
  const list = () =>
    tools.list().map((tool) => {
      const wrapped = known.get(tool) ?? telling(tool)
      known.set(tool, wrapped)
      return wrapped
    })
  return {
    tools: { ...tools, list },
    fact(record) {
      if (record.type === 'context-compact' || record.type === 'context-reset') condensedSeq = record.seq
    },
  }
}
