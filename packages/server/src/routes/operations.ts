import { api, type Json } from '@maru/protocol'
import { isLoopback } from '../access/hosts.ts'
import { hasScope, identify } from '../access/identify.ts'
import { refusal } from '../http/problem.ts'
import { defineRoute, type Route } from '../http/route.ts'
import type { RouteContext } from './context.ts'

const tag = 'operations'

/** For whoever looks after the server, and for whoever writes against it. */
export function operationRoutes(context: RouteContext, describe: (url: string) => { [key: string]: Json }): Route[] {
  const { inside, metrics } = context
  const { access, version } = inside.options
  return [
    defineRoute({
      ...{ method: 'GET', path: '/api/v1/openapi.json', scope: 'public', tag },
      summary: 'This description',
      answers: { 200: { description: 'OpenAPI 3.1', type: 'application/json' } },
      handle: async ({ origin }) => ({ status: 200, json: describe(origin) }),
    }),
    defineRoute({
      ...{ method: 'GET', path: '/healthz', scope: 'public', tag },
      summary: 'Whether the process answers',
      answers: { 200: { description: 'It does', shape: api.Health } },
      handle: async () => ({ status: 200, json: { status: 'ok', version } }),
    }),
    defineRoute({
      ...{ method: 'GET', path: '/readyz', scope: 'public', tag },
      summary: 'Whether the database answers as well',
      answers: {
        200: { description: 'It does', shape: api.Health },
        503: { description: 'It does not', shape: api.Health },
      },
      async handle() {
        const isReady = await doesAnswer(inside.options.history.engine)
        return { status: isReady ? 200 : 503, json: { status: isReady ? 'ok' : 'unavailable', version } }
      },
    }),
    defineRoute({
      ...{ method: 'GET', path: '/metrics', scope: 'public', tag },
      summary: 'Numbers in the text format of Prometheus; from another machine, with a key',
      answers: { 200: { description: 'The numbers', type: 'text/plain' } },
      async handle({ address, header, isSecure }) {
        // How much is going on here is nobody's business on a network.
        if (!isLoopback(address) || FORWARDED.some((name) => header(name) !== undefined)) {
          const [authorization, cookie] = [header('authorization'), header('cookie')]
          const headers = {
            ...(authorization !== undefined && { authorization }),
            ...(cookie !== undefined && { cookie }),
          }
          const identity = await identify(access, headers, { isSecure })
          if (!identity) throw refusal('unauthorised')
          if (!hasScope(identity.key, 'read')) throw refusal('forbidden')
        }
        metrics.gauge('database_up', (await doesAnswer(inside.options.history.engine)) ? 1 : 0)
        metrics.gauge('memory_bytes', process.memoryUsage.rss())
        metrics.gauge('uptime_seconds', Math.round(process.uptime()))
        return { status: 200, content: metrics.print(), type: 'text/plain; version=0.0.4; charset=utf-8' }
      },
    }),
  ]
}

// A proxy on this machine asks from the loopback as well, in the name of anybody.
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'] as const

const ANSWER_MS = 2_000

async function doesAnswer(engine: RouteContext['inside']['options']['history']['engine']): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ANSWER_MS)
  })
  const asked = engine
    .asOwner((db) => db.query('select 1 as one', []))
    .then(
      () => true,
      () => false,
    )
  try {
    return await Promise.race([asked, late])
  } finally {
    clearTimeout(timer)
  }
}
