import { fits, LogError, type LogErrorCode, Problem } from '@maru/protocol'

/** Every way in which a request can be refused. Clients rely on the codes. */
export const PROBLEMS = {
  'bad-request': { status: 400, title: 'The request cannot be read' },
  'bad-json': { status: 400, title: 'The body is not JSON' },
  'bad-query': { status: 400, title: 'A query parameter is wrong' },
  'token-in-url': { status: 400, title: 'Secrets do not belong into an address' },
  unauthorised: { status: 401, title: 'Sign in first' },
  'sign-in-failed': { status: 401, title: 'This does not let you in' },
  forbidden: { status: 403, title: 'This key may not do that' },
  'csrf-missing': { status: 403, title: 'The x-maru-csrf header is missing or wrong' },
  'host-refused': { status: 403, title: 'This server is not known by that name' },
  'origin-refused': { status: 403, title: 'Pages of this origin may not use the API' },
  'root-refused': { status: 403, title: 'Agents may not work in this folder' },
  'not-found': { status: 404, title: 'There is no such thing' },
  'method-not-allowed': { status: 405, title: 'This cannot be done here' },
  timeout: { status: 408, title: 'The request took too long to arrive' },
  exists: { status: 409, title: 'It exists already' },
  conflict: { status: 409, title: 'Somebody else was quicker' },
  held: { status: 409, title: 'Somebody else is writing' },
  moved: { status: 409, title: 'The session goes on elsewhere' },
  newer: { status: 409, title: 'A newer version of Maru wrote this' },
  damaged: { status: 409, title: 'What is stored cannot be read' },
  'no-model': { status: 409, title: 'No model is configured here' },
  'range-refused': { status: 416, title: 'There is nothing behind its end' },
  'version-changed': { status: 412, title: 'It has changed since it was read' },
  'too-large': { status: 413, title: 'The body is too large' },
  'wrong-type': { status: 415, title: 'The body is of a type that is not taken here' },
  'bad-body': { status: 422, title: 'The body does not fit' },
  rejected: { status: 422, title: 'This cannot be stored' },
  'too-many': { status: 429, title: 'Too much at once' },
  'headers-too-large': { status: 431, title: 'The headers are too large' },
  internal: { status: 500, title: 'Something went wrong here' },
  unavailable: { status: 503, title: 'The history cannot be reached right now' },
  closing: { status: 503, title: 'The server is stopping' },
  full: { status: 507, title: 'There is no room left to store anything' },
} as const satisfies { [code: string]: { status: number; title: string } }

export type ProblemCode = keyof typeof PROBLEMS

/** A request that is refused, and why. */
export class HttpProblem extends Error {
  override readonly name = 'HttpProblem'
  readonly problem: Problem

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title)
    this.problem = problem
  }
}

/** To be thrown: the request is refused. `detail` says what to do instead. */
export function refusal(
  code: ProblemCode,
  detail?: string,
  more: Pick<Partial<Problem>, 'at' | 'retryAfter'> = {},
): HttpProblem {
  return new HttpProblem({ code, ...PROBLEMS[code], ...(detail !== undefined && { detail }), ...more })
}

const FROM_LOG: { [Code in LogErrorCode]: ProblemCode } = {
  missing: 'not-found',
  exists: 'exists',
  conflict: 'conflict',
  held: 'held',
  damaged: 'damaged',
  rejected: 'rejected',
  moved: 'moved',
  newer: 'newer',
  full: 'full',
  failed: 'unavailable',
  closed: 'closing',
}

/** Whatever was thrown, as the refusal that the client is given. What nobody foresaw is `internal` and says nothing more. */
export function problemOf(error: unknown): Problem {
  if (error instanceof HttpProblem) return error.problem
  // Agents and sockets have refusals of their own.
  if (error instanceof Error && 'problem' in error && fits(Problem, error.problem)) return error.problem
  const byDatabase = ofDatabase(error) ?? (error instanceof Error ? ofDatabase(error.cause) : undefined)
  if (byDatabase) return refusal(byDatabase, undefined, byDatabase === 'unavailable' ? { retryAfter: 1 } : {}).problem
  if (!(error instanceof LogError)) return refusal('internal').problem
  const code = FROM_LOG[error.code]
  if (code === 'unavailable') return refusal(code, undefined, { retryAfter: 1 }).problem
  // Somebody else's, or nobody's: the answer is the same letter by letter.
  return code === 'not-found' ? refusal(code).problem : refusal(code, error.message).problem
}

// By PostgreSQL's classes of errors: what a value did, and what a database that is away or overburdened says.
function ofDatabase(error: unknown): ProblemCode | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall, message } = error as NodeJS.ErrnoException
  if (/^(22|54)[0-9A-Z]{3}$/.test(code)) return 'rejected'
  if (code === '53100') return 'full'
  if (/^23[0-9A-Z]{3}$/.test(code)) return 'conflict'
  if (/^(08|40|53|57)[0-9A-Z]{3}$/.test(code) || /^E(CONN|PIPE|TIMEDOUT|HOST)/.test(code)) return 'unavailable'
  // Its socket is a file that is gone, its name is not known right now, or the connection broke without a code.
  if (syscall === 'connect' || syscall === 'getaddrinfo') return 'unavailable'
  return /^Connection terminated|not queryable|^timeout exceeded when trying to connect/.test(message)
    ? 'unavailable'
    : undefined
}
