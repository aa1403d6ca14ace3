import type { Json } from '@maru/protocol'
import type { Engine } from './engine.ts'

/** Work that outlives whoever asked for it. */
export interface Job {
  owner: string
  id: string
  kind: string
  key: string
  payload: Json
  /** With this one. */
  attempts: number
}

/** Does a job. Should its process die in the middle, it is done again: whatever it stores needs a key of its own. */
export type JobHandler = (job: Job, signal: AbortSignal) => Promise<void>

export interface RunJobsOptions {
  handlers: { readonly [kind: string]: JobHandler }
  signal: AbortSignal
  /** How long a worker that says nothing has a job, in seconds. */
  leaseSeconds?: number
  /** Tries before a job is left alone, with what went wrong. */
  mostAttempts?: number
}

/** Asks for work. The same key twice, while the first is not done, is one job. */
export async function addJob(
  engine: Engine,
  owner: string,
  { kind, key, payload }: Pick<Job, 'kind' | 'key' | 'payload'>,
): Promise<void> {
  await engine.as(owner, (db) =>
    db.query('insert into maru.job (kind, key, payload) values ($1, $2, $3::json) on conflict do nothing', [
      kind,
      key,
      JSON.stringify(payload),
    ]),
  )
}

/**
 * Does what is due, of all owners, until nothing is; gives back how many were done. Any number of workers on any number of
 * nodes may do so at once: each job has one of them, and one whose worker died goes to another when its lease is over.
 */
export async function runDueJobs(engine: Engine, options: RunJobsOptions): Promise<number> {
  let done = 0
  while (!options.signal.aborted) {
    const job = await takeJob(engine, options)
    if (!job) return done
    if (await runJob(engine, job, options)) done++
  }
  return done
}

interface Taken extends Job {
  lease: string
}

async function takeJob(
  engine: Engine,
  { handlers, leaseSeconds = 30, mostAttempts = 5 }: RunJobsOptions,
): Promise<Taken | undefined> {
  const [job] = await engine.asOwner((db) =>
    db.query<Taken>(
      `update maru.job j set lease = gen_random_uuid(), attempts = attempts + 1,
         lease_until = clock_timestamp() + make_interval(secs => $2)
       from (select owner, id from maru.job where kind = any($1) and attempts < $3 and run_at <= clock_timestamp()
           and (lease_until is null or lease_until < clock_timestamp())
         order by run_at limit 1 for update skip locked) d
       where (j.owner, j.id) = (d.owner, d.id)
       returning j.owner, j.id, j.kind, j.key, j.payload, j.attempts, j.lease`,
      [Object.keys(handlers), leaseSeconds, mostAttempts],
    ),
  )
  return job
}

async function runJob(
  engine: Engine,
  job: Taken,
  { handlers, signal, leaseSeconds = 30 }: RunJobsOptions,
): Promise<boolean> {
  const own = new AbortController()
  const stop = AbortSignal.any([signal, own.signal])
  // It is ours as long as we say so; who has lost it must not go on.
  const renewal = setInterval(
    () => {
      const renewed = touch(engine, job, `lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})`)
      void renewed.then(
        (isOurs) => (isOurs ? undefined : own.abort()),
        () => undefined,
      )
    },
    (leaseSeconds * 1000) / 3,
  )
  try {
    await handlers[job.kind]?.(job, stop)
    return await remove(engine, job)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    const wait = Math.min(3600, 2 ** job.attempts)
    await touch(
      engine,
      job,
      `lease = null, lease_until = null, problem = $4, run_at = clock_timestamp() + make_interval(secs => ${wait})`,
      [problem.replaceAll('\0', '')],
    )
    return false
  } finally {
    clearInterval(renewal)
  }
}

// Only while it is ours: whoever took it over has another lease.
async function touch(engine: Engine, { owner, id, lease }: Taken, set: string, more: unknown[] = []): Promise<boolean> {
  const sql = `update maru.job set ${set} where owner = $1 and id = $2 and lease = $3 returning id`
  return (await engine.asOwner((db) => db.query(sql, [owner, id, lease, ...more]))).length > 0
}

async function remove(engine: Engine, { owner, id, lease }: Taken): Promise<boolean> {
  const sql = 'delete from maru.job where owner = $1 and id = $2 and lease = $3 returning id'
  return (await engine.asOwner((db) => db.query(sql, [owner, id, lease]))).length > 0
}
