import { join } from 'node:path'

/** To be required by a Node process: at its end it writes its peak memory, in kilobytes, to its descriptor 3. */
export const TELL_MEMORY = join(import.meta.dirname, 'tell-memory.cjs')
