import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type Environment, findExit } from './proxy.ts'
import { type Problem, refusedAddress, type Target, type TargetRules } from './target.ts'

/** Where a connection really goes: to addresses that have been judged, or to a proxy that judges them. */
export type Route = { kind: 'direct'; addresses: readonly string[] } | { kind: 'proxy'; proxy: URL }

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<string[]>

export interface RouteRules extends TargetRules {
  readonly environment: Environment
  /** The user vouches for the proxy: it resolves names, so that only it can keep private addresses out. */
  readonly proxyIsTrusted: boolean
  readonly resolve: Resolve
}

/** Asks the system, as every other program does. */
export const resolveBySystem: Resolve = async (host) => {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}

/** Why no way out may be taken, if that is so; known before anything is asked or resolved. */
export function exitProblem({ url }: Target, { environment, proxyIsTrusted }: RouteRules): Problem | undefined {
  const exit = findExit(url, environment)
  if (exit.kind === 'broken') return proxyProblem(`${exit.why}.`, 'Tell the user to correct it.')
  if (exit.kind === 'direct' || proxyIsTrusted) return undefined
  return proxyProblem(
    `${exit.variable} is set: the proxy would resolve the name, so that private addresses could not be kept out here.`,
    'Tell the user: the settings can say that this proxy is trusted to refuse private addresses.',
  )
}

/**
 * Resolves a target once and keeps only what may be reached. The connection is made to these very addresses: a name that
 * resolves differently a moment later leads nowhere new.
 */
export async function findRoute(target: Target, rules: RouteRules): Promise<Route | Problem> {
  const problem = exitProblem(target, rules)
  if (problem) return problem
  const { host, isNamed } = target
  const exit = findExit(target.url, rules.environment)
  if (exit.kind === 'proxy') return { kind: 'proxy', proxy: exit.proxy }
  if (isIP(host) !== 0) return { kind: 'direct', addresses: [host] }
  const found = await rules.resolve(host)
  const addresses = isNamed ? found.filter((address) => isIP(address) !== 0) : found.filter(rules.isPublic)
  if (addresses.length > 0) return { kind: 'direct', addresses }
  if (found.length === 0) return unreachable(`${host} has no address.`)
  return refusedAddress(host, `leads to ${found.slice(0, 3).join(', ')}, which is not on the public internet`)
}

/** What is said when nobody answered. */
export function unreachable(message: string): Problem {
  return {
    problem: { code: 'unreachable', message, hint: 'Check the address; try another source or once more later.' },
  }
}

function proxyProblem(message: string, hint: string): Problem {
  return { problem: { code: 'proxy', message, hint } }
}
