import { defineCommand } from '../command.ts'
import type { ExitCode } from '../exit-code.ts'
import { readServeWish, serveOptions } from '../serve/read-wish.ts'
import { serveHistory } from '../serve/serve-history.ts'

/** `maru serve`: one process that gives the history and running agents to every door. */
export const serve = defineCommand({
  usage: ['serve [--host ADDRESS] [--port N] [--root DIR…]'],
  details: 'serve.details',
  options: serveOptions,
  positionals: [],
  async run(invocation): Promise<ExitCode> {
    return serveHistory(invocation, await readServeWish(invocation))
  },
})
