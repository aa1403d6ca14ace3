import type { History, HistoryOptions } from './history.ts'

/** Opens the history and brings its schema up to date. Nothing of it is loaded before: most commands never ask. */
export async function openHistory(options: HistoryOptions): Promise<History> {
  return (await import('./history.ts')).openHistory(options)
}

/** A data directory with the schema in it, packed: what `template` of a first start takes. */
export async function packHistoryTemplate(): Promise<Uint8Array> {
  const [{ packTemplate }, { migrate }] = await Promise.all([import('./pglite-engine.ts'), import('./migrate.ts')])
  return packTemplate(async (engine) => {
    await migrate(engine)
  })
}
